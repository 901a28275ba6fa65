// SPDX-License-Identifier: Apache-2.0
/// Direct messages: an outbox on disk, honest marks, no message shown twice.
///
/// A message is on disk before it is sent, acknowledged only when the other side has it on disk,
/// sent again on every new link and after some time on the same one until then, and given up after
/// an hour, or after a day where it can be left at a meeting point.
package struct Outbox: Hashable, Sendable {
    /// Both directions, oldest first, at most ``Limits/messages``.
    package private(set) var messages: [DirectMessage]
    /// Deadlines of the ones that wait.
    private var deadlines: [ThreadID: Instant] = [:]
    /// When those that were sent and wait go out again.
    private var agains: [ThreadID: Again] = [:]
    /// How long a message waits.
    private let patience: TimeSpan

    /// Goes on with what was stored; what waits gets the time that the wall clock says is left.
    package init(
        _ stored: [DirectMessage], patience: TimeSpan = Limits.messageTime, at now: Moment
    ) {
        self.patience = patience
        messages = stored
        for message in stored where message.state == .waiting {
            let age = max(0, now.utc.seconds &- message.at.seconds)
            let left = max(0, patience.wholeSeconds - age)
            deadlines[message.id] = now.instant + .seconds(left)
        }
    }

    /// The next time, and how long it is from there to the one after that.
    private struct Again: Hashable, Sendable {
        var due: Instant
        var pause: TimeSpan

        /// A message was sent now.
        init(at now: Instant) {
            due = now + Limits.messageAgain
            pause = Limits.messageAgain + Limits.messageAgain
        }
    }

    /// What the outbox asks for.
    package struct Output: Hashable, Sendable {
        /// Rows that changed: to the store, and told to people.
        package var changed: [DirectMessage] = []
        /// Messages for the linked peer.
        package var sends: [Message] = []
        /// A message was not taken: its sender has no share left.
        package var isLeftOut = false
    }

    /// When the first message is given up, or goes out again.
    package var nextDeadline: Instant? {
        let again = agains.values.map(\.due).min()
        return deadlines.values.min().map { min($0, again ?? $0) } ?? again
    }

    /// How many wait for `peer`.
    package func waiting(for peer: PeerKey) -> Int {
        messages.count { $0.peer == peer && $0.state == .waiting }
    }

    /// Passengers for whom something waits; some may be named twice.
    package var waitingPeers: [PeerKey] {
        guard !deadlines.isEmpty else { return [] }
        return messages.filter { $0.state == .waiting }.map(\.peer)
    }

    /// A new message; sent at once when `linked`.
    package mutating func write(
        _ text: String, to peer: PeerKey, id: ThreadID, linked: Bool, at now: Moment
    ) -> Output {
        let message = DirectMessage(
            id: id, peer: peer, outgoing: true, text: text, at: now.utc, state: .waiting)
        keep(message)
        deadlines[id] = now.instant + patience
        if linked { agains[id] = Again(at: now.instant) }
        return Output(
            changed: [message], sends: linked ? [.directMessage(id: id, text: text)] : [])
    }

    /// A link to `peer` opened: everything that waits for them goes out again, in order.
    package mutating func resend(to peer: PeerKey, at now: Instant) -> [Message] {
        messages.filter { $0.peer == peer && $0.state == .waiting }.map { message in
            agains[message.id] = Again(at: now)
            return .directMessage(id: message.id, text: message.text)
        }
    }

    /// What went out some time ago and was not acknowledged, in order: there may have been no room
    /// for it, and be some now. Each time it takes twice as long until the next.
    package mutating func again(at now: Instant) -> [(peer: PeerKey, message: Message)] {
        guard agains.values.contains(where: { $0.due <= now }) else { return [] }
        return messages.compactMap { message in
            guard let again = agains[message.id], again.due <= now, message.outgoing else {
                return nil
            }
            agains[message.id]?.due = now + again.pause
            agains[message.id]?.pause = again.pause + again.pause
            return (message.peer, .directMessage(id: message.id, text: message.text))
        }
    }

    /// Messages that wait, as letters to their receivers (docs/meet.md section 4).
    func letters(at now: UTCTime) -> [(to: PeerKey, letter: Letter)] {
        guard !deadlines.isEmpty else { return [] }
        return messages.filter { $0.state == .waiting }.map { message in
            let until = UTCTime(seconds: message.at.seconds + patience.wholeSeconds)
            let body = Message.directMessage(id: message.id, text: message.text)
            return (to: message.peer, letter: Letter(.message(body), until: until))
        }
        .filter { $0.letter.until > now }
    }

    /// To whom something was written since then, the last one first, with repetitions.
    func correspondents(since then: UTCTime) -> [PeerKey] {
        messages.suffix(256).reversed().filter { $0.outgoing && $0.at > then }.map(\.peer)
    }

    /// A message came: kept once, acknowledged every time. What costs more than `room` is neither:
    /// its sender sees that it did not arrive.
    package mutating func receive(
        _ id: ThreadID, _ text: String, from peer: PeerKey, room: Int = .max, at now: Moment
    ) -> Output {
        var output = Output(sends: [.directAck(id: id)])
        let known = messages.contains { $0.id == id && $0.peer == peer && !$0.outgoing }
        if !known {
            guard DirectMessage.cost(text) <= room else { return Output(isLeftOut: true) }
            let message = DirectMessage(
                id: id, peer: peer, outgoing: false, text: text, at: now.utc, state: .received)
            keep(message)
            output.changed = [message]
        }
        return output
    }

    /// The other side has it on disk.
    package mutating func acknowledged(_ id: ThreadID, by peer: PeerKey) -> [DirectMessage] {
        change(id, to: .acknowledged) { $0.peer == peer }
    }

    /// Gives up what waited too long.
    package mutating func tick(at now: Instant) -> [DirectMessage] {
        let late = messages.filter { message in
            deadlines[message.id].map { $0 <= now } ?? false
        }
        return late.flatMap { change($0.id, to: .gaveUp) { _ in true } }
    }

    private mutating func change(
        _ id: ThreadID, to state: DirectMessage.State, where fits: (DirectMessage) -> Bool
    ) -> [DirectMessage] {
        let place = messages.firstIndex {
            $0.id == id && $0.outgoing && $0.state == .waiting && fits($0)
        }
        guard let place else { return [] }
        (deadlines[id], agains[id]) = (nil, nil)
        messages[place].state = state
        return [messages[place]]
    }

    private mutating func keep(_ message: DirectMessage) {
        messages.append(message)
        guard messages.count > Limits.messages else { return }
        // What waits is never dropped: the oldest of the others goes.
        if let oldest = messages.firstIndex(where: { $0.state != .waiting }) {
            messages.remove(at: oldest)
        }
    }
}
