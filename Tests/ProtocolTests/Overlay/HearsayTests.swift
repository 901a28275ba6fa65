// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// One real core on 10.0.0.1/24, and sessions played by hand at the other ends of
/// its links: issue 20, A5.
struct Quay {
    var node: Node
    var sessions: [Int: Session] = [:]
    /// What each link brought, and every dial.
    var heard: [Int: [Message]] = [:]
    var dials: [Dial] = []
    /// Who answers at which place; nobody elsewhere.
    var answering: [PeerAddress: UInt8] = [:]
    var now = Moment(instant: .zero, utc: UTCTime(seconds: 1_000_000))
    private var lastLink = 100

    init(
        _ networks: OwnNetworks = OwnNetworks([NetworkPrefix(own: .v4(0x0a00_0001), length: 24)])
    ) throws {
        let setup = NodeSetup(
            signer: FakeSigner(1), primitives: FakePrimitives(), flight: .practice,
            flightKeys: [testFlight], window: nil, name: "ada", agent: "test",
            seats: [try require(Seat("14C"))], port: 4000, seed: .zero)
        node = Node(setup, Stored(), at: now)
        feed(.networks(networks))
        feed(.started)
    }

    mutating func feed(_ event: NodeEvent) {
        var events = [event]
        while !events.isEmpty {
            let effects = node.handle(events.removeFirst(), at: now)
            for send in effects.sends {
                let answer = sessions[send.link.number]?.handle(
                    .received(send.bytes), at: now.instant)
                heard[send.link.number, default: []] += answer?.messages ?? []
                if let bytes = answer?.bytes, !bytes.isEmpty {
                    events.append(.received(send.link, bytes))
                }
            }
            for dial in effects.dials {
                dials.append(dial)
                guard let number = answering[dial.address] else {
                    events.append(.dialFailed(dial.number))
                    continue
                }
                lastLink += 1
                let (facts, _) = link(
                    lastLink, to: number, .initiator, at: dial.address, dial: dial.number)
                events.append(.connected(LinkID(lastLink), facts))
            }
        }
    }

    /// Peers who say of no feature that they have it, as agents of the version before.
    var earlier: Set<UInt8> = []

    /// A session of peer `number`, and what this agent knows of the connection.
    private mutating func link(
        _ link: Int, to number: UInt8, _ role: FlightKey.Role, at remote: PeerAddress,
        dial: Int? = nil
    ) -> (LinkFacts, [UInt8]) {
        let exporter = FakePrimitives().sha256([UInt8(link & 255), 3])
        let key = FakeSigner(number).key
        let config = SessionConfig(
            me: key, boot: 1, connection: link, port: 4000, flights: [testFlight],
            primitives: FakePrimitives())
        var session = Session(
            config, role: role == .initiator ? .responder : .initiator, peer: node.me,
            exporter: exporter, at: now.instant)
        let hello = session.handle(.started, at: now.instant)
        sessions[link] = session
        let facts = LinkFacts(
            role: role, peer: key, exporter: exporter, remote: remote, dial: dial)
        return (facts, hello.bytes)
    }

    /// Peer `number` dials in from 10.0.0.`number`, or from elsewhere.
    mutating func dialledBy(_ number: UInt8, host: String? = nil) {
        let remote = PeerAddress(host: host ?? "10.0.0.\(number)", port: 50_000)
        let (facts, hello) = link(Int(number), to: number, .responder, at: remote)
        feed(.connected(LinkID(Int(number)), facts))
        feed(.received(LinkID(Int(number)), earlier.contains(number) ? plain(hello) : hello))
    }

    /// HELLO without features.
    private func plain(_ bytes: [UInt8]) -> [UInt8] {
        var decoder = FrameDecoder(limit: Limits.frame)
        decoder.append(bytes)
        guard let frame = try? decoder.next(), case .hello(var hello)? = try? Message.decode(frame)
        else { return bytes }
        hello.features = 0
        return Message.hello(hello).encode()
    }

    mutating func tell(_ number: UInt8, _ hints: [PeerHint]) {
        let sent = sessions[Int(number)]?.handle(
            .send(.peerExchange(hints)), at: now.instant)
        feed(.received(LinkID(Int(number)), sent?.bytes ?? []))
    }

    /// Time passes, each deadline in its turn; the links stay alive.
    mutating func wait(_ span: TimeSpan) {
        let end = now.instant + span
        while now.instant < end {
            now.instant = min(max(node.nextDeadline ?? end, now.instant + .milliseconds(1)), end)
            feed(.tick)
            for link in sessions.keys.sorted() {
                guard let due = sessions[link]?.nextDeadline, due <= now.instant else { continue }
                let bytes = sessions[link]?.handle(.tick, at: now.instant).bytes ?? []
                if !bytes.isEmpty { feed(.received(LinkID(link), bytes)) }
            }
        }
    }

    /// All hints that came on a link.
    func hints(_ link: Int) -> [PeerHint] {
        heard[link, default: []].flatMap { message -> [PeerHint] in
            switch message {
            case .peerExchange(let hints), .peerChange(let hints): hints
            default: []
            }
        }
    }
}

/// A key of nobody.
private func made(_ number: Int) -> PeerKey {
    PeerKey(FakePrimitives().sha256([UInt8(number & 255), UInt8(number >> 8), 77]))
}

@Suite struct HearsayTests {
    /// This machine, third parties, names, and what is no machine, in all their clothes.
    private static let lies = [
        "localhost", "127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1",
        "0.0.0.0", "::", "::ffff:0.0.0.0", "10.0.0.1", "::ffff:10.0.0.1", "192.0.2.7", "10.0.1.7",
        "8.8.8.8",
        "2001:db8::7", "fd00::7", "fe80::7", "169.254.7.7", "10.0.0.255", "10.0.0.0",
        "255.255.255.255", "224.0.0.251", "ff02::fb", "bank.example", "ip6-localhost", "127.1", "0",
        "010.0.0.1", "",
    ]

    private func hints(_ hosts: [String], from first: Int = 0) -> [PeerHint] {
        hosts.enumerated().map { number, host in
            PeerHint(
                key: made(first + number), address: PeerAddress(host: host, port: 22),
                isLinked: number % 2 == 0)
        }
    }

    @Test func nobodyIsSentToThisMachineOrToThirdParties() throws {
        var quay = try Quay()
        quay.dialledBy(2)
        let lies = (0..<64).map { Self.lies[$0 % Self.lies.count] }
        for round in 0..<5 {
            quay.tell(2, hints(lies, from: 100 * round))
            quay.wait(.seconds(60))
        }
        #expect(quay.dials.map(\.address.text) == [])
        let isLinked = quay.node.isLinked(FakeSigner(2).key)
        #expect(isLinked)
    }

    /// The same from mDNS, where another agent of this machine may be shown.
    @Test func mDNSSendsNobodyThereEither() throws {
        var quay = try Quay()
        quay.feed(.labelled("0000000000000000"))
        for (number, host) in Self.lies.enumerated() {
            quay.feed(
                .found(
                    label: "1\(number)", addresses: [PeerAddress(host: host, port: 22)]))
        }
        quay.wait(.seconds(120))
        #expect(Set(quay.dials.map(\.address.host)) == ["10.0.0.1", "::ffff:10.0.0.1"])
    }

    /// A place that could not be dialled is dialled once this machine is on its network.
    @Test func anotherNetworkOpensOtherPlaces() throws {
        var quay = try Quay(.none)
        quay.feed(.labelled("0000000000000000"))
        let place = PeerAddress(host: "10.0.0.9", port: 4000)
        quay.feed(.found(label: "1111", addresses: [place]))
        quay.wait(.seconds(5))
        #expect(quay.dials.isEmpty)
        quay.feed(.networks(OwnNetworks([NetworkPrefix(own: .v4(0x0a00_0001), length: 24)])))
        #expect(quay.dials.map(\.address) == [place])
        quay.feed(.networks(.none))
        quay.wait(.seconds(60))
        #expect(quay.dials.count == 1)
    }

    /// What the user typed is free.
    @Test func typedPlacesAreFree() throws {
        var quay = try Quay()
        quay.feed(.typed(PeerAddress(host: "127.0.0.1", port: 7711)))
        quay.feed(.typed(PeerAddress(host: "192.0.2.7", port: 7711)))
        quay.wait(.milliseconds(100))
        #expect(Set(quay.dials.map(\.address.host)) == ["127.0.0.1", "192.0.2.7"])
    }

    /// An agent that lives on loopback only hears of others there.
    @Test func onLoopbackAgentsTellOfEachOther() throws {
        let loopback = OwnNetworks([
            NetworkPrefix(own: .v4(0x7f00_0001), length: 8),
            NetworkPrefix(own: .v6(high: 0, low: 1), length: 128),
        ])
        var quay = try Quay(loopback)
        quay.dialledBy(2, host: "127.0.0.1")
        quay.tell(2, hints(["127.0.0.1", "localhost", "10.0.0.7"]))
        quay.wait(.seconds(10))
        #expect(Set(quay.dials.map(\.address.host)) == ["127.0.0.1"])
    }

    @Test func soManyDialsForTheWordOfOne() throws {
        var quay = try Quay()
        quay.dialledBy(2)
        let places = (0..<64).map { "10.0.0.\(100 + $0)" }
        for round in 0..<9 {
            quay.tell(2, hints(places, from: 100 * round))
            quay.wait(.seconds(60))
        }
        #expect(quay.dials.count == Limits.dialsPerTeller)
        for place in places {
            #expect(quay.dials.count { $0.address.host == place } <= Limits.hintFailures)
        }
        // Another one has a pace of their own.
        quay.dialledBy(3)
        quay.tell(3, hints(places, from: 5000))
        quay.wait(.seconds(5))
        #expect(quay.dials.count == 2 * Limits.dialsPerTeller)
    }

    @Test func twoFailuresEndIt() throws {
        var quay = try Quay()
        quay.dialledBy(2)
        for _ in 0..<30 {
            quay.tell(2, hints(["10.0.0.100"]))
            quay.wait(.seconds(60))
        }
        #expect(quay.dials.count == Limits.hintFailures)
    }

    /// Honest hints cost nothing: an agent that is told of a whole cabin by one neighbour meets it.
    @Test func whoAnswersIsNotCounted() throws {
        var quay = try Quay()
        quay.dialledBy(2)
        let others = (30..<50).map { UInt8($0) }
        let told = others.map { number in
            let address = PeerAddress(host: "10.0.0.\(number)", port: 4000)
            quay.answering[address] = number
            return PeerHint(key: FakeSigner(number).key, address: address, isLinked: true)
        }
        quay.tell(2, told)
        quay.wait(.seconds(30))
        let linked = others.count { quay.node.isLinked(FakeSigner($0).key) }
        #expect(linked == others.count)
        #expect(quay.dials.count == others.count)
    }

    /// Keys that are somewhere else than told: an honest agent at that place is
    /// not knocked at for ever.
    @Test func anotherKeyThanTheToldOneCounts() throws {
        var quay = try Quay()
        quay.dialledBy(2)
        quay.answering[PeerAddress(host: "10.0.0.30", port: 22)] = 30
        for round in 0..<9 {
            quay.tell(2, hints(Array(repeating: "10.0.0.30", count: 64), from: 100 * round))
            quay.wait(.seconds(60))
        }
        #expect(quay.dials.count <= Limits.dialsPerTeller)
    }

    /// A lie is told to the neighbours of the liar only: nothing that was heard goes on.
    @Test func nothingHeardIsPassedOn() throws {
        var quay = try Quay()
        quay.dialledBy(2)
        quay.tell(2, hints(Self.lies + (0..<30).map { "10.0.0.\(100 + $0)" }))
        quay.dialledBy(3)
        quay.wait(.seconds(500))
        quay.tell(2, hints(Self.lies))
        quay.wait(.seconds(100))
        let passed = quay.hints(3)
        #expect(!passed.isEmpty)
        #expect(Set(passed.map(\.key)) == [FakeSigner(2).key])
        #expect(passed.allSatisfy { $0.address == PeerAddress(host: "10.0.0.2", port: 4000) })
    }

    /// Whom this agent dialled itself it tells of, also for a while after the link has ended.
    @Test func whatWasReachedIsTold() throws {
        var quay = try Quay()
        let place = PeerAddress(host: "10.0.0.30", port: 4000)
        quay.answering[place] = 30
        quay.feed(.labelled("0000000000000000"))
        quay.feed(.found(label: "1111", addresses: [place]))
        quay.wait(.milliseconds(100))
        let isLinked = quay.node.isLinked(FakeSigner(30).key)
        #expect(isLinked)
        quay.feed(.lost(label: "1111"))
        quay.feed(.ended(LinkID(101)))
        quay.dialledBy(3)
        quay.wait(.seconds(5))
        #expect(
            quay.hints(3)
                == [PeerHint(key: FakeSigner(30).key, address: place, isLinked: false)])
        quay.wait(Limits.hintTime)
        let before = quay.hints(3).count
        quay.wait(.seconds(800))
        #expect(quay.hints(3).count == before)
    }
}
