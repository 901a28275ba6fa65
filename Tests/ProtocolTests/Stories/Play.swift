// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit

@testable import Protocol

/// One scenario while it is played: real cores in a `World`, and the dialogue that they make.
struct Play {
    var world = World()
    var words = Words()
    private(set) var lines: [String] = []
    /// The step that the story is about is left out: what the story must show must then be missing.
    let isPointless: Bool
    private var people: [String] = []
    private var isTelling = true
    /// Who is at the other end of each link, and who carries it.
    private var ends: [LinkID: (peer: PeerKey, isRelayed: Bool)] = [:]
    /// Bytes of frames that have not come whole.
    private var heard: [LinkID: FrameDecoder] = [:]
    /// What the next turn of a user is called.
    private var wished = ""
    private var commits: [Int] = []
    private var death: World.Death?

    init(isPointless: Bool = false) {
        self.isPointless = isPointless
        world.watched = []
    }

    // MARK: What a story does

    func index(_ name: String) throws -> Int { try require(people.firstIndex(of: name)) }

    func key(_ name: String) throws -> PeerKey { world.key(try index(name)) }

    /// A passenger boards and starts their agent; it knows of nobody.
    mutating func board(_ name: String, _ seat: String) throws {
        let index = try world.add(seat, start: false)
        world.hosts[index].setup.name = name
        world.hosts[index].node = Node(world.hosts[index].setup, Stored(), at: world.now)
        people.append(name)
        commits.append(0)
        words.names.add(name, world.key(index))
        world.feed(index, .networks(world.networks(index)))
        world.feed(index, .labelled(label(index)))
        world.feed(index, .started)
        tell()
    }

    /// mDNS shows `one` and `other` to each other.
    mutating func meet(_ one: String, _ other: String) throws {
        let pair = [try index(one), try index(other)]
        for (me, them) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            world.feed(me, .found(label: label(them), addresses: [world.address(them)]))
        }
        tell()
    }

    /// Passengers who have met: how they came so far is not told.
    mutating func cabin(_ seated: [(name: String, seat: String)]) throws {
        try quietly { play in
            for (name, seat) in seated {
                try play.board(name, seat)
                for other in play.people where other != name { try play.meet(other, name) }
            }
            play.run(seconds: 10)
        }
        let places = seated.map { "\($0.name) sits in \($0.seat)" }
        say("\(Words.list(places)). Their agents have met.")
    }

    /// What comes before the story.
    mutating func quietly(_ steps: (inout Play) throws -> Void) rethrows {
        isTelling = false
        try steps(&self)
        isTelling = true
    }

    /// A user wants something; `words` say what.
    mutating func wish(_ name: String, _ words: String, _ intent: Intent) throws {
        wished = words
        world.wish(try index(name), intent)
        rest()
    }

    /// The step that the story is about.
    mutating func point(_ step: (inout Play) throws -> Void) rethrows {
        if !isPointless { try step(&self) }
    }

    /// Everything under way arrives; no time passes.
    mutating func rest() {
        world.rest()
        tell()
    }

    mutating func run(seconds: Int64) {
        world.run(seconds: seconds)
        tell()
    }

    /// The agent dies when its n-th transaction from now is durable and its messages are out.
    mutating func dies(_ name: String, afterCommits count: Int) throws {
        let host = try index(name)
        death = World.Death(
            host: host, commit: commits[host] + count, afterWrites: true, sendsLeave: true)
        world.death = death
    }

    mutating func restart(_ name: String) throws {
        let host = try index(name)
        wished = ""
        say("\(name) starts again from the disk.")
        world.restart(host)
        tell()
    }

    /// `cheat` sends bytes that their honest agent would not send.
    mutating func smuggle(_ message: Message, from cheat: String, to name: String) throws {
        let (source, target) = (try index(cheat), try index(name))
        let link = try require(
            world.hosts[source].node.peers.all.first { $0.facts.peer == world.key(target) }?.id)
        var effects = Effects()
        effects.sends = [Effects.Transmission(link: link, bytes: message.encode())]
        head("\(cheat)'s cheating program")
        show(effects, of: source)
        world.carry(source, effects)
        rest()
    }

    /// A sentence between the turns.
    mutating func say(_ text: String) { lines += ["", text] }

    /// An instance name; those of earlier hosts are smaller.
    private func label(_ index: Int) -> String { String(repeating: "0", count: 15) + String(index) }
}

// MARK: - Telling

extension Play {
    /// Writes down what happened since.
    private mutating func tell() {
        for turn in world.watched ?? [] { tell(turn) }
        world.watched = []
    }

    private mutating func tell(_ turn: World.Turn) {
        let cause = cause(turn)
        for case .entry(let entry, _) in turn.effects.writes { words.names.learn(entry) }
        let dies = fatal(turn)
        guard isTelling, isShown(turn.effects) || dies else { return }
        head("\(people[turn.host])\(cause)", at: turn.at)
        show(turn.effects, of: turn.host, isFatal: dies)
    }

    /// Whether this turn is the last one of its agent's life.
    private mutating func fatal(_ turn: World.Turn) -> Bool {
        guard !turn.effects.writes.isEmpty else { return false }
        commits[turn.host] += 1
        guard let end = death, end.host == turn.host, end.commit == commits[turn.host] else {
            return false
        }
        death = nil
        return true
    }

    private func isShown(_ effects: Effects) -> Bool {
        let isQuiet =
            effects.writes.isEmpty && effects.closes.isEmpty && effects.replies.isEmpty
            && effects.notices.isEmpty && effects.dials.isEmpty
        var words = words
        return !isQuiet
            || effects.sends.contains { send in
                !words.frames(send.bytes).allSatisfy(Self.isPulse)
            }
    }

    /// PING and PONG say only that a link lives.
    private static func isPulse(_ frame: String) -> Bool {
        frame.hasPrefix("PING ") || frame.hasPrefix("PONG ")
    }

    private mutating func head(_ text: String, at time: Instant? = nil) {
        let milliseconds = (time ?? world.now.instant).nanoseconds / 1_000_000
        let fraction = ("00" + String(milliseconds % 1000)).suffix(3)
        let clock = "\(milliseconds / 1000).\(fraction) s"
        let indent = String(repeating: " ", count: max(0, 10 - clock.count))
        lines += ["", "\(indent)\(clock)  \(text)"]
    }

    private mutating func show(_ effects: Effects, of host: Int, isFatal: Bool = false) {
        for write in effects.writes { part("durable", words.row(write)) }
        for send in effects.sends {
            for frame in words.frames(send.bytes) where !Self.isPulse(frame) {
                part("sends", "\(end(send.link)): \(frame)")
            }
        }
        if isFatal { return part("dies", "the process is gone, the disk stays") }
        for link in effects.closes { part("closes", "the connection with \(end(link))") }
        for reply in effects.replies { part("answer", answer(reply.result)) }
        for notice in effects.notices { part("told", words.told(notice)) }
        for dial in effects.dials {
            let target = people.indices.first { world.address($0) == dial.address }
            part("dials", target.map { people[$0] } ?? "nobody")
        }
    }

    private func end(_ link: LinkID) -> String {
        guard let end = ends[link] else { return "a stranger" }
        return "to \(words.person(end.peer))\(end.isRelayed ? " (sealed)" : "")"
    }

    private mutating func answer(_ result: Result<IntentReply, Refusal>) -> String {
        switch result {
        case .success(.done): "done"
        case .success(.entry): "written"
        case .success(.message(let message)): words.message(message)
        case .success(.request(let number)): "request \(number)"
        case .success(.later(let seconds)): "written in \(seconds) s"
        case .success(.stay(let stay)): "at place \(stay.place)"
        case .success(.asked): "asked"
        case .success(.form(let form)): "form \(form.form.number)"
        case .success(.entries(let ids)): "written, \(ids.count) entries"
        case .success(.desk(let reply)): "the desk: \(reply)"
        case .failure(let refusal): "refused, \(refusal)"
        }
    }

    /// One part of a turn, wrapped at 100 columns.
    private mutating func part(_ what: String, _ text: String) {
        var line = "            " + what + String(repeating: " ", count: 9 - what.count)
        let indent = String(repeating: " ", count: line.count + 2)
        for (index, word) in text.split(separator: " ").enumerated() {
            if index > 0 {
                if line.count + word.count + 1 > 100 {
                    lines.append(line)
                    line = indent
                } else {
                    line += " "
                }
            }
            line += word
        }
        lines.append(line)
    }

    /// What the turn began with, in words.
    private mutating func cause(_ turn: World.Turn) -> String {
        switch turn.event {
        case .started: return " starts the agent"
        case .connected(let link, let facts):
            ends[link] = (facts.peer, facts.circuit != nil)
            let way = facts.role == .initiator ? "makes" : "accepts"
            let relay = facts.circuit == nil ? "" : " over a relay"
            return " \(way) a TLS connection with \(words.person(facts.peer))\(relay)"
        case .received(let link, let bytes):
            let names = complete(bytes, on: link).joined(separator: ", ")
            return " takes \(names) from \(ends[link].map { words.person($0.peer) } ?? "somebody")"
        case .drained: return "'s bytes are out"
        case .ended(let link):
            return " loses the connection with \(ends[link].map { words.person($0.peer) } ?? "")"
        case .dialFailed: return " reaches nobody there"
        case .found: return " sees an announcement"
        case .lost: return " misses an announcement"
        case .labelled: return " is announced"
        case .typed: return " learns an address"
        case .networks: return " learns the own networks"
        case .intent: return " \(wished)"
        case .sealed: return "'s TLS of a circuit has bytes"
        case .circuitEnded: return "'s circuit ended"
        case .ownLength: return " finds how long its log is"
        case .mailed: return " reads entries at the meeting point"
        case .lettered: return " reads letters at the meeting point"
        case .hours: return " learns other hours"
        case .desk: return " learns other terms of its desk"
        case .stopping: return " stops"
        case .probeOwnLog: return " asks who has its log"
        case .tick: return "'s deadline comes"
        }
    }

    /// Names of the frames that are whole with these bytes.
    private mutating func complete(_ bytes: [UInt8], on link: LinkID) -> [String] {
        var decoder = heard[link] ?? FrameDecoder(limit: Limits.frame)
        decoder.append(bytes)
        var names: [String] = []
        while let frame = try? decoder.next() { names.append(Words.type(of: frame)) }
        heard[link] = decoder
        return names
    }

    // MARK: The end

    /// The seat map at the end, once for all who see the same.
    mutating func ending() {
        var groups: [(who: [String], seats: [String])] = []
        for (index, name) in people.enumerated() {
            let seats = seats(seenBy: index)
            if let same = groups.firstIndex(where: { $0.seats == seats }) {
                groups[same].who.append(name)
            } else {
                groups.append(([name], seats))
            }
        }
        for (who, seats) in groups {
            say("Seats at the end, as \(Words.list(who)) \(who.count == 1 ? "sees" : "see") them:")
            lines += seats.map { "  " + $0 }
        }
    }

    private func seats(seenBy index: Int) -> [String] {
        let node = world.hosts[index].node
        let places = node.seatView.places.map { place in
            let name = place.seat.text + String(repeating: " ", count: 5 - place.seat.text.count)
            switch place.holding {
            case .open: return name + "nobody who counts"
            case .held(let key): return name + words.person(key)
            case .disputed(let keys): return name + "disputed: \(words.people(keys))"
            }
        }
        return places + node.fold.forks.map { "\(words.person($0.author)) forked at \($0.seq)" }
    }
}
