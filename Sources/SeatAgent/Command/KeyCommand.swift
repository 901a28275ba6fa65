// SPDX-License-Identifier: Apache-2.0
import Grammar
import Keys
import Launch
import Profile
import Protocol
import System
import Text

/// `seatagent key import`: the key that its owner took along from a host's laptop, for an agent on
/// this computer.
struct KeyCommand {
    private let call: Invocation
    private static let again = "seatagent key import"
    /// A text has some hundreds of characters.
    private static let limit = 1 << 16

    init(_ call: Invocation) { self.call = call }

    func run() throws(UserError) -> ExitCode {
        let words = call.operands
        guard words.first == "import" else {
            let typed = words.first ?? ""
            throw UserError(
                .usage, "key does not know \"\(visible(typed, cells: 30))\"",
                why: "it knows import", advice: "seatagent help key")
        }
        let text = try words.count > 1 ? fromFile(words[1]) : typed()
        do throws(SealedSeatKey.Fault) {
            try SealedSeatKey.check(text)
        } catch {
            throw Self.error(error)
        }
        let passphrase = try PassphraseQuestion(call, again: Self.again).known()
        let seat: SeatKey
        do throws(SealedSeatKey.Fault) {
            seat = try SealedSeatKey.open(text, passphrase: passphrase)
        } catch {
            throw Self.error(error)
        }
        return try store(seat)
    }

    private func fromFile(_ path: String) throws(UserError) -> String {
        guard let bytes = try PrivateFile.read(path, limit: Self.limit) else {
            throw UserError(
                .file, "there is no file \(visible(path, cells: 60))", advice: "ls")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func typed() throws(UserError) -> String {
        if call.mayAsk { call.session.console.prompt("The text below the code on the phone: ") }
        guard let line = call.session.console.readLine(), !line.isEmpty else {
            throw UserError(
                .usage, "there is no text of a key",
                why: "standard input gives it in its first line, or a file",
                advice: "seatagent help key")
        }
        return line
    }

    private static func error(_ fault: SealedSeatKey.Fault) -> UserError {
        switch fault {
        case .other:
            UserError(
                .usage, "this is no key that was taken along",
                why: "such a text begins with seatkey1:", advice: "seatagent help key")
        case .version:
            UserError(
                .usage, "this key was sealed by a later seatagent",
                why: "this is \(Version.text)", advice: "seatagent --version")
        case .damaged:
            UserError(
                .usage, "the text of this key is damaged",
                why: "characters of it are missing or wrong: copy it anew, or scan the code",
                advice: again)
        case .passphrase:
            UserError(
                .wrongPassphrase, "this passphrase does not open the key",
                why: "the text is whole; the passphrase is the one that was typed first on the "
                    + "phone", advice: again)
        case .memory:
            UserError(
                .failed, "the passphrase cannot be tried",
                why: "256 MiB of memory are missing", advice: again)
        }
    }

    /// Stores the key while no agent of the profile runs.
    private func store(_ seat: SeatKey) throws(UserError) -> ExitCode {
        let place = call.place
        try PrivateFile.makeDirectory(place.dataDirectory)
        try PrivateFile.makeDirectory(place.stateDirectory)
        let lock: ProfileLock
        do throws(ProfileLock.Trouble) {
            lock = try ProfileLock(path: place.lockPath)
        } catch {
            switch error {
            case .held:
                throw UserError(
                    .alreadyRunning, "an agent of this profile runs",
                    why: "a key comes in while none does", advice: "seatagent down")
            case .unusable(let code): throw ProfileLock.unusable(place.lockPath, code)
            }
        }
        defer { withExtendedLifetime(lock) {} }
        var errand = Errand(.bring, place)
        errand.brought = Errand.BroughtKey(
            seed: seat.seed, auth: seat.auth, flight: seat.flight, isGated: seat.isGated,
            floor: seat.floor)
        _ = try errand.ask()
        let line = Self.start(seat, place.profile)
        let what = seat.flight.isPractice ? "the practice flight" : seat.flight.text
        let code = call.finish(
            [
                "flight": .string(seat.flight.text), "name": .string(seat.name),
                "seats": .string(seat.seats), "records": .int(seat.floor),
                "start": .string(line),
            ],
            [
                "You are \(visible(seat.name, cells: 40)) here on \(what), with the key that you "
                    + "took along.",
                "Your agent first fetches your \(seat.floor) records from other passengers, and "
                    + "signs nothing before.",
            ])
        call.hint("Next: \(line)")
        return code
    }

    private static func start(_ seat: SeatKey, _ profile: ProfileName) -> String {
        var values = ["name": [seat.name]]
        if !seat.seats.isEmpty { values["seat"] = [seat.seats] }
        if !seat.flight.isPractice { values["flight"] = [seat.flight.text] }
        if seat.isGated { values["code"] = [""] }
        let line = StoredOptions(values: values, at: SystemClock.utc()).commandLine
        return profile == .standard ? line : line + " --profile \(profile.text)"
    }
}
