// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Glibc
package import Profile
package import Protocol
package import System
package import Text
import Web

/// The guests of a host: who wants to come in, whose agent is started, and who is there. A guest's
/// agent is an ordinary one, in a profile of its own below the host's (docs/page.md section 5).
package final class GuestHouse {
    /// How far somebody is who wants to come in.
    package enum Stage: Hashable {
        /// The host is asked.
        case waits
        /// Their agent starts.
        case starts
        /// It runs, under that number.
        case here(Int)
        /// It came to nothing.
        case refused(UserError)
    }

    /// Agents that start at the same time: each makes its keys, which takes memory.
    private static let startsAtOnce = 2
    /// People who wait for the host's answer.
    private static let waitingAtMost = 20
    /// How long a start may take.
    private static let patience = TimeSpan.seconds(40)

    private struct Join {
        let number: Int
        let wish: GuestWish
        var stage: Stage
    }

    private struct Start {
        let pid: pid_t
        let number: Int
        let until: Instant
    }

    private let host: ProfilePlace
    /// The options of the host's agent, but for seat, name and port.
    private let options: [String: JSON]
    private let program: String
    private let loop: EventLoop
    private let isOpen: Bool
    private var limits: JoinLimits<Address.Host>
    private var joins: [Bytes32: Join] = [:]
    private var queue: [Int] = []
    private var starts: [Start] = []
    private var isLooking = false
    /// Called with the key of a page and the number of the agent that has started for it. Throws if
    /// that cannot be kept.
    package var onGuest: (Bytes32, Int) throws(UserError) -> Void = { _, _ in }
    /// Called when a guest waits for the host's word.
    package var onAsk: () -> Void = {}
    /// Those who wait, the first one first.
    package private(set) var waiting: [(key: Bytes32, wish: GuestWish)] = []

    /// The guests of `host`, whose agents `program` starts with `options`. In an open house nobody
    /// is asked.
    package init(
        _ host: ProfilePlace, options: [String: JSON], program: String, isOpen: Bool,
        joinsInMinute: Int, loop: EventLoop
    ) {
        self.host = host
        self.options = options
        self.program = program
        self.isOpen = isOpen
        self.loop = loop
        limits = JoinLimits(most: ProfilePlace.guestNumbers.count, perMinute: joinsInMinute)
    }

    // MARK: Who is there

    /// The numbers of guests whose files are here.
    package var numbers: [Int] { ProfilePlace.guestNumbers.filter { isHere($0) } }

    /// Whether a guest has files here: `seatagent host remove` takes them away.
    package func isHere(_ number: Int) -> Bool {
        (try? host.guest(number)).map { Folder.isThere($0.dataDirectory) } ?? false
    }

    /// Where the agent of a guest answers; `nil` if there is no such guest.
    package func place(of number: Int) -> ProfilePlace? {
        isHere(number) ? try? host.guest(number) : nil
    }

    /// Starts the agent of a guest again, after a crash or a start of the computer.
    package func restart(_ number: Int) {
        guard isHere(number), !queue.contains(number),
            !starts.contains(where: { $0.number == number })
        else { return }
        queue.append(number)
        startNext()
    }

    /// Removes what is kept of a guest whose agent has ended.
    package func remove(_ number: Int) {
        guard let place = try? host.guest(number) else { return }
        Folder.remove(place.dataDirectory)
        Folder.remove(place.stateDirectory)
        limits.leave(number)
        joins = joins.filter { $0.value.number != number }
    }

    // MARK: Coming in

    /// What somebody said who came in since this start.
    package func wish(of key: Bytes32) -> GuestWish? { joins[key]?.wish }

    /// How far the join of a page is; begins it if it is new. A refusal is told once.
    package func join(_ key: Bytes32, _ wish: GuestWish, from: Address.Host?) -> Stage {
        if let join = joins[key] {
            if case .refused = join.stage { forget(key) }
            return join.stage
        }
        let taken = Set(numbers + joins.values.map(\.number))
        let free = ProfilePlace.guestNumbers.first { !taken.contains($0) }
        guard let number = free, waiting.count < Self.waitingAtMost else {
            return .refused(Self.words(for: .full))
        }
        if let refusal = limits.take(number, from: from, besides: taken.count, at: loop.now) {
            return .refused(Self.words(for: refusal))
        }
        forgetRefusals()
        joins[key] = Join(number: number, wish: wish, stage: isOpen ? .starts : .waits)
        if isOpen {
            begin(key)
        } else {
            waiting.append((key, wish))
            onAsk()
        }
        return joins[key]?.stage ?? .waits
    }

    /// The host's answer to the first who waits.
    package func answer(_ isWelcome: Bool) {
        guard !waiting.isEmpty else { return }
        let key = waiting.removeFirst().key
        if isWelcome {
            begin(key)
        } else {
            refuse(key, UserError(.declined, "the host said no"))
        }
        if !waiting.isEmpty { onAsk() }
    }

    private func forget(_ key: Bytes32) {
        guard let join = joins.removeValue(forKey: key) else { return }
        limits.leave(join.number)
    }

    /// Refusals that are kept, so that a page hears of its own.
    private static let refusalsAtMost = 200

    private func forgetRefusals() {
        guard joins.count > Self.refusalsAtMost else { return }
        joins = joins.filter { if case .refused = $0.value.stage { false } else { true } }
    }

    private func refuse(_ key: Bytes32, _ error: UserError) {
        guard let join = joins[key] else { return }
        limits.leave(join.number)
        joins[key]?.stage = .refused(error)
    }

    /// Writes what the guest's agent starts with, and starts it.
    private func begin(_ key: Bytes32) {
        guard let join = joins[key] else { return }
        do throws(UserError) {
            let place = try host.guest(join.number)
            try PrivateFile.makeDirectory(place.dataDirectory)
            try PrivateFile.makeDirectory(place.stateDirectory)
            var all = options
            all["seat"] = [.string(join.wish.seat)]
            all["name"] = [.string(join.wish.name)]
            all["port"] = [.string(String(ProfilePlace.port(ofGuest: join.number)))]
            let json: JSON = [
                "at": .string(RFC3339.text(SystemClock.utc())), "options": .object(all),
            ]
            try PrivateFile.write(Array((json.line + "\n").utf8), to: place.optionsPath)
            joins[key]?.stage = .starts
            queue.append(join.number)
            startNext()
        } catch {
            remove(join.number)
            joins[key] = Join(number: join.number, wish: join.wish, stage: .refused(error))
        }
    }

    private static func words(for refusal: JoinLimits<Address.Host>.Refusal) -> UserError {
        switch refusal {
        case .full:
            UserError(
                .notAllowedNow, "all places of this host are taken", why: "40 guests are here")
        case .address:
            UserError(.notAllowedNow, "two guests have come from this phone already")
        case .rate:
            UserError(.notAllowedNow, "many come at once", why: "wait a minute and try again")
        }
    }

    // MARK: Starting agents

    private func startNext() {
        while starts.count < Self.startsAtOnce, !queue.isEmpty {
            let number = queue.removeFirst()
            guard let place = place(of: number) else { continue }
            var child = ChildProcess(
                path: program,
                arguments: [
                    "seatagent", "up", "--profile", "guest-\(number)", "--json", "--no-input",
                ],
                input: .nowhere, output: .log(Self.answerPath(place)), errors: .nowhere)
            // A line of an earlier start would be read as this one's.
            unlink(Self.answerPath(place))
            child.environment =
                ProcessEnvironment.variables()
                .merging(host.variables(ofGuest: number)) { $1 }.map { "\($0.key)=\($0.value)" }
            child.group = .session
            do throws(SystemError) {
                let until = loop.clock() + Self.patience
                starts.append(Start(pid: try child.start(), number: number, until: until))
            } catch {
                ended(number, UserError(.noStart, "the agent cannot be started", why: "\(error)"))
            }
        }
        lookLater()
    }

    private static func answerPath(_ place: ProfilePlace) -> String {
        place.stateDirectory + "/start.json"
    }

    private func lookLater() {
        guard !starts.isEmpty, !isLooking else { return }
        isLooking = true
        loop.schedule(at: loop.clock() + .milliseconds(100)) { [weak self] in
            self?.isLooking = false
            self?.look()
        }
    }

    /// Which starts are over.
    private func look() {
        let now = loop.clock()
        var going: [Start] = []
        for start in starts {
            var status: Int32 = 0
            if now > start.until { kill(start.pid, SIGKILL) }
            if waitpid(start.pid, &status, WNOHANG) == 0 {
                going.append(start)
            } else {
                ended(start.number, status == 0 ? nil : reason(start.number))
            }
        }
        starts = going
        startNext()
    }

    private func reason(_ number: Int) -> UserError {
        let unknown = UserError(.noStart, "the agent did not start")
        guard let place = place(of: number),
            let said = try? PrivateFile.read(Self.answerPath(place), limit: 1 << 16),
            let error = try? JSON(line: said.prefix { $0 != 10 })["error"]
        else { return unknown }
        var told = UserError(json: error)
        // A command line helps nobody who has a phone.
        told.advice = nil
        return told
    }

    private func ended(_ number: Int, _ error: UserError?) {
        guard
            let (key, _) = joins.first(where: {
                $0.value.number == number && $0.value.stage == .starts
            })
        else { return }
        do throws(UserError) {
            if let error { throw error }
            try onGuest(key, number)
            joins[key]?.stage = .here(number)
        } catch {
            let wish = joins[key]?.wish
            remove(number)
            if let wish { joins[key] = Join(number: number, wish: wish, stage: .refused(error)) }
        }
    }
}
