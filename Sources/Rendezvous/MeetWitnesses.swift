// SPDX-License-Identifier: Apache-2.0
import Protocol

/// Logs of which a card shows more than is here, and whom to ask for the rest: a broker may hold
/// boxes back (docs/meet.md section 9).
///
/// Anybody who knows the flight can write any numbers on a card, so that little is remembered, and
/// what comes of it is one question a minute.
struct MeetWitnesses: Hashable, Sendable {
    private struct Claim: Hashable {
        let author: PeerKey
        /// Whose card shows it.
        var writer: PeerKey
        var seq: Int
        /// How much was here when it was compared last.
        var known: Int
        /// Since when nothing has come.
        var since: Instant
        /// When somebody is asked.
        var due: Instant
        var wait = MeetWitnesses.firstWait
        var asked = 0
    }

    private var claims: [Claim] = []
    private var next: Instant = .zero

    /// Claims that are remembered, and those of one card's writer.
    private static let most = 64
    private static let mostOfOne = 8
    /// The box is looked at first; then somebody is asked after 1, 2 ... 60 minutes.
    private static let firstWait = TimeSpan.seconds(60)
    private static let longestWait = TimeSpan.seconds(3600)
    /// Between two questions.
    private static let pause = TimeSpan.seconds(60)
    /// A box is behind once nothing has come for so long.
    private static let patience = TimeSpan.seconds(600)
    /// What nobody could bring for so long is forgotten; a card that still shows it brings it back.
    private static let longest = TimeSpan.seconds(6 * 3600)

    /// Those of whom there is more somewhere.
    var authors: [PeerKey] { claims.map(\.author) }

    /// The card of `writer` shows so many entries of an author, and `known` of them are here.
    mutating func shows(
        _ seq: Int, of author: PeerKey, by writer: PeerKey, known: Int, at now: Instant
    ) {
        guard seq > known else { return }
        if let place = claims.firstIndex(where: { $0.author == author }) {
            guard seq > claims[place].seq else { return }
            (claims[place].seq, claims[place].writer) = (seq, writer)
            return
        }
        guard claims.count < Self.most,
            claims.count(where: { $0.writer == writer }) < Self.mostOfOne
        else { return }
        claims.append(
            Claim(
                author: author, writer: writer, seq: seq, known: known, since: now,
                due: now + Self.firstWait))
    }

    /// Compares with what is here now; `nil` for a log that takes nothing more.
    mutating func compare(at now: Instant, _ known: (PeerKey) -> Int?) {
        claims = claims.compactMap { claim in
            guard let here = known(claim.author), here < claim.seq else { return nil }
            guard here != claim.known else { return claim }
            var claim = claim
            claim.known = here
            claim.since = now
            claim.wait = Self.firstWait
            claim.due = now + Self.firstWait
            return claim
        }
    }

    /// Whom to ask now: the author first, then the writer of the card, of those who `can` be.
    mutating func due(at now: Instant, _ can: (PeerKey) -> Bool) -> PeerKey? {
        claims.removeAll { $0.since + Self.longest <= now }
        guard next <= now else { return nil }
        for place in claims.indices where claims[place].due <= now {
            claims[place].due = now + claims[place].wait
            let (author, writer) = (claims[place].author, claims[place].writer)
            let who = (author == writer ? [author] : [author, writer]).filter(can)
            guard !who.isEmpty else { continue }
            claims[place].wait = min(claims[place].wait + claims[place].wait, Self.longestWait)
            claims[place].asked += 1
            next = now + Self.pause
            return who[(claims[place].asked - 1) % who.count]
        }
        return nil
    }

    /// Authors of whom nothing has come for over ten minutes. Where the flight is full here,
    /// somebody of whom nothing is known is not let in, whatever a broker gives.
    func behind(at now: Instant, isFull: Bool) -> Int {
        claims.count { $0.since + Self.patience <= now && ($0.known > 0 || !isFull) }
    }

    var nextDeadline: Instant? {
        claims.map { min(max($0.due, next), $0.since + Self.longest) }.min()
    }
}

/// When an agent compares all logs with somebody chosen at random: each 10 to 30 minutes
/// (docs/meet.md section 9).
struct MeetAudit: Hashable, Sendable {
    private(set) var due: Instant?

    private static let least = TimeSpan.seconds(600)
    private static let spread: UInt64 = 1_200_000

    /// Whether it is time; then the next time is drawn.
    mutating func isDue(at now: Instant, _ random: inout SeededRandom) -> Bool {
        guard let due else {
            draw(at: now, &random)
            return false
        }
        guard due <= now else { return false }
        draw(at: now, &random)
        return true
    }

    private mutating func draw(at now: Instant, _ random: inout SeededRandom) {
        due = now + Self.least + .milliseconds(Int64(random.next() % Self.spread))
    }
}

/// Tunnels that a meeting wants by itself, beside those that the program needs.
struct MeetErrands: Hashable, Sendable {
    private struct Errand: Hashable {
        let peer: PeerKey
        let until: Instant
    }

    /// With whom the program needs a session.
    var needed: [PeerKey] = []
    private var errands: [Errand] = []

    /// Long enough for one try over each of two homes.
    private static let patience = TimeSpan.seconds(25)

    /// All with whom a tunnel is wanted.
    var all: [PeerKey] { needed + errands.map(\.peer).filter { !needed.contains($0) } }

    mutating func add(_ peer: PeerKey, at now: Instant) {
        guard !errands.contains(where: { $0.peer == peer }) else { return }
        errands.append(Errand(peer: peer, until: now + Self.patience))
    }

    /// A tunnel to them stands.
    mutating func reached(_ peer: PeerKey) { errands.removeAll { $0.peer == peer } }

    /// Gives up those who did not answer.
    mutating func expire(at now: Instant) { errands.removeAll { $0.until <= now } }

    var nextDeadline: Instant? { errands.map(\.until).min() }
}
