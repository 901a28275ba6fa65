// SPDX-License-Identifier: Apache-2.0
@testable import Protocol

/// Frames in the words of docs/protocol.md: the name of the type and the fields that matter.
extension Words {
    /// All frames in `bytes`, which are whole.
    mutating func frames(_ bytes: [UInt8]) -> [String] {
        var decoder = FrameDecoder(limit: Limits.frame)
        decoder.append(bytes)
        var out: [String] = []
        while let frame = try? decoder.next() { out.append(self.frame(frame)) }
        return out
    }

    /// The name of a frame's type.
    static func type(of frame: Frame) -> String {
        FrameType(rawValue: frame.type).map(type) ?? "type \(frame.type)"
    }

    private static func type(_ type: FrameType) -> String {
        switch type {
        case .hello: "HELLO"
        case .helloAck: "HELLO_ACK"
        case .frontier: "FRONTIER"
        case .want: "WANT"
        case .entries: "ENTRIES"
        case .forkProof: "FORKPROOF"
        case .have: "HAVE"
        case .lazy: "LAZY"
        case .peerExchange: "PEX"
        case .ping: "PING"
        case .pong: "PONG"
        case .verifyStart: "SAS_START"
        case .verifyEnd: "SAS_END"
        case .verifyNonce: "SAS_NONCE"
        case .verifyOpen: "SAS_OPEN"
        case .verifyMAC: "SAS_MAC"
        case .propose: "PROPOSE"
        case .ready: "READY"
        case .decline: "DECLINE"
        case .withdraw: "WITHDRAW"
        case .prepare: "PREPARE"
        case .vote: "VOTE"
        case .certificate: "CERT"
        case .query: "QUERY"
        case .status: "STATUS"
        case .directMessage: "DM"
        case .directAck: "DM_ACK"
        case .close: "CLOSE"
        case .ask: "ASK"
        case .relayOpen: "RELAY_OPEN"
        case .relayReady: "RELAY_READY"
        case .relayData: "RELAY_DATA"
        case .relayTook: "RELAY_TOOK"
        case .relayEnd: "RELAY_END"
        case .layout: "LAYOUT"
        case .layouts: "LAYOUTS"
        case .form: "FORM"
        case .formAck: "FORM_ACK"
        case .venueMark: "VENUE_MARK"
        case .venue: "VENUE"
        case .statement: "STATEMENT"
        case .statements: "STATEMENTS"
        case .asks: "ASKS"
        case .summary: "SUMMARY"
        case .peerChange: "PEX_CHANGE"
        }
    }

    private mutating func frame(_ frame: Frame) -> String {
        let name = Self.type(of: frame)
        guard let message = try? Message.decode(frame) else { return name }
        let fields = fields(message)
        return fields.isEmpty ? name : "\(name) \(fields)"
    }

    private mutating func fields(_ message: Message) -> String {
        switch message {
        case .hello(let hello): return fields(hello)
        case .helloAck(let ack): return "minor \(ack.minor), proof \(ack.matched) fits"
        case .frontier(let frontier): return fields(frontier)
        case .want(let want):
            return want.stretches.map { "\(person($0.author)) \($0.from) to \($0.through)" }
                .joined(separator: ", ")
        case .entries(let batch): return "\(Self.kind(batch.kind)): \(entries(batch.entries))"
        case .forkProof(let first, let second): return "\(entry(first)) and \(entry(second))"
        case .have(let all):
            return all.map { "\(person($0.author)) \($0.seq)" }.joined(separator: ", ")
        case .lazy: return ""
        case .peerExchange(let hints), .peerChange(let hints):
            return hints.map { hint($0) }.joined(separator: ", ")
        case .summary(let summary):
            return fields(FrontierMessage(logs: summary.logs, map: summary.map, items: nil))
        case .ping(let number), .pong(let number): return String(number)
        case .swap(let message): return fields(message)
        case .directMessage(let id, let text):
            return "\(names.name(.message, id.bytes).name), \"\(text)\""
        case .directAck(let id): return names.name(.message, id.bytes).name
        case .verify(let message): return fields(message)
        case .relay(let message): return fields(message)
        case .layout(.suggestion(let suggestion)): return "of \(person(suggestion.author))"
        case .layout(.known(_, let marks)): return marks == nil ? "without marks" : "with marks"
        case .venue(let message): return fields(message)
        case .close(let code, let text):
            return "\(CloseCode(rawValue: code).map { "\($0)" } ?? String(code))\(note(text))"
        }
    }

    private mutating func fields(_ message: VenueMessage) -> String {
        switch message {
        case .mark(let mark): "revision \(mark.revision)"
        case .page(let page): "revision \(page.revision)"
        case .statement(let statement): "of \(person(statement.author))"
        case .digests, .askDigests: "digests"
        case .marks(let list): "bucket \(list.bucket), marks: \(list.marks.count)"
        case .askMarks(let list): "bucket \(list.bucket), marks: \(list.marks.count)"
        case .form(_, let form): "kind \(form.number)"
        case .formAck(_, let state, _): "\(state)"
        }
    }

    private func fields(_ hello: Hello) -> String {
        let purpose = hello.features & Hello.onDemand != 0 ? ", made for a purpose" : ""
        return "minors \(hello.minors.lowerBound) to \(hello.minors.upperBound), "
            + "fold version \(hello.foldVersion), port \(hello.port), "
            + "proofs: \(hello.proofs.count)\(purpose)"
    }

    private mutating func fields(_ frontier: FrontierMessage) -> String {
        let digests =
            "logs \(names.name(.logs, frontier.logs.bytes).name), "
            + "map \(names.name(.map, frontier.map.bytes).name)"
        guard let items = frontier.items else { return digests }
        let list = items.map { item in
            "\(person(item.author)) \(item.seq)"
                + (item.fork == 0 ? "" : " forked at \(item.fork)")
        }
        let text = list.isEmpty ? "none" : list.joined(separator: ", ")
        return "\(digests), \(frontier.isPartial ? "changed" : "items"): \(text)"
    }

    private func hint(_ hint: PeerHint) -> String {
        let place = hint.address.host.isEmpty ? "" : " at \(hint.address.host)"
        return person(hint.key) + place + (hint.isLinked ? " (linked)" : "")
    }

    private static func kind(_ kind: EntryBatch.Kind) -> String {
        switch kind {
        case .push: "kind 0 (pushed)"
        case .answer: "kind 1 (more follows)"
        case .last: "kind 2 (last)"
        }
    }
}
