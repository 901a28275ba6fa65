// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// One broker that a group lives on, as one agent sees it (docs/meet.md section 5).
package struct MeetHome: Hashable, Sendable {
    /// Which broker.
    package let broker: MeetBroker

    private enum Link: Hashable {
        case down
        case connecting
        case up
    }

    private enum Kept: Hashable {
        case part(Int, count: Int)
        case card(version: Int)
    }

    enum Errand {
        case connect
        case disconnect
    }

    /// Until when it is visited, where it is a home of before the pool changed; `nil` for a home.
    var leavesAt: Instant?
    private var link = Link.down
    private var retryAt: Instant = .zero
    private var wait = TimeSpan.seconds(1)
    private var visitAt: Instant = .zero
    private var lookWait = Self.visit
    private var waiting: [Int: Kept] = [:]
    /// Since when it has not all of the own box.
    private var lacksSince: Instant?
    /// Under which topics of the own box something stood that this agent wrote.
    private var seen: Set<MeetTopic> = []
    /// What this broker said that it has: entries of each part, and which card.
    private var sent: [Int: Int] = [:]
    private var acknowledged: [Int: Int] = [:]
    private var sentCard = 0
    private var acknowledgedCard = 0
    /// What is read there.
    var reading = BoxReading()
    /// The day whose boxes, and those of days before, were read whole there last,
    private(set) var wasRead: MeetEpoch?
    /// and for which that is going on.
    var reads: MeetEpoch?
    /// Whether boxes are looked at behind the cards that are read.
    var looksBehind = false
    /// The epochs whose messages this broker sends by itself.
    var followed: [MeetEpoch] = []
    /// The epochs in which it sends frames of tunnels.
    var tunnelled: [MeetEpoch] = []
    /// The epochs in which it sends letters.
    var lettered: [MeetEpoch] = []
    /// What it has of the own letters.
    var mail = LaidMail()
    /// The own box is looked at before it is written to.
    var knowsOwnBox = false
    /// When the own box is written again after somebody changed it.
    var repairAt: Instant?
    private var repairWait = Self.firstRepair
    private var lastDamage: Instant?
    /// The hashes of what was left last under each topic of the own box, the newest one last.
    private var left: [MeetTopic: [UInt64]] = [:]
    /// What stands in own boxes of days that are over: it goes once all is stored in today's.
    private(set) var over: [MeetOver] = []
    /// Whether the last own entry is still to be said on this connection.
    var owesLast = false
    /// When a connection that was asked for is given up.
    private var connectsUntil: Instant?
    /// When this broker last said that it has all of the own box.
    package private(set) var storedAt: UTCTime?

    init(_ broker: MeetBroker) { self.broker = broker }

    /// Whether a connection is there.
    package var isUp: Bool { link == .up }
    /// Whether one was asked for.
    var isWanted: Bool { link != .down }

    // MARK: The connection

    /// Whether it is a home of before the pool changed.
    var isOld: Bool { leavesAt != nil }

    mutating func up(reading steps: [BoxReading.Step], at now: Instant) {
        link = .up
        owesLast = true
        forgetLink()
        reading.begin(steps, at: now)
        visitAt = now + Self.visit
        lookWait = Self.visit
    }

    /// Nothing is left to read.
    mutating func hasRead() {
        wasRead = reads ?? wasRead
        reads = nil
    }

    mutating func down(at now: Instant) {
        link = .down
        forgetLink()
    }

    /// What a broker was told on a connection that is gone may not have come.
    private mutating func forgetLink() {
        reading = BoxReading()
        (reads, looksBehind) = (nil, false)
        followed = []
        tunnelled = []
        lettered = []
        mail.forgetLink()
        knowsOwnBox = false
        waiting = [:]
        seen = []
        over = []
        // The box is read first on a new connection: what is missing is written at once.
        repairAt = nil
        sent = acknowledged
        sentCard = acknowledgedCard
    }

    /// The next visit of a second home is due so long after one.
    private static let visit = TimeSpan.seconds(900)
    private static let longestLook = TimeSpan.seconds(3600)
    /// Tries to connect are no further apart than this.
    private static let longestWait = TimeSpan.seconds(60)
    private static let firstRepair = TimeSpan.seconds(5)
    private static let longestRepair = TimeSpan.seconds(600)
    /// Damage that is so long ago does not count any more.
    private static let quiet = TimeSpan.seconds(1800)
    /// A program that does not say what became of a connection is not waited for longer.
    private static let patience = TimeSpan.seconds(120)
    /// Hashes that are remembered of one topic: older ones may still be on their way back.
    private static let remembered = 6

    /// Own changes are collected for so long before a second home is visited for them.
    private static let collects = TimeSpan.seconds(60)

    /// Whether a second home has a connection for a while: a visit is due, or it is not over.
    func isVisited(at now: Instant) -> Bool {
        // One that is connected for another reason is not being visited.
        let isVisit =
            isUp ? !(reading.isOver && waiting.isEmpty && !mail.isWaiting) : visitAt <= now
        return isVisit || changesDue.map { $0 <= now } ?? false
    }

    /// Whether a visit is over.
    var isVisitOver: Bool {
        isUp && reading.isOver && waiting.isEmpty && !mail.isWaiting && lacksSince == nil
    }

    /// Whether all was read so long ago that it is looked at again.
    func isDueForAnotherLook(at now: Instant) -> Bool { isUp && visitAt <= now }

    /// Looks again, and then after twice as long, up to an hour, unless somebody is there.
    mutating func looksAgain(at now: Instant) {
        lookWait = min(lookWait + lookWait, Self.longestLook)
        visitAt = now + lookWait
    }

    /// A card says that somebody is there: it is looked at as often as a second home is visited.
    mutating func isBusy(at now: Instant) {
        lookWait = Self.visit
        if isUp { visitAt = min(visitAt, now + Self.visit) }
    }

    /// Whether a visit is due for some time and does not come about.
    func isMissing(at now: Instant) -> Bool { !isUp && visitAt + Self.collects <= now }

    private var changesDue: Instant? {
        lacksSince.map { storedAt == nil ? $0 : $0 + Self.collects }
    }

    /// Notes since when something is missing here.
    mutating func compare(with own: OwnRecords, hasMail: Bool, at now: Instant) {
        let isWhole = isStored(own) && hasMail
        lacksSince = isWhole || own.cardVersion == 0 ? nil : lacksSince ?? now
        // A broker that hangs up after each greeting is asked less and less often.
        if isUp, reading.isOver { wait = .seconds(1) }
        if link == .connecting, let due = connectsUntil, due <= now { down(at: now) }
    }

    mutating func attend(
        isNeeded: Bool, at now: Instant, random: inout SeededRandom
    ) -> Errand? {
        switch link {
        case .down where isNeeded && retryAt <= now:
            link = .connecting
            connectsUntil = now + Self.patience
            // Up to twice the wait: agents that lost one broker do not come back at once.
            let jitter = Int64(random.next() % UInt64(wait.nanoseconds))
            retryAt = now + wait + TimeSpan(nanoseconds: jitter)
            // One that left the pool may be gone for good.
            wait = min(wait + wait, isOld ? Self.visit : Self.longestWait)
            return .connect
        case .up where !isNeeded:
            link = .down
            forgetLink()
            return .disconnect
        case .down, .connecting, .up: return nil
        }
    }

    func nextDeadline(isLasting: Bool, isOnly: Bool) -> Instant? {
        [leavesAt, nextStep(isLasting: isLasting, isOnly: isOnly)].compactMap(\.self).min()
    }

    private func nextStep(isLasting: Bool, isOnly: Bool) -> Instant? {
        switch link {
        case .down:
            isLasting ? retryAt : max(retryAt, min(visitAt, changesDue ?? visitAt))
        case .connecting: connectsUntil
        case .up:
            [reading.nextDeadline, repairAt, isOnly ? visitAt : nil].compactMap(\.self).min()
        }
    }

    // MARK: The own box

    /// Whether it said that it has the whole own box.
    package func isStored(_ own: OwnRecords) -> Bool {
        acknowledgedCard == own.cardVersion && own.cardVersion > 0
            && own.parts.indices.allSatisfy { acknowledged[$0] == own.parts[$0].count }
    }

    func lacks(part: Int, count: Int) -> Bool { sent[part] != count }
    func lacks(card version: Int) -> Bool { sentCard != version }

    mutating func sends(part: Int, count: Int, as token: Int) {
        sent[part] = count
        waiting[token] = .part(part, count: count)
    }

    mutating func sends(card version: Int, as token: Int) {
        sentCard = version
        waiting[token] = .card(version: version)
    }

    /// Whether it was waited for.
    mutating func stored(_ token: Int, at now: Moment) -> Bool {
        if mail.stored(token) { return true }
        switch waiting.removeValue(forKey: token) {
        case .part(let part, let count): acknowledged[part] = count
        case .card(let version):
            acknowledgedCard = version
            storedAt = now.utc
        case nil: return false
        }
        return true
    }

    /// A broker refused a message, or to keep it: it is written again later.
    mutating func refused(_ token: Int, at now: Instant) {
        mail.refused(token)
        guard waiting.removeValue(forKey: token) != nil else { return }
        damaged(at: now)
    }

    /// Whether a filter that was read stays: the own inbox of this epoch.
    func isFollowed(_ step: BoxReading.Step) -> Bool {
        guard case .letters = step.filter else { return step.stays }
        return lettered.contains(step.epoch)
    }

    // MARK: What stands there

    /// Notes what is left under a topic now.
    mutating func leaves(_ hash: UInt64, under topic: MeetTopic) {
        left[topic, default: []].append(hash)
        if left[topic, default: []].count > Self.remembered { left[topic]?.removeFirst() }
    }

    /// Whether it is what this agent left last under a topic; an older one was put back.
    func isNewest(_ hash: UInt64, under topic: MeetTopic) -> Bool { left[topic]?.last == hash }

    /// Whether it may be on its way back from a message that a newer one follows.
    func isEcho(_ hash: UInt64, under topic: MeetTopic) -> Bool {
        !waiting.isEmpty && left[topic]?.contains(hash) == true
    }

    /// What stands under a topic of the own box is what this agent left last, or something else.
    mutating func saw(_ topic: MeetTopic, isOurs: Bool) {
        if isOurs { seen.insert(topic) } else { seen.remove(topic) }
    }

    /// Something stands in the own box of a day that is over.
    mutating func found(_ topic: MeetTopic, of epoch: MeetEpoch) {
        let over = MeetOver(topic: topic, epoch: epoch)
        if !self.over.contains(over) { self.over.append(over) }
    }

    /// What is to be cleared now.
    mutating func takeOver() -> [MeetOver] {
        defer { over = [] }
        return over
    }

    /// The own box was read on a new connection: what did not stand there is written again.
    mutating func readOwnBox() {
        guard !knowsOwnBox else { return }
        knowsOwnBox = true
        let numbers = Set(
            seen.compactMap { if case .part(_, let number) = $0 { number } else { nil } })
        sent = sent.filter { numbers.contains($0.key) }
        let hasCard = seen.contains { if case .card = $0 { true } else { false } }
        acknowledged = sent
        if !hasCard { (sentCard, acknowledgedCard) = (0, 0) }
        seen = []
    }

    /// Somebody changed the own box, or a broker lost it: it is written again after 5 s, 10 s ...
    /// 10 minutes.
    mutating func damaged(at now: Instant) {
        guard repairAt == nil else { return }
        if let last = lastDamage, last + Self.quiet <= now { repairWait = Self.firstRepair }
        lastDamage = now
        repairAt = now + repairWait
        repairWait = min(repairWait + repairWait, Self.longestRepair)
    }

    /// Everything is written again.
    mutating func repair() {
        repairAt = nil
        forgetBox()
    }

    /// The broker has nothing of the own box, as at the start of an epoch.
    mutating func forgetBox() {
        waiting = [:]
        sent = [:]
        acknowledged = [:]
        sentCard = 0
        acknowledgedCard = 0
    }
}

/// Something that stands in an own box of a day that is over.
struct MeetOver: Hashable, Sendable {
    let topic: MeetTopic
    let epoch: MeetEpoch
}
