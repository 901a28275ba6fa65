// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import System
import Text

/// What guests are called and where they sit, as their agents said last: for whoever says that they
/// were here before.
final class GuestNames {
    /// How old a name may be before it is asked for again.
    private static let fresh = TimeSpan.seconds(2)
    /// How long agents may take: with those that are slower, the name of before counts.
    private static let patience = TimeSpan.milliseconds(500)

    /// A guest as others know them.
    struct Known: Hashable {
        var name: String
        var seats: [String]
        var at: Instant?
    }

    private let loop: EventLoop
    private var known: [Int: Known] = [:]
    private var waiting: [() -> Void] = []
    /// Answers that are still to come in this round.
    private var left = 0
    private var round = 0
    private var end: TimerToken?

    init(loop: EventLoop) { self.loop = loop }

    /// A guest came in, or was found, who said this then.
    func add(_ number: Int, _ name: String, _ seats: [String]) {
        known[number] = Known(name: name, seats: seats, at: nil)
    }

    /// A guest has gone.
    func drop(_ number: Int) { known[number] = nil }

    /// What is known of a guest.
    subscript(number: Int) -> Known? { known[number] }

    /// Whether a guest has that name, in any case.
    func has(_ name: String) -> Bool { !named(name).isEmpty }

    private func named(_ name: String) -> [Int: Known] {
        let word = name.lowercased()
        return known.filter { $0.value.name.lowercased() == word }
    }

    /// The guest whose name and seat these are. Who `isBack` may have sat elsewhere, if nobody else
    /// has that name; in a venue nobody sits.
    func guest(_ name: String, _ seat: String?, isBack: Bool) -> Int? {
        let named = named(name)
        let seated = named.filter { one in seat.map(one.value.seats.contains) ?? false }
        let fitting = seated.isEmpty && isBack ? named : seated
        return fitting.count == 1 ? fitting.first?.key : nil
    }

    /// Asks the agents of guests for what may have changed, and goes on.
    func learn(_ links: [(number: Int, link: AgentLink)], then: @escaping () -> Void) {
        let now = loop.clock()
        let old = links.filter { number, link in
            link.isHere && (known[number]?.at.map { now - $0 > Self.fresh } ?? true)
        }
        guard !old.isEmpty || left > 0 else { return then() }
        waiting.append(then)
        guard left == 0 else { return }
        left = old.count
        round += 1
        let round = round
        end = loop.schedule(at: now + Self.patience) { [weak self] in
            self?.end = nil
            self?.goOn()
        }
        for (number, link) in old {
            link.ask(ControlCall(operation: .status, arguments: .object([:]))) { [weak self] said in
                self?.take(number, said, of: round)
            }
        }
    }

    private func take(_ number: Int, _ said: Result<JSON, UserError>, of round: Int) {
        if case .success(let status) = said, let me = status["me"], let name = me["name"]?.text {
            // In a venue, an agent says its name with the first line of its log.
            if !name.isEmpty { known[number]?.name = name }
            known[number]?.seats = me["seats"]?.list?.compactMap(\.text) ?? []
            known[number]?.at = loop.clock()
        }
        // One that comes late is of a round that has ended.
        guard round == self.round, left > 0 else { return }
        left -= 1
        if left == 0 { goOn() }
    }

    private func goOn() {
        left = 0
        if let end { loop.cancel(end) }
        end = nil
        let all = waiting
        waiting = []
        for then in all { then() }
    }
}
