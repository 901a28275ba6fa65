// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private func id(_ number: Int) -> EntryID {
    var bytes = [UInt8](repeating: 0, count: 32)
    for place in 0..<4 { bytes[place] = UInt8(truncatingIfNeeded: number >> (8 * place)) }
    return EntryID(Bytes32(bytes) ?? .zero)
}

private func line(
    _ number: Int, by author: UInt8 = 1, seq: Int? = nil, at time: Int64, after: [Int] = []
) -> ReadingOrder.Line {
    ReadingOrder.Line(
        id: id(number), author: PeerKey(Bytes32(repeating: author)), seq: seq ?? number,
        time: UTCTime(seconds: time), after: after.map(id))
}

/// Numbers of the lines in the order in which they are read, and in whatever order they came.
private func read(_ lines: [ReadingOrder.Line]) -> [Int] {
    let orders = [lines, lines.reversed(), lines.sorted { $0.id < $1.id }].map { lines in
        ReadingOrder.of(lines).map { lines[$0] }
    }
    #expect(orders.allSatisfy { $0 == orders[0] })
    return orders[0].map { line in
        line.id.bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

@Suite("The order in which people read") struct ReadingOrderTests {
    @Test("By time, then author, then place in the log, however the lines came")
    func byTime() {
        let lines = [
            line(1, by: 3, at: 10), line(2, by: 2, at: 30), line(3, by: 1, at: 20),
            line(4, by: 1, at: 30), line(5, by: 1, at: 30),
        ]
        #expect(read(lines) == [1, 3, 4, 5, 2])
    }

    @Test("After what it names and its author's earlier lines, whatever its time says")
    func after() {
        let answers = [
            line(1, by: 5, at: 100), line(2, by: 4, at: 3, after: [1]), line(3, by: 3, at: 50),
            line(4, by: 2, at: 2, after: [2, 99]),
        ]
        #expect(read(answers) == [3, 1, 2, 4])
        #expect(read([line(1, seq: 1, at: 100), line(2, seq: 2, at: 1)]) == [1, 2])
    }

    @Test("Names of nothing, of itself and in a circle lose no line")
    func hostile() {
        let lines = [
            line(1, by: 1, at: 10, after: [2]), line(2, by: 2, at: 20, after: [3]),
            line(3, by: 3, at: 30, after: [1]), line(4, by: 4, at: 40, after: [4, 1000, 1001]),
        ]
        #expect(read(lines).sorted() == [1, 2, 3, 4])
        #expect(read([]) == [])
    }

    @Test("Ten thousand lines that all name one cost no more than ten thousand")
    func bounded() {
        let most = 10_000
        let lines = (0..<most).map { number in
            line(
                number, by: UInt8(number % 200), at: Int64(number * 7919 % most),
                after: number == 0 ? [] : [0, number - 1, most + number])
        }
        let clock = ContinuousClock()
        var order: [Int] = []
        let span = clock.measure { order = ReadingOrder.of(lines) }
        // Each names the one before: only one order is left. Quadratic work would take minutes,
        // and a sanitizer beside other work takes six seconds.
        #expect(order == Array(0..<most))
        #expect(span < .seconds(30))
    }
}

/// Texts of the chat as `index` reads them.
private func talk(_ world: World, _ index: Int) -> [String] {
    world.hosts[index].node.timeline.compactMap(\.said)
}

/// The same as they were told.
private func told(_ world: World, _ index: Int) -> [String] {
    world.hosts[index].notices.compactMap { notice in
        if case .chat(let item) = notice { item.said } else { nil }
    }
}

@Suite("Whoever comes late reads the talk in order") struct LateReaderTests {
    /// Four agents who talked in turn, none before they had read the others.
    private func talked() throws -> (world: World, lines: [String]) {
        var world = World()
        for seat in ["14C", "12A", "20F", "3A"] { try world.add(seat) }
        world.run(seconds: 5)
        var lines: [String] = []
        for turn in 0..<12 {
            lines.append("line \(turn)")
            world.wish([2, 0, 3, 1, 0, 2][turn % 6], .say("line \(turn)"))
            world.run(seconds: turn % 3 == 0 ? 60 : 2)
        }
        world.run(seconds: 100)
        return (world, lines)
    }

    @Test("A newcomer among five reads and is told every line where it was said")
    func newcomer() throws {
        var (world, lines) = try talked()
        try world.add("1A")
        world.run(seconds: 5)
        world.wish(1, .say("welcome"))
        world.run(seconds: 1)
        for index in world.hosts.indices { #expect(talk(world, index) == lines + ["welcome"]) }
        #expect(told(world, 4) == lines + ["welcome"])
        let items = world.hosts[4].node.timeline.filter { $0.said != nil }
        #expect(items.allSatisfy { !$0.isLate && !$0.isClockAhead })
        // They stand before what the newcomer saw happen.
        #expect(items[0].place < world.hosts[4].node.timeline[0].at)
        // The same after a start from the disk.
        world.kill(4)
        world.restart(4)
        #expect(talk(world, 4) == lines + ["welcome"])
    }

    @Test("What was read stays where it is: a late line comes below, and is marked")
    func late() throws {
        var (world, lines) = try talked()
        world.cut()
        world.wish(3, .say("before"))
        world.run(seconds: 60)
        world.wish(0, .say("after"))
        world.heal()
        world.run(seconds: 120)
        #expect(talk(world, 0) == lines + ["after", "before"])
        #expect(talk(world, 3) == lines + ["before", "after"])
        let here = world.hosts[0].node.timeline.filter { $0.said != nil }
        #expect(here.map(\.isLate) == lines.map { _ in false } + [false, true])
        #expect(!world.hosts[3].node.timeline.contains { $0.isLate })
        lines = talk(world, 0)
        world.kill(0)
        world.restart(0)
        #expect(talk(world, 0) == lines)
    }

    @Test(
        "Own words are told at once, and a peer who never answers holds up nobody else's for long")
    func held() throws {
        var (world, lines) = try talked()
        world.deaf = 3
        world.cut()
        world.wish(3, .say("unheard"))
        world.heal()
        world.run(seconds: 10)
        world.wish(0, .say("mine"))
        #expect(told(world, 0).last == "mine")
        world.wish(1, .say("theirs"))
        world.rest()
        #expect(told(world, 0).suffix(2) == ["mine", "theirs"])
        lines += ["mine", "theirs"]
        #expect(talk(world, 0) == lines)
    }
}

@Suite("What a line says of its time") struct StatedTimeTests {
    private func items(_ lines: [(time: Int64, seen: Int64)]) -> [TimelineItem] {
        var ada = Traveller(1)
        var history = Timeline()
        for line in lines {
            let time = UTCTime(seconds: line.time)
            let entry = ada.append(.chat(text: "x", replyTo: nil, time: time, after: []))
            _ = history.record(entry, seen: UTCTime(seconds: line.seen))
            _ = history.tell()
        }
        return history.items
    }

    @Test("A clock that is more than two minutes ahead is marked; none stated is none")
    func ahead() {
        let found = items([(1000, 1000), (1120, 1000), (1121, 1000), (0, 1000), (.max, 1000)])
        #expect(found.map(\.isClockAhead) == [false, false, true, false, true])
        #expect(found.map(\.isLate) == [false, false, false, false, false])
        // Nobody's clock moves a line below what came later.
        #expect(found.map(\.place.seconds) == [1000, 1000, 1000, 1000, 1000])
    }

    @Test("While more is on its way, only what was said just now after what was told is told")
    func current() {
        var (ada, bo, cy) = (Traveller(1), Traveller(2), Traveller(3))
        var history = Timeline()
        func take(_ entry: Entry) { _ = history.record(entry, seen: UTCTime(seconds: 1000)) }
        func say(_ author: inout Traveller, _ text: String, _ time: Int64, _ after: [EntryID])
            -> Entry
        {
            author.append(
                .chat(text: text, replyTo: nil, time: UTCTime(seconds: time), after: after))
        }
        let first = say(&ada, "first", 990, [])
        take(first)
        // Nothing was told yet: a newcomer waits for all.
        #expect(history.tellCurrent() == [])
        _ = history.tell()
        let question = say(&bo, "question", 999, [first.id])
        take(say(&cy, "answer", 1000, [question.id]))
        take(say(&ada, "old", 400, []))
        take(say(&ada, "behind it", 1000, []))
        #expect(history.tellCurrent() == [])
        take(question)
        #expect(history.tellCurrent().count == 2)
        #expect(history.items.compactMap(\.said) == ["first", "question", "answer"])
        _ = history.tell()
        #expect(
            history.items.compactMap(\.said)
                == ["first", "question", "answer", "old", "behind it"])
        #expect(history.items.map(\.isLate) == [false, false, false, true, false])
    }

    @Test("A slow clock is no late line where the line names what it answers")
    func slow() {
        var (ada, bo) = (Traveller(1), Traveller(2))
        var history = Timeline()
        func take(_ entry: Entry) {
            _ = history.record(entry, seen: UTCTime(seconds: 1000))
            _ = history.tell()
        }
        let first = ada.append(
            .chat(text: "x", replyTo: nil, time: UTCTime(seconds: 1000), after: []))
        take(first)
        let time = UTCTime(seconds: 400)
        take(bo.append(.chat(text: "yes", replyTo: nil, time: time, after: [first.id])))
        take(bo.append(.chat(text: "aside", replyTo: nil, time: time, after: [])))
        #expect(history.items.map(\.isLate) == [false, false, true])
    }
}

@Suite("Clocks that are set, and starts") struct RestoredTalkTests {
    private func says(_ author: inout Traveller, at time: Int64) -> Entry {
        author.append(
            .chat(text: "\(time)", replyTo: nil, time: UTCTime(seconds: time), after: []))
    }

    @Test("What came while the own clock was ahead makes nothing late, nor holds it down")
    func clockIsSetBack() {
        var ada = Traveller(1)
        var history = Timeline()
        for time in [5000, 1000] as [Int64] {
            _ = history.record(says(&ada, at: time), seen: UTCTime(seconds: time))
            _ = history.tell()
        }
        #expect(history.items.map(\.isLate) == [false, false])
        #expect(history.items.map(\.place.seconds) == [5000, 1000])
    }

    @Test("A late line in a lively talk is late after a start too")
    func lateInALivelyTalk() {
        var (ada, bo) = (Traveller(1), Traveller(2))
        var (live, restored) = (Timeline(), Timeline())
        func take(_ entry: Entry, _ seen: Int64) {
            let seen = UTCTime(seconds: seen)
            _ = live.record(entry, seen: seen)
            _ = live.tell()
            restored.restore(entry, seen: seen, me: PeerKey(Bytes32(repeating: 9)))
        }
        for time in 1000..<1020 { take(says(&ada, at: Int64(time)), Int64(time)) }
        take(says(&bo, at: 400), 1020)
        _ = restored.tell()
        for history in [live, restored] {
            #expect(history.items.filter(\.isLate).map(\.said) == ["400"])
        }
    }

    @Test("Own words of earlier that come from others are not told before what else comes")
    func ownWordsOfEarlier() throws {
        var world = World()
        for seat in ["14C", "12A"] { try world.add(seat) }
        world.run(seconds: 5)
        world.wish(0, .say("mine"))
        let log = try #require(world.hosts[0].node.logs.log(of: world.key(0)))
        // The disk is new, and the key is not.
        var node = Node(world.hosts[0].setup, Stored(), at: world.now)
        var effects = Effects()
        let taken = node.ingest(
            log.entries.map(\.bytes), from: LinkID(1), &effects, at: world.now)
        #expect(taken.count == log.entries.count && node.logs.seq(of: node.me) == taken.count)
        #expect(node.talk.chatBy == nil)
    }
}

@Suite("What passengers were called and where they sat") struct StandingTests {
    @Test("By their own log: names, claims, a swap, a seat given up")
    func follows() throws {
        var (ada, bo) = (Traveller(1), Traveller(2))
        var history = Timeline()
        func take(_ entry: Entry?) {
            guard let entry else { return }
            _ = history.record(entry, seen: UTCTime(seconds: 5))
            _ = history.tell()
        }
        func say(_ author: inout Traveller) -> Standing? {
            author.chat("x")
            take(author.log.last)
            return history.items.last?.standing
        }
        take(ada.log.last)
        #expect(say(&ada) == Standing(name: "T1", seats: nil))
        let (mine, theirs) = (ada.claim("14C"), bo.claim("12A"))
        take(ada.log.last)
        for entry in bo.log { take(entry) }
        let seats = try ["14C", "12A"].map { try #require(Seat($0)) }
        #expect(say(&ada) == Standing(name: "T1", seats: [seats[0]]))
        let contract = Contract.of([(mine, from: ada, to: bo), (theirs, from: bo, to: ada)])
        let certificate = contract.certificate(
            [ada.yes(contract), bo.yes(contract)], claims: ada.log + bo.log)
        take(ada.commit(certificate))
        #expect(say(&ada) == Standing(name: "T1", seats: [seats[1]]))
        // Their own log does not say so yet.
        #expect(say(&bo) == Standing(name: "T2", seats: [seats[1]]))
        take(bo.commit(certificate))
        take(bo.append(.profile(name: "bob")))
        #expect(say(&bo) == Standing(name: "bob", seats: [seats[0]]))
        #expect(history.items.first { $0.said == "x" }?.standing?.name == "T1")
        bo.retract(contract.next(mine))
        take(bo.log.last)
        #expect(say(&bo) == Standing(name: "bob", seats: []))
    }
}
