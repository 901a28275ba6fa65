// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Glibc
import Notify
import Parking
import Profile
import Protocol
import System
import Text

/// `seatagent park remind`: waits for the moments at which the time of parked cars is nearly up,
/// and up. It is a program of its own, since no agent needs to run while a car is parked.
struct ParkRemind {
    private let call: Invocation
    private let settings: NotifySettings
    private var reminder: ParkingReminder
    /// The list as it was read last: it may be away for a while.
    private var records: [ParkingRecord] = []

    /// How soon it sees a change of the list, and that the computer has slept.
    private static let glance = TimeSpan.seconds(10)

    init(_ call: Invocation) {
        self.call = call
        settings = NotifySettings(call.config, environment: call.session.environment)
        reminder = ParkingReminder(from: SystemClock.utc())
    }

    // MARK: Started by a change of the list

    /// Who reminds of a car from now on.
    enum Herald: String {
        /// A process that this command started, or one that runs already: notices of the desktop.
        case desktop
        /// Nobody, unless the driver lets `park remind` wait in a terminal.
        case nobody
        /// Nobody: `notify` or `notify.parking` is off.
        case off
    }

    /// Starts a reminder in the background, where its notices would be seen. Another one that runs
    /// already keeps this one from staying.
    static func start(_ call: Invocation) -> Herald {
        let settings = NotifySettings(call.config, environment: call.session.environment)
        guard call.config.isOn(.notifyParking), settings.level != .off else { return .off }
        guard settings.desktop, call.session.console.descriptor != nil else { return .nobody }
        var program = ChildProcess(
            path: ChildProcess.itself,
            arguments: [
                "seatagent", "park", "remind", "--quiet", "--no-input", "--profile",
                call.place.profile.text,
            ], input: .nowhere, output: .nowhere, errors: .nowhere)
        program.group = .session
        return (try? program.start()) == nil ? .nobody : .desktop
    }

    /// Starts it again where a car's time runs and nobody waits for it, as after the computer was
    /// shut down. Says nothing: it is what `park add` has promised.
    static func revive(_ call: Invocation) {
        let now = SystemClock.utc()
        let records = (try? ParkingBook.read(call.place).records) ?? []
        guard records.contains(where: { $0.ends > now }) else { return }
        // Locked by whoever waits.
        guard let lock = try? lock(call, patience: .seconds(0)) else { return }
        close(lock)
        _ = start(call)
    }

    /// What a driver is told after `start`.
    static func hints(_ herald: Herald, _ record: ParkingRecord) -> [String] {
        switch herald {
        case .off: []
        case .desktop:
            [
                "A notice comes 15 minutes before the time is up, and at its end, while you are "
                    + "logged in here."
            ]
        case .nobody:
            [
                "No notice comes by itself: there is no desktop here. This waits in a terminal:",
                "  seatagent park remind",
            ]
        }
    }

    // MARK: Waiting

    /// Waits until no car's time runs. Throws `already-so` if another one waits for this profile,
    /// and `timeout`.
    mutating func run() throws(UserError) -> ExitCode {
        guard call.config.isOn(.notifyParking), settings.level != .off else {
            throw UserError(
                .usage, "reminders are off",
                why: settings.level == .off ? "notify is off" : "notify.parking is off",
                advice: "seatagent config unset "
                    + (settings.level == .off ? "notify" : "notify.parking"))
        }
        // The one before may be about to end.
        let lock = try Self.lock(call, patience: ChangeLock.patience)
        defer { close(lock) }
        records = try ParkingBook.read(call.place).records
        let end = call.deadline()
        let runner = NotifyRunner(settings, environment: call.session.environment)
        var hasSaid = false
        while true {
            let now = SystemClock.utc()
            for notice in reminder.due(records, at: now) {
                say(notice, now, runner)
                hasSaid = true
            }
            guard let next = reminder.next(records, after: now) else { break }
            if let end, SystemClock.now() >= end {
                throw UserError(.timeout, "no more reminders", why: "--timeout has passed")
            }
            wait(until: next, now, end)
            // While the list cannot be read, as in a locked profile, the last one counts.
            if let book = try? ParkingBook.read(call.place) { records = book.records }
        }
        if !hasSaid { call.say("No car's time runs.") }
        return .done
    }

    private static func lock(
        _ call: Invocation, patience: TimeSpan
    ) throws(UserError) -> Int32 {
        try PrivateFile.makeDirectory(call.place.dataDirectory)
        do throws(UserError) {
            return try ChangeLock.take(
                call.place.dataDirectory + "/park-remind.lock", patience, of: "your reminders",
                advice: "seatagent park")
        } catch {
            throw UserError(
                .alreadySo, "something reminds you already", why: error.why,
                advice: "seatagent park")
        }
    }

    private func wait(until next: UTCTime, _ now: UTCTime, _ end: Instant?) {
        let left = TimeSpan.seconds(min(next.seconds - now.seconds, 60) + 1)
        let step = left < Self.glance ? left : Self.glance
        let glance = SystemClock.now() + step
        _ = Polling.wait(for: [], until: end.map { min($0, glance) } ?? glance)
    }

    private func say(_ notice: ParkingReminder.Notice, _ now: UTCTime, _ runner: NotifyRunner) {
        _ = runner.carryOut([.desktop(title: "Parking", body: notice.text)])
        if call.json {
            let event: JSON = [
                "event": "parking", "number": .int(notice.number), "text": .string(notice.text),
                "at": .string(RFC3339.text(now)),
            ]
            call.session.console.out(event.line)
        } else {
            let hasBell = settings.bell && call.session.console.writesTerminal
            call.say((hasBell ? "\u{7}" : "") + visible(notice.text))
        }
    }
}
