// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Synchronization
import Testing

@testable import Protocol

/// Counts the signatures that ``FakePrimitives`` looks at.
private final class Counting: Primitives {
    private let strict = FakePrimitives()
    private let count = Atomic<Int>(0)

    var checks: Int { count.load(ordering: .relaxed) }

    func sha256(_ message: [UInt8]) -> Bytes32 { strict.sha256(message) }
    func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> Bytes32 {
        strict.hmacSHA256(key: key, message)
    }
    func argon2id(_ password: [UInt8], salt: [UInt8]) -> Bytes32? {
        strict.argon2id(password, salt: salt)
    }
    func verify(_ signature: [UInt8], _ message: [UInt8], by key: PeerKey) -> Bool {
        count.add(1, ordering: .relaxed)
        return strict.verify(signature, message, by: key)
    }
}

/// The same payload with a wrong signature: its id is that of the right one.
private func forged(_ entry: Entry) throws -> Entry {
    var bytes = entry.bytes
    bytes[bytes.count - 3] ^= 1
    let forged = try EntryCodec(FakePrimitives()).decode(bytes)
    #expect(forged.id == entry.id)
    return forged
}

/// A signature is looked at once, and never taken for another one.
@Suite struct SignaturesOnceTests {
    @Test(arguments: [false, true])
    func anEntryIsCheckedOnce(isOtherFirst: Bool) throws {
        var deal = try Deal()
        let commit = try deal.agree()
        try deal.ada.write(.commit(commit))
        try deal.bo.write(.commit(commit))
        let (ada, bo) = (deal.ada.entries, deal.bo.entries)
        let primitives = Counting()
        let codec = EntryCodec(primitives)
        var logs = LogSet()
        for entry in isOtherFirst ? bo + ada : ada + bo {
            let taken = logs.insert(entry.bytes, flight: testFlight.id, codec: codec)
            #expect(taken == .added(entry))
        }
        // The certificates carry six entries more, two of them twice.
        #expect(primitives.checks == ada.count + bo.count)
    }

    @Test func aRefusalThatAnAbandonCarriesIsCheckedOnce() throws {
        var deal = try Deal()
        let no = try deal.bo.write(.vote(.no(deal.contract.id)))
        let left = try deal.ada.write(.abandon(deal.contract.id, no: no))
        let primitives = Counting()
        let codec = EntryCodec(primitives)
        var logs = LogSet.of(deal.ada.entries.dropLast() + deal.bo.entries)
        #expect(logs.insert(left.bytes, flight: testFlight.id, codec: codec) == .added(left))
        #expect(primitives.checks == 1)
    }

    @Test func anotherSignatureInACertificateIsChecked() throws {
        var deal = try Deal()
        let commit = try deal.agree()
        let votes = [commit.votes[0], try forged(commit.votes[1])]
        let bad = try deal.ada.write(
            .commit(Commit(contract: commit.contract, votes: votes, claims: commit.claims)))
        var logs = LogSet.of(deal.ada.entries.dropLast() + deal.bo.entries)
        #expect(logs.log(of: deal.bo.key)?.entry(at: 3) == commit.votes[1])
        #expect(logs.take(bad) == .refused(.signature))
        // Nor was it kept for later.
        let voice = try forged(commit.votes[1])
        var others = LogSet.of(deal.ada.entries.dropLast() + deal.bo.entries.dropLast())
        #expect(others.take(bad) == .refused(.signature))
        #expect(others.take(voice) == .refused(.signature))
    }

    @Test func anotherSignatureThanInACertificateIsChecked() throws {
        var deal = try Deal()
        let commit = try deal.agree()
        try deal.ada.write(.commit(commit))
        var logs = LogSet.of(deal.ada.entries + deal.bo.entries.dropLast())
        #expect(logs.take(try forged(commit.votes[1])) == .refused(.signature))
        #expect(logs.log(of: deal.bo.key)?.seq == 2)
        #expect(logs.take(commit.votes[1]) == .added(commit.votes[1]))
    }
}
