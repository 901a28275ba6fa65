// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// What of an event and of its effects goes into the digest of a run: everything that another order
/// of a set or dictionary could change.
extension Mixer {
    mutating func add(_ event: NodeEvent) {
        switch event {
        case .started: add(1)
        case .connected(let link, let facts):
            add(2)
            add(link.number)
            add(facts.peer.raw.prefix8)
        case .received(let link, let bytes):
            add(3)
            add(link.number)
            add(bytes)
        case .drained(let link, let pending):
            add(4)
            add(link.number)
            add(pending)
        case .ended(let link):
            add(5)
            add(link.number)
        case .dialFailed(let number):
            add(6)
            add(number)
        case .found(let label, let addresses):
            add(7)
            add(label)
            add(addresses.count)
        case .lost(let label):
            add(8)
            add(label)
        case .labelled(let label):
            add(9)
            add(label)
        case .typed(let address):
            add(10)
            add(address.host)
        case .intent(let token, _):
            add(11)
            add(token)
        case .sealed(let circuit, let bytes):
            add(12)
            add(circuit.number)
            add(bytes)
        case .circuitEnded(let circuit):
            add(13)
            add(circuit.number)
        case .stopping: add(14)
        case .probeOwnLog: add(19)
        case .tick: add(15)
        case .networks(let networks):
            add(16)
            add(networks.prefixes.count)
        case .hours: add(17)
        case .desk: add(18)
        case .mailed(let entries):
            add(20)
            for entry in entries { add(entry) }
        case .ownLength(let length):
            add(21)
            add(length)
        case .lettered(let mail):
            add(22)
            for letter in mail.letters { add(letter.kind) }
        }
    }

    mutating func add(_ effects: Effects) {
        for write in effects.writes { add(write) }
        for send in effects.sends {
            add(send.link.number)
            add(send.bytes)
        }
        for link in effects.closes { add(link.number) }
        for hold in effects.holds { add(hold.link.number) }
        for link in effects.proven { add(link.number) }
        for dial in effects.dials {
            add(dial.number)
            add(dial.address.host)
        }
        add(effects.circuits.count)
        add(effects.browse.map { $0 ? 1 : 2 } ?? 0)
        for reply in effects.replies {
            add(reply.token)
            if case .success = reply.result { add(1) }
        }
        for notice in effects.notices { add(notice) }
    }

    private mutating func add(_ write: Write) {
        switch write {
        case .entry(let entry, _): add(entry.id.raw.prefix8)
        case .forkProof(let proof): add(proof.first.id.raw.prefix8)
        case .lock(let lock): add(lock.slot.token.raw.prefix8)
        case .unlock(let lock): add(~lock.slot.token.raw.prefix8)
        case .swap(let record):
            add(record.number)
            add(record.stage.rawValue)
        case .forgotten(let record): add(~record.number)
        case .message(let message):
            add(message.id.bytes)
            add(message.state.rawValue)
        case .verified(let peer): add(peer.key.raw.prefix8)
        case .unverified(let key): add(~key.raw.prefix8)
        case .block(let key, let blocked):
            add(key.raw.prefix8)
            add(blocked ? 1 : 0)
        case .layout(let suggestion):
            add(suggestion.revision)
            add(suggestion.layout)
        case .wish(let wish): add(wish.encode())
        case .party(let state): add(state)
        case .stay(let statement), .statement(_, let statement): add(statement.body)
        case .forgetStatement(let id): add(id.prefix8)
        case .form(let form): add(form.form.encoded)
        case .forgetForm(let key): add(key.id.bytes)
        }
    }

    private mutating func add(_ state: PartyState?) {
        for secret in state?.secrets ?? [] { add(secret.bytes) }
        for member in state?.members ?? [] {
            add(member.key.raw.prefix8)
            add(member.standing.rawValue)
        }
    }

    private mutating func add(_ notice: Notice) {
        switch notice {
        case .aboard(let key): add(key.raw.prefix8)
        case .left(let key): add(~key.raw.prefix8)
        case .renamed(let key, _, _): add(key.raw.prefix8 &+ 1)
        case .chat(let item): add(item.id.raw.prefix8)
        case .message(let message): add(message.state.rawValue)
        case .offer(let key, _): add(key.raw.prefix8 &+ 2)
        case .map: add(21)
        case .swap(let notice): add(notice.record.number)
        case .verification: add(23)
        case .unverified: add(24)
        case .trouble: add(25)
        case .caughtUp: add(26)
        case .layouts: add(27)
        case .party(.candidate(let key)): add(key.raw.prefix8 &+ 3)
        case .party(.line(let line)): add(line.id.raw.prefix8 &+ 4)
        case .party(.removed(let key, _)): add(key.raw.prefix8 &+ 5)
        case .party(.changed): add(28)
        case .attendance: add(29)
        case .venue(let page): add(page.revision)
        case .book: add(30)
        case .desk: add(31)
        case .ask: add(32)
        case .asks: add(33)
        case .form(let form): add(form.key.id.bytes)
        case .counter: add(34)
        }
    }
}

/// Lines of a trace.
func brief(_ event: NodeEvent) -> String {
    switch event {
    case .received(let link, let bytes):
        "received \(link.number): \(frames(bytes)) \(bytes.count) B"
    case .sealed(let circuit, let bytes): "sealed \(circuit.number): \(bytes.count) B"
    case .connected(let link, let facts):
        "connected \(link.number) to \(facts.peer.shortTag) as \(facts.role)"
    case .intent(_, let intent): "intent \(intent)".prefix(160).description
    case .drained(let link, let pending): "drained \(link.number), \(pending) wait"
    case .ended(let link): "ended \(link.number)"
    case .found(let label, let addresses): "found \(label) at \(addresses.map(\.text))"
    case .dialFailed(let number): "dial \(number) failed"
    case .ownLength(let length): "own log of \(length)"
    case .mailed(let entries): "\(entries.count) entries by a meeting point"
    case .lettered(let mail): "\(mail.letters.count) letters by a meeting point"
    case .hours: "other hours"
    case .desk: "other terms of the desk"
    case .started, .lost, .labelled, .typed, .networks, .circuitEnded, .stopping, .probeOwnLog,
        .tick:
        "\(event)"
    }
}

func brief(_ effects: Effects) -> String? {
    var parts: [String] = []
    for write in effects.writes {
        switch write {
        case .entry(let entry, _):
            parts.append("writes \(entry.author.shortTag)@\(entry.seq) \(words(entry.body))")
        case .forkProof(let proof):
            parts.append("writes fork \(proof.author.shortTag)@\(proof.seq)")
        case .swap(let record):
            parts.append(
                "writes swap \(record.number) \(record.contract.id.hex.prefix(6)) \(record.stage)")
        case .forgotten(let record): parts.append("forgets swap \(record.number)")
        case .lock(let lock): parts.append("locks for \(lock.contract.hex.prefix(6))")
        case .unlock(let lock): parts.append("unlocks \(lock.contract.hex.prefix(6))")
        case .message(let message): parts.append("writes message \(message.state)")
        case .layout(let suggestion): parts.append("writes layout \(suggestion.revision)")
        case .verified, .unverified, .block, .wish, .party, .stay, .statement, .forgetStatement,
            .form, .forgetForm:
            parts.append("writes other")
        }
    }
    for send in effects.sends { parts.append("sends \(send.link.number): \(frames(send.bytes))") }
    for link in effects.closes { parts.append("closes \(link.number)") }
    for dial in effects.dials { parts.append("dials \(dial.address.text)") }
    for case .trouble(let trouble) in effects.notices {
        parts.append("trouble \(trouble)".prefix(120).description)
    }
    for case .swap(let notice) in effects.notices {
        parts.append("swap \(notice.record.number): \(notice.what)".prefix(120).description)
    }
    for reply in effects.replies {
        if case .failure(let refusal) = reply.result {
            parts.append("refuses: \(refusal)".prefix(120).description)
        }
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
}

func words(_ body: EntryBody) -> String {
    switch body {
    case .vote(let vote): "\(vote.yes ? "yes" : "no") to \(vote.contract.hex.prefix(6))"
    case .commit(let commit): "commit \(commit.contract.id.hex.prefix(6))"
    case .abandon(let contract, _): "abandon \(contract.hex.prefix(6))"
    case .claim(let seat, _): "claim \(seat.text)"
    case .retract: "retract"
    case .seated(let contract, let sits): "\(sits ? "" : "not ")seated by \(contract.hex.prefix(6))"
    case .hosting(let said): "\(said.holds ? "" : "no ")\(said.role)"
    case .genesis, .profile, .chat, .wish, .sealed, .unknown, .vouch, .ledger, .end:
        "type \(body.type)"
    }
}

/// Names of the frames in `bytes`, as far as these begin with a whole one,
/// with what matters in them.
func frames(_ bytes: [UInt8]) -> String {
    var names: [String] = []
    for range in frameRanges(bytes) {
        let type = bytes[range.lowerBound + 4]
        let payload = Array(bytes[range].dropFirst(5))
        let message = try? Message.decode(Frame(type: type, payload: payload))
        let name = FrameType(rawValue: type).map { "\($0)" } ?? "?"
        names.append(name + (message.map(details) ?? ""))
    }
    return names.joined(separator: ",")
}

private func details(_ message: Message) -> String {
    let codec = EntryCodec(FakePrimitives())
    func places(_ entries: [[UInt8]]) -> String {
        let texts = entries.map { bytes -> String in
            guard let entry = try? codec.decode(bytes) else { return "?" }
            return "\(entry.author.shortTag)@\(entry.seq) \(words(entry.body))"
        }
        return "(\(texts.joined(separator: ", ")))"
    }
    switch message {
    case .want(let want):
        let stretches = want.stretches.map { "\($0.author.shortTag) \($0.from)-\($0.through)" }
        return "(\(stretches.joined(separator: ", ")))"
    case .entries(let batch): return places(batch.entries)
    case .swap(.vote(let vote)): return places(vote.entries)
    case .forkProof(let one, let other): return places([one, other])
    case .swap(.status(let status)): return places(status.votes)
    case .have(let list):
        return "(\(list.map { "\($0.author.shortTag) \($0.seq)" }.joined(separator: ", ")))"
    case .layout(.suggestion(let suggestion)):
        return "(\(suggestion.author.shortTag) \(suggestion.revision))"
    case .hello, .helloAck, .frontier, .summary, .lazy, .peerExchange, .peerChange, .ping, .pong,
        .directMessage, .directAck, .swap, .verify, .relay, .layout, .venue, .close:
        return ""
    }
}

/// Where the frames stand in bytes that begin with one.
func frameRanges(_ bytes: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    while start + 5 <= bytes.count {
        let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        guard length > 0, start + 4 + length <= bytes.count else { break }
        ranges.append(start..<start + 4 + length)
        start += 4 + length
    }
    return ranges
}
