// SPDX-License-Identifier: Apache-2.0
import System
import Text

/// Asks for a passphrase: without echo on a terminal, in the file of `--passphrase-file`, or as the
/// first line of standard input. Never on the command line, which other users can read.
struct PassphraseQuestion {
    private let call: Invocation
    /// The command that asks, for errors.
    private let again: String

    /// Characters of a new one at least: whoever copies the files can try many.
    static let least = 8
    /// Bytes at most.
    static let most = 1024
    /// How often a new one is asked for.
    private static let tries = 3

    init(_ call: Invocation, again: String) {
        self.call = call
        self.again = again
    }

    /// A new passphrase, typed twice on a terminal. Throws `usage` and `file`.
    func new() throws(UserError) -> [UInt8] {
        guard isTyped else {
            let bytes = try untyped()
            if let fault = Self.fault(bytes) { throw refused(fault) }
            return bytes
        }
        call.note("nobody can open what is locked if you forget the passphrase")
        for _ in 0..<Self.tries {
            let first = try typed("New passphrase, at least \(Self.least) characters: ")
            if let fault = Self.fault(first) {
                call.note(fault)
                continue
            }
            if try typed("The same again: ") == first { return first }
            call.note("these were two different ones")
        }
        throw refused("no passphrase was typed twice")
    }

    /// A passphrase that was chosen before. Throws `usage` and `file`.
    func known() throws(UserError) -> [UInt8] {
        let bytes = try isTyped ? typed("Passphrase: ") : untyped()
        guard bytes.count <= Self.most else { throw refused("it has over \(Self.most) bytes") }
        return bytes
    }

    /// What a new passphrase needs and this one has not; `nil` for nothing.
    static func fault(_ bytes: [UInt8]) -> String? {
        let count = String(decoding: bytes, as: UTF8.self).count
        if count < least { return "it has \(count) characters, and needs \(least)" }
        return bytes.count > most ? "it has over \(most) bytes" : nil
    }

    private func refused(_ why: String) -> UserError {
        UserError(.usage, "there is no passphrase", why: why, advice: isTyped ? again : help)
    }

    /// Where nobody types, the same line would fail the same way: the help says what it reads.
    private var help: String {
        let words = again.split(separator: " ")
        return "seatagent help \(words.count > 1 ? String(words[1]) : "lock")"
    }

    /// Whether somebody types it, or can.
    private var isTyped: Bool { call.mayAsk && !call.line.has("passphrase-file") }

    private func typed(_ prompt: String) throws(UserError) -> [UInt8] {
        guard let bytes = call.session.console.readSecret(prompt), !bytes.isEmpty else {
            throw refused("nothing was typed")
        }
        return bytes
    }

    private func untyped() throws(UserError) -> [UInt8] {
        let bytes: [UInt8]
        if let path = call.line.value("passphrase-file") {
            guard let file = try PrivateFile.read(path, limit: Self.most + 2) else {
                throw UserError(
                    .file, "there is no file \(visible(path, cells: 60))", advice: "ls")
            }
            bytes = Self.line(file)
            guard !bytes.contains(10) else {
                throw refused("the file has more than one line")
            }
        } else {
            guard !call.session.console.readsTerminal else {
                throw refused("nobody can be asked here; --passphrase-file FILE names a file")
            }
            bytes = Self.line(Array((call.session.console.readLine() ?? "").utf8))
        }
        guard !bytes.isEmpty else {
            throw refused("standard input or --passphrase-file gives it, and there it is empty")
        }
        return bytes
    }

    /// Without the end of the line.
    private static func line(_ bytes: [UInt8]) -> [UInt8] {
        var line = bytes
        if line.last == 10 { line.removeLast() }
        if line.last == 13 { line.removeLast() }
        return line
    }
}
