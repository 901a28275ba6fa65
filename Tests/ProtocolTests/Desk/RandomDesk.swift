// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit

@testable import Protocol

/// A desk at which anything may happen: asks of members and strangers, words of its people, starts,
/// links that come and go, swaps, stays. All of it from one seed.
struct RandomDesk {
    var played: PlayedDesk
    /// Every ask that was ever sent.
    private(set) var asks: [DeskAsk] = []
    private(set) var random: SeededRandom
    private let people: [FakeSigner]
    private var stays: [(PeerKey, Stay)] = []
    private var tenures: [DeskTenure] = []
    private var nonce: UInt64 = 0

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        let isPaid = seed % 2 == 0
        played = try PlayedDesk {
            $0.together = seed % 3 == 0 ? 1 : nil
            $0.arrive = seed % 4 == 0 ? nil : 15
            $0.notice = seed % 5 == 0 ? 90 : 0
            if isPaid {
                $0.prices = [nil, .hour(300), .hour(900)]
                $0.currency = "EUR"
                $0.payBy = seed % 4 == 0 ? -30 : 200
            }
        }
        played.admit()
        people =
            [DeskHall.ada, DeskHall.bo, DeskHall.cy, DeskHall.dee]
            + (0..<3).map { FakeSigner(UInt8(120 + $0)) }
    }

    mutating func below(_ bound: Int) -> Int {
        Int.random(in: 0..<max(bound, 1), using: &random)
    }

    /// Something happens.
    mutating func step() {
        switch below(20) {
        case 0..<9: send((0..<(1 + below(4))).compactMap { _ in ask() })
        case 9...11: played.pass(minutes: below(90))
        case 12: played.pass(seconds: below(20))
        case 13: staff()
        case 14: link()
        case 15: stay()
        case 16: swap()
        case 17: send(asks.suffix(20).filter { _ in below(3) == 0 })
        default: intent()
        }
    }

    mutating func send(_ list: [DeskAsk]) {
        asks += list.filter { ask in !asks.contains { $0.id == ask.id } }
        played.send(.asks(list))
    }

    // MARK: Asks

    /// Somebody's next ask.
    mutating func ask() -> DeskAsk? {
        nonce += 1
        let who = people[below(people.count)]
        return played.ask(who, wish(who), nonce, lasts: 30 + below(3000))
    }

    private mutating func wish(_ who: FakeSigner) -> BookingAsk.Wish {
        let day = (played.now.utc.seconds - 946_684_800) / 86_400 - Int64(DeskHall.first)
        let place = [1, 1, 2, 3, 5, 6, 7][below(7)]
        let period = DeskHall.period(
            Int(day) + below(2), place == 5 ? 0 : 7 + below(16),
            place == 5 ? 1440 : 60 * (1 + below(2)))
        let live = played.whole.mints.filter { $0.end == nil }
        guard let period else { return .withdraw(.zero) }
        switch below(10) {
        case 0..<6:
            return .book(
                place: place, period: period, count: 1 + below(8) / 7, waits: below(3) > 0,
                tag: nil, note: "")
        case 6 where !asks.isEmpty: return .withdraw(asks[below(asks.count)].id)
        case 7 where !live.isEmpty:
            let mint = live[below(live.count)]
            return .giveBack(
                slot(mint), to: below(2) == 0 ? nil : people[below(people.count)].key)
        case 8 where !live.isEmpty:
            return .move(slot(live[below(live.count)]), place: place, period: period)
        default:
            let mine = live.filter { $0.grant.holder == who.key }
            guard let mint = mine.last else { return .withdraw(.zero) }
            return .giveBack(slot(mint), to: nil)
        }
    }

    private func slot(_ mint: Mint) -> Slot {
        tenures.last { $0.slot.token == mint.token }?.slot ?? mint.slot
    }

    // MARK: The rest

    private mutating func staff() {
        let live = played.whole.mints.filter { $0.end == nil }
        guard let token = live.isEmpty ? nil : live[below(live.count)].token else { return }
        switch below(6) {
        case 0: played.want(.close(token, .desk, spent: below(2) == 0))
        case 1: played.want(.paid(token, amount: 100 * below(9), means: below(8)))
        case 2: played.want(.visit(token, .arrived))
        case 3: played.want(.late(token, minutes: 1 + below(200)))
        case 4: played.want(.settle([DeskTransfer(token, to: people[below(7)].key)]))
        default: played.want(.move(number: 1 + below(4), to: people[below(7)].key))
        }
    }

    private mutating func intent() {
        let requests = played.desk.requests
        switch below(6) {
        case 0: played.want(.away)
        case 1, 2: played.want(.open(restored: false, random: played.bytes()))
        case 3 where !requests.isEmpty:
            played.want(.grant(ask: requests[below(requests.count)].ask.id))
        case 4 where !requests.isEmpty:
            played.want(.refuse(ask: requests[below(requests.count)].ask.id))
        default:
            let number = 1 + below(6)
            played.want(.member(number: number, class: 1, key: people[below(7)].key))
        }
    }

    private mutating func link() {
        played.send(.linked(false, random: played.bytes()))
        played.pass(seconds: below(100))
        played.send(.linked(true, random: played.bytes()))
    }

    private mutating func stay() {
        let who = people[below(people.count)].key
        guard let stay = Stay(place: [1, 2, 3, 6][below(4)], since: played.now.utc) else { return }
        stays.append((who, stay))
        played.send(.stay(who, stay))
    }

    /// As if contracts moved a booking, or a yes bound it.
    private mutating func swap() {
        let live = played.whole.mints.filter { $0.end == nil }
        guard !live.isEmpty else { return }
        let mint = live[below(live.count)]
        tenures.removeAll { $0.slot.token == mint.token }
        let isMoved = below(2) == 0
        tenures.append(
            DeskTenure(
                slot: isMoved ? Slot(token: mint.token, producer: Producer(.zero)) : mint.slot,
                holder: isMoved ? people[below(7)].key : mint.grant.holder, isBound: !isMoved))
        played.send(.tenures(tenures))
    }

    /// The desk starts again, and everybody tells it again what they said.
    mutating func restart() {
        played.restart()
        played.send(.tenures(tenures))
        for (who, stay) in stays { played.send(.stay(who, stay)) }
        played.open()
        tellAgain()
    }

    /// Those whose asks have no answer that ends them ask again.
    mutating func tellAgain() {
        let open = asks.filter { ask in
            switch played.fates[ask.id] {
            case .granted, .closed, .refused: false
            case .waits, nil: true
            }
        }
        played.send(.asks(open))
    }

    /// Asks of which nobody heard anything, without those whose time is over.
    var unanswered: [DeskAsk] {
        asks.filter { played.fates[$0.id] == nil && $0.ask.until > played.now.utc }
    }

    /// What the next event would bring is lost with the program; then it starts again.
    mutating func die() {
        let list = (0..<(1 + below(4))).compactMap { _ in ask() }
        asks += list
        played.send(.asks(list), dies: true)
        restart()
    }
}

extension DeskRecords {
    /// What two readers of one ledger have to agree on.
    var summary: [String] {
        let counts = counts.map { "\($0.key) \($0.value)" }.sorted()
        let granted = granted.map { "\($0.key.hex) \($0.value.seconds)" }.sorted()
        let paid = granted.isEmpty ? [] : live.map { "\(money(for: $0))" }
        let order = waiting.sorted { $0.value < $1.value }.map(\.key.hex)
        return counts + granted + paid + order + visited.map(\.hex).sorted()
            + settled.map(\.hex).sorted()
    }
}
