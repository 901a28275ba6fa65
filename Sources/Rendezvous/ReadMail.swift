// SPDX-License-Identifier: Apache-2.0
import Protocol

/// Letters that came to the own inbox (docs/meet.md section 4).
struct ReadMail: Hashable, Sendable {
    /// Where the newest letters of a sender lay.
    private struct Newest: Hashable {
        let made: UTCTime
        let lane: MeetBox
        let epoch: MeetEpoch
    }

    /// Letters of somebody whose card was not read yet.
    private struct Early: Hashable {
        let letters: MeetLetters
        let lane: MeetBox
        let epoch: MeetEpoch
    }

    private var newest: [PeerKey: Newest] = [:]
    private var early: [Early] = []
    private var lanes: [MeetEpoch: Set<MeetBox>] = [:]
    private var bucket: TokenBucket
    /// Until when no letters are wanted.
    private(set) var restsUntil: Instant?

    private static let rest = TimeSpan.seconds(60)

    init(at now: Instant) { bucket = TokenBucket(perSecond: 10, burst: 256, at: now) }

    /// Whether one more message is looked at. After one too many none is for a minute.
    mutating func takes(at now: Instant) -> Bool {
        guard restsUntil == nil else { return false }
        guard bucket.left(at: now) > 0 else {
            restsUntil = now + Self.rest
            return false
        }
        _ = bucket.take(1, at: now)
        return true
    }

    /// Whether a rest is over now.
    mutating func wakes(at now: Instant) -> Bool {
        guard let until = restsUntil, until <= now else { return false }
        restsUntil = nil
        return true
    }

    /// Whether these are the newest of their sender.
    mutating func wants(_ letters: MeetLetters, in lane: MeetBox, of epoch: MeetEpoch) -> Bool {
        if let last = newest[letters.sender], last.made >= letters.made {
            // The same, left again in the boxes of the next day.
            if last.made == letters.made, last.epoch < epoch {
                newest[letters.sender] = Newest(made: last.made, lane: lane, epoch: epoch)
            }
            return false
        }
        return true
    }

    /// Whether a lane of somebody who left a card is one too many of its day.
    mutating func admits(_ lane: MeetBox, of epoch: MeetEpoch) -> Bool {
        lanes = lanes.filter { epoch.number - min(epoch.number, $0.key.number) <= 4 }
        var known = lanes[epoch] ?? []
        guard known.contains(lane) || known.count < MeetLimits.lanes else { return false }
        known.insert(lane)
        lanes[epoch] = known
        return true
    }

    /// They were opened.
    mutating func read(_ letters: MeetLetters, in lane: MeetBox, of epoch: MeetEpoch) {
        newest[letters.sender] = Newest(made: letters.made, lane: lane, epoch: epoch)
    }

    /// They wait for a card, as long as not too many do: anybody can make up senders.
    mutating func waits(_ letters: MeetLetters, in lane: MeetBox, of epoch: MeetEpoch) {
        early.removeAll { $0.lane == lane && $0.epoch == epoch }
        guard early.count(where: { $0.epoch == epoch }) < MeetLimits.lanes else { return }
        early.append(Early(letters: letters, lane: lane, epoch: epoch))
    }

    /// What waited for the card of a passenger.
    mutating func waited(
        for sender: PeerKey
    ) -> [(letters: MeetLetters, lane: MeetBox, epoch: MeetEpoch)] {
        let theirs = early.filter { $0.letters.sender == sender }
        early.removeAll { $0.letters.sender == sender }
        return theirs.sorted { $0.letters.made < $1.letters.made }
            .map { (letters: $0.letters, lane: $0.lane, epoch: $0.epoch) }
    }

    /// A lane was cleared. Returns whose newest letters lay there.
    mutating func cleared(_ lane: MeetBox, of epoch: MeetEpoch) -> PeerKey? {
        early.removeAll { $0.lane == lane && $0.epoch == epoch }
        let found = newest.first { $0.value.lane == lane && $0.value.epoch == epoch }
        guard let (peer, last) = found else { return nil }
        // Their sender may leave the same once more; nothing older counts.
        let before = UTCTime(seconds: last.made.seconds - 1)
        newest[peer] = Newest(made: before, lane: lane, epoch: epoch)
        return peer
    }
}
