// SPDX-License-Identifier: Apache-2.0
/// All negotiations, sorted by number, each with the values that are read often. Strangers may fill
/// the list, and copying a negotiation costs more than judging a message.
struct SwapTable: Hashable, Sendable, RandomAccessCollection {
    /// The values that are read without copying the negotiation.
    struct Line: Sendable {
        let number: Int
        let thread: ThreadID
        let contract: ContractID
        let parties: [PeerKey]
        /// The legs on the table: those of the counter-offer, where there is one.
        let legs: [Leg]
        let asker: PeerKey
        let isIncoming: Bool
        /// The user said no to another's request, without a word to anybody.
        let isDeclinedQuietly: Bool
        let stage: SwapRecord.Stage
        let created: Int64
        let updated: Int64
        let expires: Int64
        let deadline: Instant?

        init(_ thread: Swaps.Thread, _ me: PeerKey) {
            let record = thread.record
            number = record.number
            self.thread = record.thread
            contract = record.contract.id
            parties = record.contract.parties
            legs = record.onTable.legs
            asker = record.asker(me)
            isIncoming = record.role.isIncoming
            stage = record.stage
            created = record.created.seconds
            updated = record.updated.seconds
            expires = record.expires.seconds
            isDeclinedQuietly = stage == .declined && isIncoming && record.ending.isEmpty
            deadline = thread.nextDeadline
        }

        /// This user asked or wants something else instead, and is not answered.
        var isOwnOffer: Bool {
            switch stage {
            case .offered, .countered, .asking, .counterSent: true
            case .invited, .requested, .ready, .agreed, .preparing, .prepared, .stranded,
                .committed, .aborted, .declined, .withdrawn, .expired:
                false
            }
        }

        /// The user wants something else of whoever asked, or took what those offered instead.
        var isOwnCounter: Bool { isIncoming && stage == .offered || stage == .counterSent }

        /// Another asks, and it may still come to something.
        var isOpenRequest: Bool { isIncoming && !stage.isOver }

        /// Another asks, and this user said nothing to it.
        var isUnanswered: Bool {
            switch stage {
            case .invited, .requested: isIncoming
            case .offered, .countered, .counterSent, .ready, .preparing, .prepared, .stranded,
                .committed, .aborted, .declined, .withdrawn, .expired, .asking, .agreed:
                false
            }
        }
    }

    private let me: PeerKey
    private var threads: [Swaps.Thread]
    private(set) var lines: [Line]

    init(_ threads: [Swaps.Thread], me: PeerKey) {
        self.me = me
        self.threads = threads
        lines = threads.map { Line($0, me) }
    }

    static func == (left: Self, right: Self) -> Bool { left.threads == right.threads }

    func hash(into hasher: inout Hasher) { hasher.combine(threads) }

    var startIndex: Int { 0 }
    var endIndex: Int { threads.count }

    subscript(index: Int) -> Swaps.Thread {
        get { threads[index] }
        set {
            threads[index] = newValue
            lines[index] = Line(newValue, me)
        }
    }

    mutating func append(_ thread: Swaps.Thread) {
        threads.append(thread)
        lines.append(Line(thread, me))
    }

    mutating func remove(at index: Int) {
        threads.remove(at: index)
        lines.remove(at: index)
    }

    /// Where the negotiation of a thread stands.
    func index(of thread: ThreadID) -> Int? {
        lines.indices.first { lines[$0].thread == thread }
    }

    /// Where the negotiation on a contract stands.
    func index(of contract: ContractID) -> Int? {
        lines.indices.first { lines[$0].contract == contract }
    }

    /// Own requests that may still come to something.
    var ownOpen: Int {
        lines.indices.count { !lines[$0].isIncoming && !lines[$0].stage.isOver }
    }

    /// Requests of `peer`: open ones, and those since then that did not become swaps.
    func requests(of peer: PeerKey, since: Int64) -> (open: Int, recent: Int) {
        var (open, recent) = (0, 0)
        for index in lines.indices where lines[index].asker == peer && lines[index].isIncoming {
            if !lines[index].stage.isOver { open += 1 }
            if lines[index].created > since, lines[index].stage != .committed { recent += 1 }
        }
        return (open, recent)
    }
}
