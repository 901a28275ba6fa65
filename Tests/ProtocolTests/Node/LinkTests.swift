// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// One real core, and sessions played by hand at the other ends of its links.
private struct Harbour {
    var node: Node
    var peers: [Int: Session] = [:]
    var closed: [Int] = []
    var troubles: [Trouble] = []
    var now = Moment(instant: .zero, utc: UTCTime(seconds: 1_000_000))
    /// Links whose other end answers nothing.
    var dead: Set<Int> = []
    /// Links whose other end answers once and then nothing.
    var dying: Set<Int> = []

    init(aliases: [(FlightName, FlightKey)] = []) throws {
        let setup = NodeSetup(
            signer: FakeSigner(1), primitives: FakePrimitives(), flight: .practice,
            flightKeys: [testFlight] + aliases.map(\.1), window: nil, name: "ada", agent: "test",
            seats: [try require(Seat("14C"))], port: 1, seed: .zero, aliases: aliases.map(\.0))
        node = Node(setup, Stored(), at: now)
        feed(.started)
    }

    mutating func feed(_ event: NodeEvent) {
        var events = [event]
        while !events.isEmpty {
            let effects = node.handle(events.removeFirst(), at: now)
            closed += effects.closes.map(\.number)
            for case .trouble(let trouble) in effects.notices { troubles.append(trouble) }
            for send in effects.sends where !dead.contains(send.link.number) {
                let answer = peers[send.link.number]?.handle(
                    .received(send.bytes), at: now.instant)
                if let bytes = answer?.bytes, !bytes.isEmpty {
                    if dying.contains(send.link.number) { dead.insert(send.link.number) }
                    events.append(.received(send.link, bytes))
                }
            }
        }
    }

    /// A peer dials in from `host`.
    mutating func dialledBy(
        _ number: UInt8, boot: UInt64, link: Int, connection: Int = 1, host: String = "10.0.0.2",
        flights: [FlightKey] = [testFlight]
    ) {
        let exporter = FakePrimitives().sha256([UInt8(link)])
        let key = FakeSigner(number).key
        let config = SessionConfig(
            me: key, boot: boot, connection: connection, port: 7, flights: flights,
            primitives: FakePrimitives())
        var session = Session(
            config, role: .initiator, peer: node.me, exporter: exporter, at: now.instant)
        let hello = session.handle(.started, at: now.instant)
        peers[link] = session
        let facts = LinkFacts(
            role: .responder, peer: key, exporter: exporter,
            remote: PeerAddress(host: host, port: 9), dial: nil)
        feed(.connected(LinkID(link), facts))
        feed(.received(LinkID(link), hello.bytes))
    }

    mutating func wait(_ span: TimeSpan) {
        now.instant = now.instant + span
        feed(.tick)
    }
}

@Suite struct LinkTests {
    @Test func aRestartedPeerReplacesItsDeadProcessWithoutAlarm() throws {
        var harbour = try Harbour()
        harbour.dialledBy(2, boot: 10, link: 1)
        harbour.dead = [1]
        harbour.dialledBy(2, boot: 11, link: 2)
        #expect(harbour.closed.isEmpty)
        harbour.wait(.milliseconds(4999))
        #expect(harbour.closed.isEmpty)
        harbour.wait(.milliseconds(1))
        #expect(harbour.closed == [1])
        #expect(harbour.troubles.isEmpty)
        #expect(harbour.node.isLinked(FakeSigner(2).key))
    }

    @Test func aKeyThatRunsTwiceIsToldOnce() throws {
        var harbour = try Harbour()
        harbour.dialledBy(2, boot: 10, link: 1)
        harbour.dialledBy(2, boot: 11, link: 2)
        harbour.wait(.seconds(5))
        #expect(harbour.closed == [1])
        #expect(harbour.troubles == [.runsTwice(FakeSigner(2).key)])
        #expect(harbour.peers[1]?.nextDeadline == nil)
        harbour.dialledBy(2, boot: 10, link: 3, connection: 2)
        harbour.wait(.seconds(5))
        #expect(harbour.closed == [1, 2])
        #expect(harbour.troubles.count == 1)
    }

    /// Seed 2775 of the simulator: the handshake of a process that died since arrives after that
    /// of the one which runs now.
    @Test func theLateWordsOfADeadProcessAreNoSecondOne() throws {
        var harbour = try Harbour()
        harbour.dialledBy(2, boot: 11, link: 1)
        harbour.dying = [2, 3]
        harbour.dialledBy(2, boot: 10, link: 2)
        #expect(harbour.node.links.count == 2)
        harbour.wait(.seconds(5))
        #expect(harbour.closed == [2] && harbour.troubles.isEmpty)
        // The end of it comes right behind.
        harbour.dialledBy(2, boot: 9, link: 3)
        harbour.feed(.ended(LinkID(3)))
        harbour.wait(.seconds(5))
        #expect(harbour.closed == [2] && harbour.troubles.isEmpty)
        #expect(harbour.node.isLinked(FakeSigner(2).key))
    }

    @Test func oneProcessWithTwoLinksKeepsTheLater() throws {
        var harbour = try Harbour()
        harbour.dialledBy(2, boot: 10, link: 1, connection: 1)
        harbour.dialledBy(2, boot: 10, link: 2, connection: 2)
        #expect(harbour.closed == [1])
        harbour.wait(.seconds(5))
        #expect(harbour.closed == [1])
    }

    /// They read nothing, what is due to them overflows while their FRONTIER is looked at, and the
    /// link is the last in the list.
    @Test func aLinkThatEndsWhileItsFrontierIsReadIsLetGo() throws {
        let his = try Writer.seated(3, "15C")
        let batch = EntryBatch(kind: .answer, entries: his.entries.map(\.bytes))
        /// A little before their next round; they let so many PONGs wait, and then said who they
        /// are.
        func flooded(_ pings: Int) throws -> (harbour: Harbour, due: Instant) {
            var harbour = try Harbour()
            harbour.dialledBy(2, boot: 10, link: 1)
            harbour.dialledBy(3, boot: 10, link: 2, host: "10.0.0.3")
            var due = harbour.now.instant + .seconds(1)
            while !harbour.node.records.due(at: due).contains(LinkID(2)) {
                due = due + .milliseconds(50)
            }
            harbour.dead = [2]
            harbour.now.instant = due + TimeSpan(nanoseconds: -100_000_000)
            harbour.feed(.drained(LinkID(2), pending: Limits.inFlight))
            for number in 0..<pings {
                harbour.feed(.received(LinkID(2), Message.ping(number).encode()))
            }
            harbour.feed(.received(LinkID(2), Message.entries(batch).encode()))
            return (harbour, due)
        }
        // As many as there is room for.
        var pings = Limits.controlQueue
        var (harbour, due) = try flooded(pings)
        while harbour.closed == [2] {
            pings -= 1
            (harbour, due) = try flooded(pings)
        }
        #expect(pings > 50 && harbour.node.logs.seq(of: his.key) == 2)
        harbour.now.instant = due
        let frontier = FrontierMessage(logs: .zero, map: .zero, items: nil)
        harbour.feed(.received(LinkID(2), Message.frontier(frontier).encode()))
        #expect(harbour.closed == [2])
        #expect(harbour.node.isLinked(FakeSigner(2).key) && !harbour.node.isLinked(his.key))
    }

    @Test func whoIsThereByAnotherNumberIsToldOfOnceAndLetGo() throws {
        let other = FlightKey(auth: FakePrimitives().sha256([9]), primitives: FakePrimitives())
        let partner = try require(FlightName("LH441/2026-12-05/FRA"))
        var harbour = try Harbour(aliases: [(partner, other)])
        harbour.dialledBy(2, boot: 10, link: 1, flights: [other])
        #expect(harbour.troubles == [.aliasOnly(FakeSigner(2).key, partner)])
        #expect(harbour.closed == [1])
        #expect(harbour.peers[1]?.isOpen == false)
        #expect(!harbour.node.isLinked(FakeSigner(2).key))
        harbour.dialledBy(2, boot: 10, link: 2, connection: 2, flights: [other])
        #expect(harbour.troubles.count == 1)
        // They have our number as an alias of theirs, and have not shown what their own is.
        let own = FlightKey(auth: FakePrimitives().sha256([8]), primitives: FakePrimitives())
        harbour.dialledBy(3, boot: 10, link: 3, flights: [own, testFlight])
        #expect(harbour.troubles.last == .aliasOnly(FakeSigner(3).key, nil))
        // An alias besides the same flight changes nothing, and no fault is anybody's.
        harbour.dialledBy(2, boot: 10, link: 4, connection: 3, flights: [testFlight, other])
        #expect(harbour.node.isLinked(FakeSigner(2).key))
        #expect(harbour.troubles.count == 2)
    }

    /// Found by fuzzing: the proof stayed in memory, unwritten and untold.
    @Test func aForkIsToldAlthoughWhatCameWithItIsBad() throws {
        var (one, other) = (Traitor(7), Traitor(7))
        try one.write(.genesis(name: "one", agent: "test"))
        try other.write(.genesis(name: "other", agent: "test"))
        var harbour = try Harbour()
        harbour.dialledBy(2, boot: 10, link: 1)
        let batch = EntryBatch(kind: .push, entries: (one.log + other.log).map(\.bytes) + [[0xFF]])
        harbour.feed(.received(LinkID(1), Message.entries(batch).encode()))
        #expect(harbour.closed == [1])
        #expect(harbour.troubles == harbour.node.logs.proofs.map(Trouble.fork))
        #expect(harbour.troubles.count == 1)
    }

    @Test func aFaultIsFollowedByTenMinutesOfRest() throws {
        var harbour = try Harbour()
        harbour.dialledBy(2, boot: 10, link: 1)
        harbour.feed(.received(LinkID(1), [0, 0, 0, 0]))
        #expect(harbour.closed == [1])
        // The same key elsewhere, and another key at the same host.
        harbour.dialledBy(2, boot: 10, link: 2, host: "10.0.0.3")
        harbour.dialledBy(3, boot: 30, link: 3)
        #expect(harbour.closed == [1, 2, 3])
        harbour.dialledBy(4, boot: 40, link: 4, host: "10.0.0.4")
        #expect(harbour.node.isLinked(FakeSigner(4).key))
        harbour.now.instant = harbour.now.instant + Limits.penalty
        harbour.dialledBy(2, boot: 10, link: 5, connection: 2)
        #expect(harbour.node.isLinked(FakeSigner(2).key))
    }

    @Test func whoSharesAnAddressStaysBesideOneAtFault() throws {
        var harbour = try Harbour()
        for number in 2...4 {
            harbour.dialledBy(UInt8(number), boot: UInt64(10 * number), link: number)
        }
        harbour.feed(.received(LinkID(2), [0, 0, 0, 0]))
        #expect(harbour.closed == [2])
        harbour.dialledBy(2, boot: 20, link: 10, connection: 2)
        harbour.dialledBy(5, boot: 50, link: 11)
        #expect(harbour.closed == [2, 10])
        #expect(harbour.node.isLinked(FakeSigner(5).key))
        // With the third key at fault the address rests too; who is there stays.
        harbour.feed(.received(LinkID(3), [0, 0, 0, 0]))
        harbour.feed(.received(LinkID(4), [0, 0, 0, 0]))
        harbour.dialledBy(6, boot: 60, link: 12)
        #expect(harbour.closed == [2, 10, 3, 4, 12])
        #expect(harbour.node.isLinked(FakeSigner(5).key))
    }

    @Test func whatNoOneIsToBlameForBringsNoRest() throws {
        var harbour = try Harbour()
        harbour.dialledBy(2, boot: 10, link: 1)
        harbour.feed(.received(LinkID(1), Message.close(code: 8, text: "").encode()))
        #expect(harbour.closed == [1])
        harbour.dialledBy(2, boot: 10, link: 2, connection: 2)
        #expect(harbour.node.isLinked(FakeSigner(2).key))
    }

    /// Who lacks much has the map fill every second, and not with the end of each answer.
    @Test func farBehindTheFoldWaits() throws {
        func told(_ more: Int, _ kind: EntryBatch.Kind, asks: Bool = false) throws -> Harbour {
            var harbour = try Harbour()
            harbour.dialledBy(2, boot: 10, link: 1)
            func send(_ kind: EntryBatch.Kind, _ writer: Writer) {
                let batch = EntryBatch(kind: kind, entries: writer.entries.map(\.bytes))
                harbour.feed(.received(LinkID(1), Message.entries(batch).encode()))
            }
            let (his, hers) = (try Writer.seated(2, "15C"), try Writer.seated(3, "16C"))
            send(.push, his)
            #expect(!harbour.node.isFoldStale)
            if asks {
                let take = try require(Seat("15C"))
                harbour.feed(
                    .intent(
                        1,
                        .swap(take: take, give: nil, note: "", expires: nil, unverified: true)))
                #expect(harbour.node.swaps.records.count == 1)
            }
            let have = [Have(author: FakeSigner(4).key, seq: more)]
            harbour.feed(.received(LinkID(1), Message.have(have).encode()))
            send(kind, hers)
            return harbour
        }
        for (more, kind, span) in [
            (Limits.behind, EntryBatch.Kind.last, TimeSpan.zero),
            (Limits.behind, .answer, .milliseconds(250)),
            (Limits.behind + 1, .last, .seconds(1)), (Limits.behind + 1, .answer, .seconds(1)),
            (Limits.behind + 1, .push, .zero),
        ] {
            var harbour = try told(more, kind)
            #expect(harbour.node.isFoldStale == (span > .zero), "\(more) \(kind)")
            guard span > .zero else { continue }
            harbour.wait(span + .milliseconds(-1))
            #expect(harbour.node.isFoldStale, "\(more) \(kind)")
            harbour.wait(.milliseconds(1))
            #expect(!harbour.node.isFoldStale && harbour.node.fold.tokens.count == 3)
        }
        let swapping = try told(Limits.behind + 1, .last, asks: true)
        #expect(!swapping.node.isFoldStale)
    }

    /// Seed 187: a proof and a list that knows of it came in one read, and the list was held
    /// against the map from before the proof.
    @Test func aListBehindAForkProofMeetsTheMapWithTheFork() throws {
        var harbour = try Harbour()
        harbour.dialledBy(2, boot: 10, link: 1)
        let honest = try Writer.seated(3, "15C")
        var forked = Writer(3)
        try forked.write(honest.entries[0].body)
        try forked.write(.claim(seat: try require(Seat("16C")), dependant: false))
        let batch = EntryBatch(kind: .push, entries: honest.entries.map(\.bytes))
        harbour.feed(.received(LinkID(1), Message.entries(batch).encode()))
        let before = harbour.node.mapDigest
        var logs = harbour.node.logs
        let proof = try #require(ForkProof(honest.entries[1], forked.entries[1]))
        let isNew = logs.insert(proof: proof)
        #expect(isNew)
        let list = FrontierMessage(
            logs: Frontier(logs, primitives: FakePrimitives()).digest,
            map: Fold.judge(logs).fold.digest(FakePrimitives()), items: nil)
        let proved = Message.forkProof(first: proof.first.bytes, second: proof.second.bytes)
        harbour.feed(
            .received(LinkID(1), proved.encode() + Message.frontier(list).encode()))
        #expect(harbour.node.mapDigest == list.map && list.map != before)
        #expect(harbour.troubles == [.fork(proof)])
    }
}
