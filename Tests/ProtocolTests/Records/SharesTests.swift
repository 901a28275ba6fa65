// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// What is kept of keys that cost nothing (docs/protocol.md section 9).
@Suite struct SharesTests {
    private func key(_ number: Int) throws -> PeerKey {
        PeerKey(
            try require(
                Bytes32(
                    [UInt8(number / 256), UInt8(number % 256)] + Array(repeating: 7, count: 30))))
    }

    /// So many keys take all that they are given, in entries of 1 KiB, one key after the other.
    private func flood(
        _ shares: inout Shares, _ count: Int, isLinked: Bool = true
    ) throws -> Int {
        var taken = 0
        for number in 0..<count {
            let author = try key(number)
            while shares.room(for: author, isLinked: isLinked) >= 1024 {
                shares.took(1024, of: author)
                taken += 1024
            }
        }
        return taken
    }

    @Test func noNumberOfKeysTakesMoreThanSharesAndPool() throws {
        var shares = Shares(.logs)
        let taken = try flood(&shares, Limits.authors)
        #expect(taken <= Limits.authors * Limits.logShare + Limits.logPool)
        #expect(shares.used <= Limits.logPool)
        // Somebody new has a share of their own still.
        #expect(shares.room(for: try key(5000), isLinked: false) >= Limits.logShare)
    }

    @Test func sixtyLinkedKeysLeaveRoomForTheNext() throws {
        var shares = Shares(.logs)
        let taken = try flood(&shares, 60)
        #expect(taken < 7 * 1024 * 1024)
        #expect(shares.room(for: try key(5000), isLinked: true) > 60 * 1024)
        #expect(
            shares.room(for: try key(5000), isLinked: false)
                < shares.room(for: try key(5000), isLinked: true))
    }

    @Test func forWhomTheUserDidSomethingIsNotCounted() throws {
        var shares = Shares(.logs)
        _ = try flood(&shares, 200)
        let used = shares.used
        let bo = try key(5000)
        _ = shares.weigh(favoured: [bo], needed: [:], isLinked: { _ in false })
        shares.took(Limits.logShare + 1_000_000, of: bo)
        #expect(shares.used == used)
        #expect(shares.room(for: bo, isLinked: false) > 3_000_000)
        // The last whom the user did something for takes the place back
        // where it is not so any more.
        _ = shares.weigh(favoured: [], needed: [:], isLinked: { _ in false })
        #expect(shares.used == used + 1_000_000 && shares.room(for: bo, isLinked: true) == 0)
    }

    @Test func whatACertificateNeedsHasMoreRoomUpToItsPlaceOnly() throws {
        var shares = Shares(.logs)
        let bo = try key(1)
        shares.took(Limits.logShare + Limits.logPool / Limits.strangerPart, of: bo)
        #expect(shares.room(for: bo, isLinked: false) < Limits.shareCrumb)
        shares.leave(bo)
        let hasRoom = shares.weigh(favoured: [], needed: [bo: 90], isLinked: { _ in false })
        #expect(hasRoom && shares.leftOut == 0)
        #expect(shares.room(for: bo, seq: 90, isLinked: false) > 200_000)
        #expect(shares.room(for: bo, seq: 91, isLinked: false) < Limits.shareCrumb)
    }

    @Test func aMessageFromNobodyKnownComesOutOfThePoolAlone() throws {
        var shares = Shares(.messages)
        let (known, unknown) = (try key(1), try key(2))
        #expect(
            shares.room(for: known, isLinked: true)
                == shares.room(for: unknown, isLinked: true, hasBase: false) + Limits.messageShare)
        var taken = 0
        for number in 0..<3000 {
            let stranger = try key(number + 10)
            while shares.room(for: stranger, isLinked: true, hasBase: false) >= 1024 {
                shares.took(1024, of: stranger)
                taken += 1024
            }
        }
        #expect(taken <= Limits.messagePool + 3000 * Limits.messageShare)
        #expect(shares.used <= Limits.messagePool)
        #expect(shares.room(for: known, isLinked: true) >= Limits.messageShare)
    }
}
