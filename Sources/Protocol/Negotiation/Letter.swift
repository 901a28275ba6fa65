// SPDX-License-Identifier: Apache-2.0
/// What one passenger leaves at a meeting point for another who is away: what a session would say,
/// or a standing answer (docs/meet.md section 4).
package struct Letter: Hashable, Sendable {
    /// What it says.
    package enum Body: Hashable, Sendable {
        /// ASK, PROPOSE, DECLINE, WITHDRAW or DM. The seconds of a request are left open: they
        /// count from when the letter is made.
        case message(Message)
        /// The asked would do it, and binds nothing.
        case standing(StandingAnswer)
    }

    /// What it says.
    package var body: Body
    /// When it is over.
    package var until: UTCTime

    /// A letter that counts until a time.
    package init(_ body: Body, until: UTCTime) {
        self.body = body
        self.until = until
    }

    /// The kind of a standing answer, which no frame has.
    package static let standingKind = 101

    /// The number of its kind.
    package var kind: Int {
        switch body {
        case .message(let message): Int(message.type.rawValue)
        case .standing: Self.standingKind
        }
    }

    /// The request or the message that it is about.
    package var thread: ThreadID? {
        switch body {
        case .message(.swap(let message)): message.requested
        case .message(.directMessage(let id, _)): id
        case .message: nil
        case .standing(let answer): answer.thread
        }
    }

    /// Its bytes in a list that is made at a time: the seconds of a request count from there.
    package func payload(made: UTCTime) -> [UInt8] {
        switch body {
        case .standing(let answer): answer.encoded
        case .message(.swap(let message)):
            Self.bytes(.swap(message.lasting(until.seconds - made.seconds)))
        case .message(let message): Self.bytes(message)
        }
    }

    private static func bytes(_ message: Message) -> [UInt8] {
        // Without the length and the type of a frame.
        Array(message.encode().dropFirst(5))
    }

    /// Reads one of a list that was made at a time and counts until another. Throws for a kind that
    /// does not go by letter, and for what no agent writes.
    package init(
        kind: Int, _ payload: [UInt8], made: UTCTime, until: UTCTime, rules: MessageRules = .flight
    ) throws(DecodeError) {
        guard kind != Self.standingKind else {
            let answer = try StandingAnswer(decoding: payload)
            self.init(.standing(answer), until: min(answer.until, until))
            return
        }
        let message: Message?
        do throws(Message.Fault) {
            message = try Message.decode(
                UInt8(truncatingIfNeeded: kind), payload.span.bytes, rules)
        } catch {
            guard case .payload(let fault) = error else { throw DecodeError(.badValue) }
            throw fault
        }
        guard let message, Int(message.type.rawValue) == kind else { throw DecodeError(.badValue) }
        guard message.goesByLetter else { throw DecodeError(.badValue) }
        let end = message.lasts.map { UTCTime(seconds: made.seconds &+ Int64($0)) }
        self.init(.message(message), until: min(end ?? until, until))
    }
}

/// "I would do exactly this, until then": binds nothing (docs/meet.md section 4).
package struct StandingAnswer: Hashable, Sendable {
    /// The request.
    package var thread: ThreadID
    /// Its revision.
    package var revision: Int
    /// Its contract.
    package var contract: ContractID
    /// When the yes ends.
    package var until: UTCTime

    /// A yes that waits for the asker.
    package init(thread: ThreadID, revision: Int, contract: ContractID, until: UTCTime) {
        self.thread = thread
        self.revision = revision
        self.contract = contract
        self.until = until
    }

    /// Reads one. Throws for what no agent writes.
    package init(decoding bytes: [UInt8]) throws(DecodeError) {
        var reader = CBORReader(bytes.span.bytes)
        try reader.array(4)
        thread = try ThreadID.read(&reader)
        revision = try reader.uint(in: 1...Limits.revisions)
        contract = try reader.value(ContractID.self)
        until = UTCTime(seconds: Int64(try reader.uint()))
        try reader.finish()
    }

    /// Its bytes.
    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 96)
        writer.array(4)
        thread.write(to: &writer)
        writer.uint(revision)
        writer.value(contract)
        writer.uint(Int(until.seconds))
        return writer.bytes
    }
}

/// What waits for one passenger, or what they left for this one: all that is open.
public struct Mail: Hashable, Sendable {
    /// The other passenger.
    package var peer: PeerKey
    /// None where nothing is open.
    package var letters: [Letter]

    /// Letters to or from a passenger.
    package init(_ peer: PeerKey, _ letters: [Letter]) {
        self.peer = peer
        self.letters = letters
    }
}

extension Message {
    /// Whether it goes by letter.
    var goesByLetter: Bool {
        switch self {
        case .swap(let message): message.goesByLetter
        case .directMessage: true
        case .hello, .helloAck, .frontier, .want, .entries, .forkProof, .have, .lazy,
            .peerExchange, .summary, .peerChange, .ping, .pong, .directAck, .verify, .relay,
            .layout, .venue, .close:
            false
        }
    }

    /// Seconds for which it stands, if it is a request.
    fileprivate var lasts: Int? {
        switch self {
        case .swap(let request): request.lasts
        default: nil
        }
    }
}

extension SwapMessage {
    /// Whether it goes by letter: nothing that binds does.
    var goesByLetter: Bool {
        switch self {
        case .propose, .ask, .decline, .withdraw: true
        case .ready, .prepare, .vote, .certificate, .query, .status: false
        }
    }

    /// The negotiation that it is about, of those that go by letter.
    var requested: ThreadID? {
        switch self {
        case .propose(let proposal): proposal.thread
        case .ask(let ask): ask.thread
        case .decline(let decline): decline.thread
        case .withdraw(let withdraw): withdraw.thread
        case .ready, .prepare, .vote, .certificate, .query, .status: nil
        }
    }

    /// Seconds for which a request stands.
    var lasts: Int? {
        switch self {
        case .propose(let proposal): proposal.expires
        case .ask(let ask): ask.expires
        case .ready, .decline, .withdraw, .prepare, .vote, .certificate, .query, .status: nil
        }
    }

    /// The same request for so many seconds, as far as one may stand.
    func lasting(_ seconds: Int64) -> Self {
        let most = Limits.offerTimeMax.wholeSeconds
        let expires = Int(min(max(1, seconds), most))
        switch self {
        case .propose(var proposal):
            proposal.expires = expires
            return .propose(proposal)
        case .ask(var ask):
            ask.expires = expires
            return .ask(ask)
        case .ready, .decline, .withdraw, .prepare, .vote, .certificate, .query, .status:
            return self
        }
    }

    /// An ASK that counts for no session: without a head.
    func unsaid(by peer: PeerKey) -> Self {
        switch self {
        case .ask(var ask):
            ask.head = LogHead(author: peer, seq: 0, id: EntryID(.zero))
            return .ask(ask)
        case .propose, .ready, .decline, .withdraw, .prepare, .vote, .certificate, .query, .status:
            return self
        }
    }
}
