// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import Text

/// Who asks too often: one passenger, or unverified passengers together.
///
/// Counts requests of others that came within ``span`` and became no swap, as long as one of them
/// waits for an answer. Once the user has said no to all, they are no longer bothered.
struct AskPressure: Hashable, Sendable {
    /// Who it is.
    enum Source: Hashable, Sendable {
        case one(PeerKey)
        /// This many passengers of whom there is only a claim.
        case strangers(Int)
    }

    /// Whose requests.
    let source: Source
    /// How many.
    let times: Int

    /// For how long requests count, in seconds.
    static let span: Int64 = 30 * 60
    /// How often one passenger may ask before it is reported: asking two or three times is usual.
    static let timesOfOne = 4
    /// How often strangers may ask together: keys cost nothing, so one person may be all of them.
    static let timesOfStrangers = 8

    /// The pressure in the records of `node`; `nil` if nobody asks too often.
    init?(_ node: any NodeReading, _ book: PeopleBook, now: UTCTime) {
        self.init(node.swapRecords, me: node.me, now: now) { key in
            // A blocked passenger is silenced already.
            book.isClaimed(key) && book[key]?.isBlocked != true
        }
    }

    /// The same for any records.
    init?(
        _ records: [SwapRecord], me: PeerKey, now: UTCTime, isStranger: (PeerKey) -> Bool
    ) {
        var times: [PeerKey: Int] = [:]
        var waiting: Set<PeerKey> = []
        for record in records where record.role.isIncoming && record.stage != .committed {
            guard now.seconds - record.created.seconds < Self.span else { continue }
            let asker = record.asker(me)
            times[asker, default: 0] += 1
            if RequestFacts(record, me: me).needsAnswer { waiting.insert(asker) }
        }
        let all = times.map { (key: $0.key, times: $0.value) }
            .sorted { $0.times != $1.times ? $0.times > $1.times : $0.key < $1.key }
        let most = all.first { waiting.contains($0.key) }
        if let most, most.times >= Self.timesOfOne {
            source = .one(most.key)
            self.times = most.times
            return
        }
        let strangers = all.filter { isStranger($0.key) }
        let together = strangers.reduce(0) { $0 + $1.times }
        guard together >= Self.timesOfStrangers,
            strangers.contains(where: { waiting.contains($0.key) })
        else { return nil }
        source = .strangers(strangers.count)
        self.times = together
    }

    /// `pressing` in the status and in a request's event.
    func facts(_ book: PeopleBook) -> Pressing {
        let minutes = Int(Self.span / 60)
        return switch source {
        case .one(let key): Pressing(times: times, minutes: minutes, who: book.person(key))
        case .strangers(let count):
            Pressing(times: times, minutes: minutes, strangers: count)
        }
    }
}

/// Silence for strangers: what they ask is declined without a word, which reveals nothing to them.
struct Silence: Hashable, Sendable {
    /// When it ends.
    let until: Instant

    /// Long enough for a meal, and short enough that nobody wonders later why nobody asks.
    static let span = TimeSpan.seconds(30 * 60)

    /// Silence that begins now.
    init(at now: Instant) { until = now + Self.span }

    /// Seconds that are left; `nil` once it is over.
    func left(at now: Instant) -> Int? {
        let left = (until - now).nanoseconds
        return left > 0 ? Int(left / 1_000_000_000) : nil
    }
}

extension ControlHost {
    // A host that keeps none, as tests have it.
    var silence: Silence? { nil }
    func keep(_ silence: Silence?) {}

    /// Declines without a note what strangers ask, while there is silence for them.
    func declineStrangers() {
        guard silence?.left(at: now.instant) != nil else { return }
        let book = PeopleBook(node)
        // A passenger of whom the user wants something is not a stranger.
        let wanted = node.swapRecords.filter { !$0.role.isIncoming && !$0.stage.isOver }
            .flatMap(\.contract.parties)
        for record in node.swapRecords where record.role.isIncoming {
            let asker = record.asker(node.me)
            guard RequestFacts(record, me: node.me).needsAnswer, book.isClaimed(asker),
                !wanted.contains(asker)
            else { continue }
            perform(.decline(record.number, note: "")) { _ in }
        }
    }
}

extension ControlDesk {
    /// Who asks too often; `nil` if nobody does.
    var pressing: Pressing? {
        let book = book
        return AskPressure(host.node, book, now: host.now.utc)?.facts(book)
    }

    /// Seconds for which strangers ask in vain; `nil` if they do not.
    var silenced: Int? { host.silence?.left(at: host.now.instant) }

    /// Begins silence for strangers, or ends it.
    func silence(_ asked: Op.Silence) -> Work<Op.Silence.Reply> {
        host.keep(asked.on ? Silence(at: host.now.instant) : nil)
        host.declineStrangers()
        return .done(Op.Silence.Reply(silenced: silenced))
    }
}
