// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// One message of every kind, and the extremes of some.
enum MessageSamples {
    static let key = FakeSigner(3).key
    static let thread = ThreadID([UInt8](0..<16))
    static let head = LogHead(author: key, seq: 7, id: EntryID(.zero))

    static func all() throws -> [Message] {
        let thread = try require(thread)
        let other = FakeSigner(4).key
        let long = String(repeating: "é", count: Limits.note / 2)
        let item = FrontierItem(author: key, seq: 4096, head8: UInt64.max, fork: 4096)
        let last = FrontierItem(author: other, seq: 0, head8: 0, fork: 1)
        let heads = [head, LogHead(author: other, seq: 0, id: EntryID(.zero))]
        let first: [Message] = [
            .hello(hello), .helloAck(HelloAck(minor: 0, matched: 3)),
            .frontier(FrontierMessage(logs: .zero, map: .zero, items: nil)),
            .frontier(FrontierMessage(logs: .zero, map: .zero, items: [item, last])),
            .want(
                Want(
                    budget: Limits.wantBudget,
                    stretches: [Want.Stretch(author: key, from: 1, through: 4096)])),
            .entries(EntryBatch(kind: .push, entries: [[1], [2, 3]])),
            .entries(EntryBatch(kind: .last, entries: [])),
            .forkProof(first: [1, 2], second: [3]), .have([Have(author: key, seq: 1)]),
            .ping(0), .pong(Int.max),
            .propose(
                Proposal(
                    thread: thread, revision: 64, contract: [9], note: long, expires: 86_400)),
            .ask(
                Ask(
                    thread: thread, contract: [9], note: long, expires: 86_400, head: head)),
            .ready(Ready(thread: thread, contract: ContractID(.zero), head: head)),
            .decline(Decline(thread: thread, revision: 1, note: "")),
            .withdraw(Withdraw(thread: thread, reason: .lapsed)),
            .prepare(Prepare(thread: thread, contract: [1], heads: heads)),
            .vote(VoteMessage(entries: [[1, 2, 3]])),
            .certificate(Certificate(contract: [1], votes: [[2], [3]], claims: [])),
            .query(ContractID(.zero)), .status(Status(contract: ContractID(.zero), votes: [[1]])),
            .directMessage(id: thread, text: String(repeating: "x", count: Limits.chatText)),
            .directAck(id: thread), .lazy,
            .frontier(FrontierMessage(logs: .zero, map: .zero, items: [item], isPartial: true)),
            .peerExchange([
                PeerHint(
                    key: key, address: PeerAddress(host: "fd00::1", port: 65_535), isLinked: true),
                PeerHint(key: other, address: PeerAddress(host: "", port: 0), isLinked: false),
            ]),
            .summary(
                SummaryMessage(
                    logs: .zero, map: .zero,
                    buckets: (0..<UInt64(Limits.buckets)).map { UInt64.max - $0 })),
            .peerChange([]),
            .peerChange([
                PeerHint(key: other, address: PeerAddress(host: "", port: 0), isLinked: false)
            ]),
            .verify(.start(thread, method: 1, commitment: .zero)), .verify(.nonce(thread, .zero)),
            .verify(.open(thread, .zero)), .verify(.mac(thread, .zero)),
            .verify(.end(thread, .mismatch)),
            .relay(.open(1 << 31, key, isIncoming: true)), .relay(.ready(0)),
            .relay(.data(3, Array(repeating: 7, count: Limits.bulkSlice))),
            .relay(.took(3, Limits.circuitWindow)), .relay(.end(4, .spent)),
            .close(code: 65_535, text: String(repeating: "y", count: Limits.closeText)),
        ]
        return first + layouts(other) + venues
    }

    private static func layouts(_ other: PeerKey) -> [Message] {
        [
            .layout(.suggestion(layout)),
            .layout(
                .suggestion(
                    LayoutSuggestion(
                        author: other, revision: Limits.layoutRevisions.upperBound,
                        signature: Array(repeating: 5, count: 64),
                        layout: Array(repeating: 0x20, count: Limits.layout)))),
            .layout(.known(digest: .zero, marks: nil)),
            .layout(
                .known(
                    digest: .zero,
                    marks: [
                        LayoutMark(author: key, revision: 4_294_967_295, hash: .zero),
                        LayoutMark(author: other, revision: 1, hash: .zero),
                    ])),
        ]
    }

    private static var venues: [Message] {
        [
            .venue(.mark(.none)),
            .venue(.mark(PageMark(revision: 65_535, hash: .zero))),
            .venue(.page(MadeUpVenue.page(1, "{}"))),
            .venue(
                .statement(
                    MadeUpVenue.statement(FakeSigner(3), 1, at: 4095, since: 0, until: 9))),
            .venue(.digests(Array(repeating: .zero, count: 64))),
            .venue(.askDigests(Array(repeating: .zero, count: 64))),
        ] + lists.map { .venue(.marks($0)) } + askLists.map { .venue(.askMarks($0)) } + forms
    }

    private static var askLists: [AskList] {
        let mark = AskMark(asker: key, id: .zero)
        let bucket = StatementBuckets.bucket(of: key)
        return [
            try? AskList(bucket: 63, []), try? AskList(bucket: bucket, [mark]),
            try? AskList(bucket: bucket, after: key, []),
            try? AskList(bucket: bucket, last: key, [mark]),
        ].compactMap { $0 }
    }

    private static var forms: [Message] {
        guard let thread else { return [] }
        let long = String(repeating: "x", count: Limits.formText)
        let fields = (0..<Limits.formFields).map { number in
            VenueForm.Field(number: 240 + number, text: long)
        }
        let forms = [VenueForm(.erase, []), VenueForm(.join, fields)].compactMap { $0 }
        return forms.map { .venue(.form(thread, $0)) } + [
            .venue(.formAck(thread, .kept, text: "")),
            .venue(
                .formAck(
                    thread, .unknown, text: String(repeating: "é", count: Limits.formAnswer / 2))),
        ]
    }

    private static var lists: [StayList] {
        let mark = StayMark(author: key, revision: 4_294_967_295, id: .zero)
        let bucket = StatementBuckets.bucket(of: key)
        return [
            try? StayList(bucket: 63, []), try? StayList(bucket: bucket, [mark]),
            try? StayList(bucket: bucket, after: key, []),
            try? StayList(bucket: bucket, last: key, [mark]),
        ].compactMap { $0 }
    }

    static let layout = LayoutSuggestion(
        author: key, revision: 1, signature: Array(repeating: 4, count: 64), layout: [])

    static let hello = Hello(
        minors: 0...0, foldVersion: 2, boot: 0x0102_0304_0506_0708, connection: 9,
        maxFrame: Limits.frame, port: 65_535, proofs: [Array(repeating: 1, count: 16)],
        features: 0)
}
