// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// PEX_CHANGE: links are told by what changed (docs/protocol.md section 23).
@Suite struct ChangeTests {
    /// What came on a link: the keys that PEX named, and PEX_CHANGE with who is linked.
    private func said(_ quay: Quay, _ link: Int) -> [String] {
        let names = Dictionary(
            uniqueKeysWithValues: (1...9).map { (FakeSigner($0).key, "\($0)") })
        func text(_ hints: [PeerHint]) -> String {
            hints.map { (names[$0.key] ?? "?") + ($0.isLinked ? "" : " gone") }.sorted()
                .joined(separator: ", ")
        }
        return quay.heard[link, default: []].compactMap { message in
            switch message {
            case .peerExchange(let hints): "all: \(text(hints))"
            case .peerChange(let hints): "change: \(text(hints))"
            default: nil
            }
        }
    }

    @Test func onlyWhatChangedIsTold() throws {
        var quay = try Quay()
        quay.earlier = [5]
        for number: UInt8 in [2, 3, 5] {
            quay.dialledBy(number)
            quay.wait(.seconds(3))
        }
        quay.feed(.ended(LinkID(3)))
        quay.sessions[3] = nil
        quay.wait(.seconds(3))
        #expect(said(quay, 2) == ["all: 3", "change: 5", "change: 3 gone"])
        // Agents of the version before get everything.
        #expect(said(quay, 5) == ["all: 2, 3", "all: 2"])
    }

    /// What was told is lost with its link: a new one begins anew.
    @Test func aNewLinkIsToldAll() throws {
        var quay = try Quay()
        for number: UInt8 in [2, 3, 4] { quay.dialledBy(number) }
        quay.wait(.seconds(3))
        quay.feed(.ended(LinkID(2)))
        quay.sessions[2] = nil
        quay.feed(.ended(LinkID(4)))
        quay.sessions[4] = nil
        quay.heard[2] = []
        quay.dialledBy(2)
        quay.wait(.seconds(3))
        #expect(said(quay, 2) == ["all: 3"])
    }

    /// What stands is said again before it is forgotten: with nothing at all.
    @Test func noChangeSaysThatAllStands() throws {
        var quay = try Quay()
        for number: UInt8 in [2, 3] { quay.dialledBy(number) }
        quay.wait(.seconds(3))
        let before = said(quay, 2).count
        quay.wait(Limits.hintTime)
        let later = said(quay, 2)[before...]
        #expect((2...5).contains(later.count) && later.allSatisfy { $0 == "change: " })
    }

    @Test func soManyPartingsAreRemembered() {
        var partings = Partings()
        for number in 0..<Limits.partings {
            partings.note(made(number), at: .zero + .milliseconds(Int64(number)))
        }
        #expect(partings.since(.zero)?.count == Limits.partings)
        partings.note(made(999), at: .zero + .seconds(1))
        #expect(partings.since(.zero) == nil)
        #expect(partings.since(.zero + .milliseconds(1))?.count == Limits.partings)
        partings.note(made(0), at: .zero + Limits.hintTime + .milliseconds(500))
        #expect(partings.since(.zero + .seconds(1)) == [made(999), made(0)])
    }

    private func made(_ number: Int) -> PeerKey {
        PeerKey(FakePrimitives().sha256([UInt8(number & 255), UInt8(number >> 8), 78]))
    }
}
