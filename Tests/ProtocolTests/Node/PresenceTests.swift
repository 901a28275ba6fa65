// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Who counts as away where not everybody is linked with everybody.
@Suite struct PresenceTests {
    private let mia = FakeSigner(1).key
    private let bo = FakeSigner(2).key
    private var presence = Presence()

    init() {
        for key in [mia, bo] { _ = presence.cameAboard(key) }
    }

    private func moment(_ seconds: Int64) -> Moment {
        Moment(instant: .zero + .seconds(seconds), utc: UTCTime(seconds: 1_000_000 + seconds))
    }

    /// Judges at `seconds`; nobody is near but `near`, and nobody may answer but `answering`.
    private mutating func left(
        at seconds: Int64, _ shape: Overlay.Shape = .partial, near: [PeerKey] = [],
        answering: [PeerKey] = []
    ) -> [PeerKey] {
        let changes = presence.take(
            shape, at: moment(seconds), isNear: near.contains, mayAnswer: answering.contains)
        return changes.left
    }

    @Test mutating func inAFullMeshWhoeverIsLinkedWithNobodyIsAway() {
        presence.saw(mia, at: moment(0).instant)
        #expect(left(at: 1, .full, near: [bo], answering: [mia, bo]) == [mia])
        #expect(presence.awaySince[mia] == moment(1).utc && presence.awaySince[bo] == nil)
        #expect(presence.doubted.isEmpty)
    }

    /// A link that was given up says that they were there; the end of any other says nothing.
    @Test mutating func whoseLinkWasGivenUpIsThereForTenMinutes() {
        presence.saw(mia, at: moment(0).instant)
        #expect(left(at: 599) == [bo])
        #expect(left(at: 600) == [mia])
    }

    @Test mutating func whoeverAnswersIsThereAndWhoeverDoesNotIsAway() {
        #expect(left(at: 0, near: [bo], answering: [mia]).isEmpty)
        #expect(presence.doubted == [mia])
        #expect(presence.cameAboard(mia) == false)
        #expect(presence.doubted.isEmpty && presence.answered == mia)
        presence.saw(mia, at: moment(1).instant)
        #expect(presence.answered == nil)
        #expect(left(at: 600, near: [bo], answering: [mia]).isEmpty && presence.doubted.isEmpty)
        #expect(left(at: 601, near: [bo], answering: [mia]).isEmpty)
        #expect(presence.doubted == [mia])
        #expect(left(at: 620, near: [bo], answering: [mia]).isEmpty)
        #expect(left(at: 621, near: [bo], answering: [mia]) == [mia])
        #expect(presence.doubted.isEmpty && presence.awaySince[mia] == moment(621).utc)
    }

    /// A refused dial decides before the twenty seconds are over.
    @Test mutating func noPlaceThatMayAnswerIsAnAnswer() {
        #expect(left(at: 0, near: [bo], answering: [mia]).isEmpty)
        #expect(left(at: 2, near: [bo]) == [mia])
        #expect(presence.doubted.isEmpty)
    }

    @Test mutating func oneIsDialledAtATimeAndOneInTenSeconds() {
        let both = [mia, bo]
        #expect(left(at: 0, answering: both).isEmpty)
        let first = presence.doubted
        #expect(first.count == 1)
        _ = presence.cameAboard(first[0])
        presence.saw(first[0], at: moment(1).instant)
        #expect(left(at: 9, answering: both).isEmpty && presence.doubted.isEmpty)
        #expect(left(at: 10, answering: both).isEmpty)
        #expect(presence.doubted == both.filter { $0 != first[0] })
    }

    /// The first one's turn comes again only after everybody else's.
    @Test mutating func everybodysTurnComes() {
        let eve = FakeSigner(3).key
        _ = presence.cameAboard(eve)
        var asked: [PeerKey] = []
        for turn in 0..<6 {
            #expect(left(at: Int64(turn) * 600, answering: [mia, bo, eve]).isEmpty)
            asked += presence.doubted
            for key in presence.doubted { _ = presence.cameAboard(key) }
        }
        let sorted = [mia, bo, eve].sorted()
        #expect(asked == sorted + sorted)
    }

    /// Somebody who has no room for one more link is there all the same.
    @Test mutating func whoeverClosesTheLinkThemselvesIsThere() {
        #expect(left(at: 0, near: [bo], answering: [mia]).isEmpty)
        presence.saw(mia, at: moment(1).instant)
        #expect(presence.doubted.isEmpty && presence.answered == nil)
        #expect(left(at: 600, near: [bo], answering: [mia]).isEmpty && presence.doubted.isEmpty)
    }

    /// A link of theirs with a peer of ours ends a doubt, and being away.
    @Test mutating func whoeverIsLinkedWithAPeerIsBack() {
        #expect(left(at: 0, near: [bo], answering: [mia]).isEmpty)
        #expect(left(at: 1, near: [bo, mia]).isEmpty && presence.doubted.isEmpty)
        #expect(left(at: 2, near: [bo]) == [mia])
        let changes = presence.take(
            .partial, at: moment(3), isNear: { _ in true }, mayAnswer: { _ in false })
        #expect(changes == Presence.Changes(back: [mia]))
        #expect(presence.awaySince[mia] == nil)
        #expect(presence.cameAboard(mia) == false)
    }
}
