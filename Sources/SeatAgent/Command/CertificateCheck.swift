// SPDX-License-Identifier: Apache-2.0
import Protocol
import Text

/// A swap as its certificates prove it, without agent, network or map.
struct CertificateCheck {
    /// One seat that changed hands.
    struct Move: Hashable {
        let seat: Seat
        let from: PeerKey
        let to: PeerKey
    }

    /// The flight.
    let flight: FlightID
    /// Hash of the contract.
    let contract: ContractID
    /// Everyone who signed, sorted.
    let parties: [PeerKey]
    /// Sorted by seat.
    let moves: [Move]
    /// Signatures that were checked.
    let signatures: Int
    /// The number of earlier swaps that this one rests on, checked as well.
    let earlier: Int

    /// Checks `certificates`: the log entry that records the swap, then those of the earlier swaps
    /// that its seats went through, in any order and no others. Throws `bad-certificate`.
    init(_ certificates: [[UInt8]], primitives: any Primitives) throws(UserError) {
        let codec = EntryCodec(primitives)
        var commits: [Commit] = []
        var signatures = 0
        var flight: FlightID?
        for bytes in certificates {
            let entry: Entry
            do throws(DecodeError) {
                entry = try codec.decode(bytes)
            } catch {
                throw Self.bad("it is damaged: \(error.code.rawValue) at byte \(error.offset)")
            }
            // Decoding has checked the static rules, one yes of each party, and all claims.
            guard case .commit(let commit) = entry.body else {
                throw Self.bad("it holds a record that is no certificate")
            }
            guard flight == nil || flight == entry.flight else {
                throw Self.bad("its parts are of different flights")
            }
            flight = entry.flight
            for signed in [entry] + commit.votes + commit.claims {
                guard codec.isSigned(signed) else {
                    throw Self.bad("the signature of \(signed.author.tag) is wrong")
                }
                signatures += 1
            }
            commits.append(commit)
        }
        guard let first = commits.first, let flight else { throw Self.bad("it is empty") }
        var moves: [Move] = []
        for leg in first.contract.legs {
            moves.append(Move(seat: try Self.seat(leg, commits), from: leg.from, to: leg.to))
        }
        for commit in commits.dropFirst() {
            for leg in commit.contract.legs { _ = try Self.seat(leg, commits) }
        }
        try Self.checkAncestry(commits)
        self.flight = flight
        contract = first.contract.id
        parties = first.contract.parties
        self.moves = moves.sorted { $0.seat != $1.seat ? $0.seat < $1.seat : $0.from < $1.from }
        self.signatures = signatures
        earlier = commits.count - 1
    }

    /// Checks that every certificate but the first is of an earlier swap of one of the seats, and
    /// comes once.
    private static func checkAncestry(_ commits: [Commit]) throws(UserError) {
        let ids = commits.map(\.contract.id)
        guard Set(ids).count == ids.count else { throw bad("it holds one swap twice") }
        var reached = ids.prefix(1)[...]
        var waiting = commits.prefix(1)[...]
        while let commit = waiting.popFirst() {
            for leg in commit.contract.legs {
                for other in commits
                where Producer(contract: other.contract.id) == leg.producer
                    && !reached.contains(other.contract.id)
                {
                    reached.append(other.contract.id)
                    waiting.append(other)
                }
            }
        }
        guard reached.count == commits.count else {
            throw bad("it holds a swap that its seats did not go through")
        }
    }

    /// The error for a receipt that shows less than it should.
    static func bad(_ why: String, advice: String? = nil) -> UserError {
        UserError(.badCertificate, "the receipt proves nothing", why: why, advice: advice)
    }

    /// The seat of a leg, found by walking back through earlier swaps to its claim.
    private static func seat(_ leg: Leg, _ commits: [Commit]) throws(UserError) -> Seat {
        var leg = leg
        // Hashes cannot form a cycle; the count only bounds the walk.
        for _ in 0...commits.count {
            for claim in commits.flatMap(\.claims) where claim.id.token == leg.token {
                guard leg.producer == Producer(claim: leg.token) else { continue }
                if case .claim(let seat, _) = claim.body, claim.author == leg.from { return seat }
            }
            let before = commits.lazy.filter { Producer(contract: $0.contract.id) == leg.producer }
                .flatMap(\.contract.legs)
                .first { $0.token == leg.token && $0.to == leg.from }
            guard let before else { break }
            leg = before
        }
        throw bad("it does not show how \(leg.from.tag) came to a seat that it gives")
    }
}
