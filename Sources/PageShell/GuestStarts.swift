// SPDX-License-Identifier: Apache-2.0
import Glibc
import Profile
import Protocol
import System
import Text

/// Starts the agents of guests, as `up` does, a few at a time: each makes its keys, which takes
/// memory.
final class GuestStarts {
    private static let atOnce = 2
    /// How long a start may take.
    private static let patience = TimeSpan.seconds(40)

    private struct Start {
        let pid: pid_t
        let number: Int
        let until: Instant
    }

    private let shelf: GuestShelf
    private let program: String
    private let loop: EventLoop
    private var queue: [Int] = []
    private var going: [Start] = []
    private var isLooking = false
    /// Called when a start is over; `nil` where the agent runs.
    var onEnd: (Int, UserError?) -> Void = { _, _ in }

    /// Starts with the command at `program`.
    init(_ shelf: GuestShelf, program: String, loop: EventLoop) {
        self.shelf = shelf
        self.program = program
        self.loop = loop
    }

    /// Whether the agent of a guest is about to start.
    func isGoing(_ number: Int) -> Bool {
        queue.contains(number) || going.contains { $0.number == number }
    }

    /// Starts the agent of a guest with its options, soon.
    func start(_ number: Int) {
        guard !isGoing(number) else { return }
        queue.append(number)
        next()
    }

    /// Starts no more, and waits for those that go on: none may come up behind the server's back.
    func finish() {
        queue.removeAll()
        for start in going {
            while waitpid(start.pid, nil, WNOHANG) == 0, loop.clock() < start.until {
                usleep(50_000)
            }
        }
        going.removeAll()
    }

    private func next() {
        while going.count < Self.atOnce, !queue.isEmpty {
            let number = queue.removeFirst()
            guard let place = shelf.place(of: number) else {
                onEnd(number, UserError(.noStart, "there is no such guest"))
                continue
            }
            var child = ChildProcess(
                path: program,
                arguments: [
                    "seatagent", "up", "--profile", "guest-\(number)", "--json", "--no-input",
                ],
                input: .nowhere, output: .log(Self.answerPath(place)), errors: .nowhere)
            // A line of an earlier start would be read as this one's.
            unlink(Self.answerPath(place))
            child.environment = ProcessEnvironment.variables()
                .merging(shelf.variables(of: number)) { $1 }.map { "\($0.key)=\($0.value)" }
            child.group = .session
            do throws(SystemError) {
                let until = loop.clock() + Self.patience
                going.append(Start(pid: try child.start(), number: number, until: until))
            } catch {
                onEnd(number, UserError(.noStart, "the agent cannot be started", why: "\(error)"))
            }
        }
        lookLater()
    }

    private static func answerPath(_ place: ProfilePlace) -> String {
        place.stateDirectory + "/start.json"
    }

    private func lookLater() {
        guard !going.isEmpty, !isLooking else { return }
        isLooking = true
        loop.schedule(at: loop.clock() + .milliseconds(100)) { [weak self] in
            self?.isLooking = false
            self?.look()
        }
    }

    /// Which starts are over.
    private func look() {
        let now = loop.clock()
        let all = going
        going = []
        var ended: [(Int, Int32)] = []
        for start in all {
            var status: Int32 = 0
            if now > start.until { kill(start.pid, SIGKILL) }
            if waitpid(start.pid, &status, WNOHANG) == 0 {
                going.append(start)
            } else {
                ended.append((start.number, status))
            }
        }
        for (number, status) in ended { onEnd(number, status == 0 ? nil : reason(number)) }
        next()
    }

    private func reason(_ number: Int) -> UserError {
        let unknown = UserError(.noStart, "the agent did not start")
        guard let place = shelf.place(of: number),
            let said = try? PrivateFile.read(Self.answerPath(place), limit: 1 << 16),
            let error = try? JSON(line: said.prefix { $0 != 10 })["error"]
        else { return unknown }
        var told = UserError(json: error)
        // A command line helps nobody who has a phone.
        told.advice = nil
        return told
    }
}
