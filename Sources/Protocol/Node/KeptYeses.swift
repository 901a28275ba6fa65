// SPDX-License-Identifier: Apache-2.0
/// Yeses of the user to requests of several that came to nothing because of others, for what takes
/// their place (docs/protocol.md section 16). Nothing of it is on disk, and nobody else sees it.
package struct KeptYeses: Hashable, Sendable {
    /// A yes that the user lets count again.
    package struct Yes: Hashable, Sendable {
        /// The request that they said it to.
        package let number: Int
        /// Whether more than a claim stood behind whoever votes last.
        package let wasKnown: Bool
        fileprivate let coordinator: PeerKey
        /// What they give and what they get, sorted.
        fileprivate let gives: [Slot]
        fileprivate let gets: [Slot]
        /// How many requests it may still count for.
        fileprivate let left: Int
        /// Up to when the request would have stood.
        fileprivate let stood: UTCTime
        /// When the request ended; `nil` while it stands.
        fileprivate var ended: UTCTime?
    }

    private var yeses: [Yes] = []
    /// Requests that stand by a yes that the user said to an earlier one.
    private var counted: [Counted] = []

    private struct Counted: Hashable, Sendable {
        let number: Int
        let earlier: Int
    }

    /// None.
    package init() {}

    /// Whether there is none.
    package var isEmpty: Bool { yeses.isEmpty }

    /// The number of the request the yes to which counted for that one.
    package func earlier(than number: Int) -> Int? {
        counted.last { $0.number == number }?.earlier
    }

    /// The number of the request for which the yes to that one counted.
    package func later(than number: Int) -> Int? {
        counted.last { $0.earlier == number }?.number
    }

    /// Whether the request of that number has ended, and the yes to it may count for another.
    package func isFree(_ number: Int, at now: UTCTime) -> Bool {
        yeses.contains { $0.number == number && $0.isFree(at: now) }
    }

    // MARK: What happened

    /// The user said yes to `record`, and lets that count for what takes its place.
    package mutating func said(_ record: SwapRecord, by me: PeerKey) {
        add(record, me, left: Limits.replacements)
    }

    private mutating func add(_ record: SwapRecord, _ me: PeerKey, left: Int) {
        drop(record.number)
        // A seat that somebody else claims too is taken knowingly once, and not again.
        guard record.role == .participant, record.stage == .ready, !record.override, left > 0,
            record.contract.parties.count > 2
        else { return }
        yeses.append(
            Yes(
                number: record.number, wasKnown: record.wasKnown,
                coordinator: record.contract.coordinator, gives: record.contract.slots(of: me),
                gets: record.contract.gains(of: me), left: left, stood: record.expires,
                ended: nil))
        if yeses.count > Limits.readyAtOnce { yeses.removeFirst() }
    }

    /// The yes of that request counts for no other.
    package mutating func drop(_ number: Int) { yeses.removeAll { $0.number == number } }

    /// The user said no to `record`, or would rather have something else: no yes counts again that
    /// gives what they would give there.
    package mutating func refuse(_ record: SwapRecord, by me: PeerKey) {
        let gives = record.contract.slots(of: me)
        yeses.removeAll { yes in
            yes.number == record.number || yes.gives.contains(where: gives.contains)
        }
    }

    /// The user said something else about their seats, or about people: none counts for another.
    package mutating func clear() { yeses = [] }

    /// `yes` counts for the request of that number, once.
    package mutating func use(_ yes: Yes, for number: Int) {
        drop(yes.number)
        counted.append(Counted(number: number, earlier: yes.number))
        if counted.count > Limits.requests { counted.removeFirst() }
    }

    /// The request of that number stands by `yes`, and may end like the one before it.
    package mutating func used(_ yes: Yes, for record: SwapRecord, by me: PeerKey) {
        add(record, me, left: yes.left - 1)
    }

    /// The yes counts for the request of that number no longer, or never did.
    package mutating func refused(_ number: Int) { counted.removeAll { $0.number == number } }

    /// Takes in what became of a request.
    package mutating func keep(_ notice: SwapNotice) {
        if !notice.record.stage.isPromised { refused(notice.record.number) }
        guard let index = yeses.firstIndex(where: { $0.number == notice.record.number }),
            yeses[index].ended == nil
        else { return }
        switch notice.what {
        case .requested, .ready, .binding: break
        case .withdrawn where notice.record.hasFailed || notice.record.lost != nil,
            .aborted(.refused):
            yeses[index].ended = notice.record.updated
        case .countered, .declined, .withdrawn, .expired, .lapsed, .committed, .final, .aborted,
            .stranded:
            yeses.remove(at: index)
        }
    }

    // MARK: What follows

    /// The yes that counts for `record` too, which waits for the user's answer; `nil` if none does.
    /// `records` are all negotiations of the user `me`.
    package func yes(
        for record: SwapRecord, among records: [SwapRecord], _ me: PeerKey, at now: UTCTime
    ) -> Yes? {
        guard record.role == .participant, record.stage == .invited, record.revision == 1,
            record.contract.parties.count > 2
        else { return nil }
        let slots = record.contract.slots(of: me)
        // What the user asks for or offers with that seat since then counts more.
        let isElsewhere = records.contains { other in
            other.number != record.number && other.offersBySelf
                && other.onTable.slots(of: me).contains(where: slots.contains)
        }
        guard !isElsewhere else { return nil }
        return yeses.first { yes in
            yes.isFree(at: now) && yes.ended.map { $0 <= record.created } ?? false
                && record.expires <= yes.stood
                && yes.coordinator == record.contract.coordinator && yes.gives == slots
                && yes.gets == record.contract.gains(of: me)
        }
    }
}

extension KeptYeses.Yes {
    /// Whether its request has ended, no longer ago than yeses are kept, and would still stand.
    fileprivate func isFree(at now: UTCTime) -> Bool {
        guard let ended, ended <= now, now < stood else { return false }
        return now.seconds &- ended.seconds < Limits.yesKept.wholeSeconds
    }
}

extension Contract {
    /// What `party` gets, sorted.
    fileprivate func gains(of party: PeerKey) -> [Slot] {
        legs.filter { $0.to == party }.map(\.slot).sorted()
    }
}

extension SwapRecord {
    /// Whether the user themselves asks or offers by it, and nothing is agreed yet.
    fileprivate var offersBySelf: Bool {
        switch stage {
        case .offered, .asking, .counterSent: true
        case .countered, .invited, .ready, .preparing, .prepared, .stranded, .committed, .aborted,
            .declined, .withdrawn, .expired, .requested, .agreed:
            false
        }
    }
}
