// SPDX-License-Identifier: Apache-2.0
import Glibc
import Notify
import Owner
import Profile
import System
import Text

/// Asks the program of `confirm.command` before something binds: a reader of fingerprints, a dialog
/// of the desktop. Exit code 0 is a yes.
enum Confirmation {
    /// How often the program may fail before only the passphrase helps.
    static let tries = 3

    /// Returns if the program says yes, or none is set. After three failures, the passphrase of the
    /// last `lock` stands in for it, typed on a terminal; it is returned then. `again` is the
    /// command that binds, for errors. Throws `not-confirmed` and `wrong-passphrase`.
    static func ask(_ call: Invocation, again: String) throws(UserError) -> [UInt8]? {
        let words = call.config.value(.confirmCommand).split(whereSeparator: \.isWhitespace)
            .map(String.init)
        guard let program = words.first else { return nil }
        guard let path = NotifyRunner.find(program, call.session.environment) else {
            throw UserError(
                .notConfirmed, "nothing was done: confirm.command cannot be run",
                why: "there is no program \(visible(program, cells: 60))",
                advice: "seatagent config get confirm.command")
        }
        var last = 0
        for count in 1...tries {
            last = run(path, words, call)
            if last == 0 { return nil }
            if count < tries { call.hint("\(visible(program, cells: 60)) said no. Once more:") }
        }
        let why = "\(visible(program, cells: 60)) failed \(tries) times, the last time with \(last)"
        let seal = ProfileSeal(call.place)
        guard call.mayAsk, access(PrivateFiles.passphrasePath(call.place), F_OK) == 0 else {
            throw UserError(
                .notConfirmed, "nothing was done: confirm.command did not say yes", why: why,
                advice: again)
        }
        call.note(why + "; the passphrase will do")
        guard let typed = call.session.console.readSecret("Passphrase: "), !typed.isEmpty else {
            throw UserError(
                .notConfirmed, "nothing was done: nobody said yes", why: why, advice: again)
        }
        guard try seal.isRight(typed) == true else { throw ProfileSeal.wrong(again) }
        return typed
    }

    /// Its exit code, or 128 plus the number of a signal, as shells do. What it prints goes to
    /// standard error; standard input may hold a passphrase, and is its own only on a terminal.
    private static func run(_ path: String, _ words: [String], _ call: Invocation) -> Int {
        var program = ChildProcess(path: path, arguments: words)
        program.environment = call.session.environment.map { "\($0.key)=\($0.value)" }.sorted()
        program.input = call.session.console.readsTerminal ? .inherited : .nowhere
        program.output = .descriptor(2)
        guard let child = try? program.start(), let status = ChildProcess.wait(for: child) else {
            return 127
        }
        return Int(status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F))
    }
}
