// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let codec = EntryCodec(FakePrimitives())

extension LogSet {
    /// Judges an entry as if a peer had sent it.
    mutating func take(_ entry: Entry) -> Insertion {
        insert(entry.bytes, flight: testFlight.id, codec: codec)
    }

    /// A set that took all of these, in this order.
    static func of(_ entries: [Entry]) -> LogSet {
        var logs = LogSet()
        for entry in entries { _ = logs.take(entry) }
        return logs
    }
}

@Suite struct LogSetTests {
    @Test func entriesComeInOrder() throws {
        let ada = try Writer.seated(1, "14C")
        var logs = LogSet()
        let result1 = logs.take(ada.entries[1])
        #expect(result1 == .gap(ada.key, 2))
        let result2 = logs.take(ada.entries[0])
        #expect(result2 == .added(ada.entries[0]))
        let result3 = logs.take(ada.entries[1])
        #expect(result3 == .added(ada.entries[1]))
        let result4 = logs.take(ada.entries[1])
        #expect(result4 == .known(ada.key, 2))
        #expect(logs.head(of: ada.key).seq == 2)
        #expect(logs.reaches(LogHead(author: ada.key, seq: 2, id: ada.entries[1].id)))
        #expect(!logs.reaches(LogHead(author: ada.key, seq: 2, id: ada.entries[0].id)))
    }

    @Test func wrongSignaturesAndFlightsBlameTheSender() throws {
        let ada = try Writer.seated(1, "14C")
        var logs = LogSet()
        var bytes = ada.entries[0].bytes
        bytes[bytes.count - 20] ^= 1
        let wrong = logs.insert(bytes, flight: testFlight.id, codec: codec)
        #expect(wrong == .refused(.signature))
        #expect(EntryFault.signature.blamesSender)
        let foreign = logs.insert(ada.entries[0].bytes, flight: FlightID(.zero), codec: codec)
        #expect(foreign == .refused(.flight))
        let none = logs.insert([1, 2], flight: testFlight.id, codec: codec)
        #expect(none.isForm)
        #expect(logs.logs.isEmpty)
    }

    @Test func embeddedSignaturesCountToo() throws {
        var deal = try Deal()
        let commit = try deal.agree()
        var broken = commit.votes[1].bytes
        broken[broken.count - 3] ^= 1
        let votes = [commit.votes[0], try codec.decode(broken)]
        let bad = try deal.ada.write(
            .commit(Commit(contract: commit.contract, votes: votes, claims: commit.claims)))
        var logs = LogSet.of(Array(deal.ada.entries.dropLast()))
        let result5 = logs.take(bad)
        #expect(result5 == .refused(.signature))
    }

    @Test func outsidersDoNotCommit() throws {
        var deal = try Deal()
        let commit = try deal.agree()
        var carl = try Writer.seated(3, "1A")
        let entry = try carl.write(.commit(commit))
        var logs = LogSet.of(Array(carl.entries.dropLast()))
        let result6 = logs.take(entry)
        #expect(result6 == .refused(.body))
    }

    @Test func aForkIsSeenAndCutsTheLog() throws {
        var one = try Writer.seated(1, "14C")
        var other = one
        try one.write(.chat(text: "left", replyTo: nil))
        try one.write(.chat(text: "more", replyTo: nil))
        try other.write(.chat(text: "right", replyTo: nil))
        var logs = LogSet.of(one.entries)
        let proof = try #require(ForkProof(one.entries[2], other.entries[2]))
        let result7 = logs.take(other.entries[2])
        #expect(result7 == .fork(proof))
        #expect(logs.log(of: one.key)?.seq == 2)
        #expect(logs.log(of: one.key)?.fork == 3)
        let result19 = logs.takeFreshProofs()
        #expect(result19 == [proof])
        let result20 = logs.takeFreshProofs()
        #expect(result20.isEmpty)
        let result8 = logs.take(one.entries[3])
        #expect(result8 == .refused(.muted))
        #expect(!EntryFault.muted.blamesSender)
        #expect(logs.proofs == [proof])
    }

    @Test func theSmallestForkWinsInAnyOrder() throws {
        var one = try Writer.seated(1, "14C")
        var other = one
        var third = one
        try third.write(.chat(text: "early", replyTo: nil))
        for writer in [0, 1] {
            let text = writer == 0 ? "a" : "b"
            if writer == 0 {
                try one.write(.chat(text: "same", replyTo: nil))
                try one.write(.chat(text: text, replyTo: nil))
            } else {
                try other.write(.chat(text: "same", replyTo: nil))
                try other.write(.chat(text: text, replyTo: nil))
            }
        }
        let late = try #require(ForkProof(one.entries[3], other.entries[3]))
        let early = try #require(ForkProof(one.entries[2], third.entries[2]))
        var first = LogSet.of(one.entries)
        let result14 = first.insert(proof: late)
        #expect(result14)
        let result15 = first.insert(proof: early)
        #expect(result15)
        let result16 = first.insert(proof: late)
        #expect(!result16)
        var second = LogSet.of(other.entries)
        let result17 = second.insert(proof: early)
        #expect(result17)
        let result18 = second.insert(proof: late)
        #expect(!result18)
        #expect(first.logs == second.logs)
    }

    @Test func anchorsShowForks() throws {
        var deal = try Deal()
        var liar = deal.bo
        let commit = try deal.agree()
        try deal.ada.write(.commit(commit))
        try liar.write(.chat(text: "I never voted", replyTo: nil))
        for order in [liar.entries + deal.ada.entries, deal.ada.entries + liar.entries] {
            let logs = LogSet.of(order)
            #expect(logs.log(of: liar.key)?.fork == 3)
            #expect(logs.log(of: liar.key)?.seq == 2)
        }
    }

    /// Three entries at one place, known from anchors alone: each is compared with the first
    /// that an anchor showed there, and of the proofs the smaller pair stays. What comes alone
    /// is compared with nothing.
    @Test func aThirdEntryInAnAnchorIsComparedWithTheFirst() throws {
        var ada = try Writer.seated(1, "14C")
        let liar = try Writer.seated(2, "12A")
        var noes: [Entry] = []
        for number in 0..<3 as Range<UInt8> {
            var branch = liar
            let contract = ContractID(try #require(Bytes32(Array(repeating: number, count: 32))))
            noes.append(try branch.write(.vote(.no(contract))))
        }
        noes.sort { $0.id < $1.id }
        let before = ada
        for (order, pair) in [([0, 2, 1], [0, 1]), ([2, 0, 1], [0, 2]), ([1, 2, 0], [0, 1])] {
            ada = before
            for no in order.map({ noes[$0] }) {
                guard case .vote(let vote) = no.body else { continue }
                try ada.write(.abandon(vote.contract, no: no))
            }
            var logs = LogSet.of(ada.entries + liar.entries)
            let proof = try #require(ForkProof(noes[pair[0]], noes[pair[1]]))
            #expect(logs.proofs == [proof], "\(order)")
            for (index, no) in noes.enumerated() {
                let alone = logs.take(no)
                let isKept = pair.contains(index)
                let expected: Insertion =
                    isKept ? .known(no.author, 3) : .refused(EntryFault.muted)
                #expect(alone == expected)
            }
            #expect(logs.proofs == [proof] && logs.seq(of: liar.key) == 2)
        }
    }

    @Test func branchesOfOneLogAreTold() throws {
        var one = try Writer.seated(1, "14C")
        var other = one
        try one.write(.chat(text: "a", replyTo: nil))
        try other.write(.chat(text: "b", replyTo: nil))
        try other.write(.chat(text: "c", replyTo: nil))
        var logs = LogSet.of(one.entries)
        let result9 = logs.take(other.entries[3])
        #expect(result9 == .branches(one.key, 4))
    }

    @Test func capsAreRules() throws {
        var ada = try Writer.seated(1, "1A")
        for number in 2...9 {
            try ada.write(.claim(seat: try require(Seat("\(number)A")), dependant: true))
        }
        var logs = LogSet.of(ada.entries)
        #expect(logs.log(of: ada.key)?.liveClaims == 9)
        var tooMany = ada
        let tenth = try tooMany.write(.claim(seat: try require(Seat("10A")), dependant: true))
        let result10 = logs.take(tenth)
        #expect(result10 == .refused(.caps))
        let token = ada.entries[1].id.token
        try ada.write(.retract(Slot(token: token, producer: Producer(claim: token))))
        let result11 = logs.take(ada.entries[10])
        #expect(result11 == .added(ada.entries[10]))
        try ada.write(.claim(seat: try require(Seat("10A")), dependant: true))
        let result12 = logs.take(ada.entries[11])
        #expect(result12 == .added(ada.entries[11]))
    }

    @Test func nothingFollowsTheEnd() throws {
        var ada = try Writer.seated(1, "1A")
        try ada.write(.end)
        try ada.write(.chat(text: "still here", replyTo: nil))
        var logs = LogSet.of(Array(ada.entries.dropLast()))
        let result13 = logs.take(ada.entries[3])
        #expect(result13 == .refused(.caps))
    }

    @Test func whatWasStoredIsRestored() throws {
        var deal = try Deal()
        let commit = try deal.agree()
        try deal.ada.write(.commit(commit))
        let logs = LogSet.of(deal.ada.entries + deal.bo.entries)
        var again = LogSet()
        for log in logs.logs { for entry in log.entries { again.restore(entry) } }
        #expect(again == logs)
    }

    @Test func proofsFromPeersAreChecked() throws {
        var one = try Writer.seated(1, "14C")
        var other = one
        try one.write(.chat(text: "a", replyTo: nil))
        try other.write(.chat(text: "b", replyTo: nil))
        let (first, second) = (one.entries[2].bytes, other.entries[2].bytes)
        var broken = second
        broken[broken.count - 1] ^= 1
        var logs = LogSet()
        func take(_ one: [UInt8], _ two: [UInt8]) -> Insertion {
            logs.insertProof(one, two, flight: testFlight.id, codec: codec)
        }
        #expect(take(first, broken) == .refused(.signature))
        #expect(take(first, first) == .refused(.body))
        let proof = try #require(ForkProof(one.entries[2], other.entries[2]))
        // There is no room for one more author now.
        let full = logs.insertProof(second, first, flight: testFlight.id, codec: codec) { _, _ in
            false
        }
        #expect(full == .delayed(one.key, 3) && logs.proofs.isEmpty)
        #expect(take(second, first) == .fork(proof))
        #expect(take(first, second) == .known(one.key, 3))
    }
}

extension Insertion {
    var isForm: Bool {
        if case .refused(.form) = self { return true }
        return false
    }
}
