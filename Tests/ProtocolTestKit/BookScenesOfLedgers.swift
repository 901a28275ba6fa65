// SPDX-License-Identifier: Apache-2.0
import Protocol

/// Scenes of several ledgers, of swaps, and of entries that are refused.
extension BookScenes {
    func ledgers() throws -> [Scene] {
        var (small, large) = (try desk(0), try desk(1))
        try small.block(1, 0, 10, 60)
        try large.block(1, 0, 12, 60)
        var old = try desk(3)
        for hour in [10, 12, 14] { try old.block(1, 0, hour, 60) }
        var new = try desk(1, epoch: 2, before: [old.counts(to: 3)])
        for hour in [10, 12] { try new.block(1, 0, hour, 60) }
        let alone = try desk(1, epoch: 2)
        let second = try desk(2, epoch: 2, before: [old.counts()])
        let third = try desk(1, epoch: 7, before: [second.counts()])
        var branch = old
        branch.desk = old.desk.branch(at: 3)
        try branch.block(1, 0, 20, 60)
        var chat = old
        chat.desk = old.desk.branch(at: 1)
        try chat.desk.write(.chat(text: "no charter", replyTo: nil))
        var stranger = MadeUpLedger(signers[7], in: venue)
        try stranger.write(.genesis(name: "p", agent: "test"))
        // It names the log of somebody who is no desk, of whom less is known.
        let odd = try desk(
            1, epoch: 2,
            before: [old.counts(to: 4), Charter.Before(ledger: stranger.key, seq: 2)])
        return [
            scene("ledgers: two desks", small.desk, large.desk),
            scene("ledgers: an epoch goes on", old.desk, new.desk),
            scene("ledgers: an epoch goes on from nothing", old.desk, alone.desk),
            scene("ledgers: three epochs", old.desk, second.desk, third.desk),
            scene("ledgers: what is named is not known", old.desk.branch(at: 4), second.desk),
            scene(
                "ledgers: what waits, and all behind it", old.desk.branch(at: 4), second.desk,
                third.desk),
            scene("ledgers: the one before is not known at all", second.desk, third.desk),
            scene("ledgers: a fork before the end", old.desk, branch.desk, second.desk),
            scene("ledgers: forked, and counts before", old.desk, branch.desk),
            scene("ledgers: forked at the charter", old.desk, chat.desk, large.desk),
            scene("ledgers: it names a log that is none", old.desk, odd.desk, stranger),
        ]
    }

    func rescues() throws -> [Scene] {
        var (small, large) = (try desk(0), try desk(1))
        try small.block(1, 0, 10, 60)
        for (place, hour) in [(1, 14), (1, 10), (3, 10)] { try large.block(place, 0, hour, 60) }
        let both = try desk(3, epoch: 2, before: [small.counts(), large.counts(to: 5)])
        let only = try desk(3, epoch: 2, before: [large.counts(to: 5)])
        var first = try desk(2)
        for hour in [8, 10] { try first.block(1, 0, hour, 60) }
        var second = try desk(1, epoch: 2, before: [first.counts(to: 3)])
        try second.desk.charter(
            epoch: 2, revision: 2, try SmallVenue.rules(), before: [first.counts(to: 4)])
        let third = try desk(0, epoch: 3, before: [first.counts(to: 4), second.counts()])
        var members = try desk(2)
        try members.desk.member(5, 0, ada)
        let bytes = ThreadID(high: 1, low: 2)
        let hash = venue.primitives.sha256(bytes.bytes)
        try members.desk.note(.lotOpens(hash))
        var after = try desk(1, epoch: 2, before: [members.counts()])
        try after.grant(ada, of: 5, 3, 0, 8, 240)
        try after.desk.note(.lot(bytes, hash: hash))
        var lots = try desk()
        let other = ThreadID(high: 3, low: 4)
        for note: DeskNote in [
            .lot(bytes, hash: hash), .lotOpens(hash), .lot(bytes, hash: hash),
            .lot(bytes, hash: hash), .lotOpens(hash), .lot(other, hash: hash),
            .lot(bytes, hash: hash), .lotOpens(.zero), .lotOpens(hash),
            .waiting(ask: .zero, place: 1),
            .lot(bytes, hash: hash),
        ] { try lots.desk.note(note) }
        return [
            scene("rescue: both are named", small.desk, large.desk, both.desk),
            scene("rescue: the other one is named", small.desk, large.desk, only.desk),
            scene("epochs: only the first charter names", first.desk, second.desk, third.desk),
            scene("epochs: members go on, lots do not", members.desk, after.desk),
            scene("lots", lots.desk),
        ]
    }

    // MARK: Swaps

    /// A desk that grants a booking each to ada and bo, who change them.
    private func swapped(
        _ swaps: BookRules.Swaps, notes: [(Int, Int, PeerKey)] = [],
        then act: (inout SmallVenue, [Token]) throws -> Void = { _, _ in }
    ) throws -> [MadeUpLedger] {
        var venue = try desk(swaps: swaps)
        let tokens = [
            try venue.grant(ada, 3, 0, 10, 60), try venue.grant(bo, 4, 0, 12, 60),
        ]
        for (number, klass, key) in notes { try venue.desk.member(number, klass, key) }
        try act(&venue, tokens)
        let logs = try exchange(tokens.map { Slot(token: $0, producer: Producer(claim: $0)) })
        return [venue.desk] + logs
    }

    private func exchange(
        _ slots: [Slot], _ logs: [MadeUpLedger] = []
    ) throws -> [MadeUpLedger] {
        var logs = logs
        if logs.isEmpty {
            for signer in signers[4...5] {
                logs.append(MadeUpLedger(signer, in: venue))
                try logs[logs.count - 1].write(.genesis(name: "p", agent: "test"))
            }
        }
        let nonce = ThreadID(high: 0, low: UInt64(logs[0].entries.count))
        let contract = Contract(
            flight: venue.gathering, coordinator: ada, nonce: nonce,
            legs: [
                Leg(token: slots[0].token, producer: slots[0].producer, from: ada, to: bo),
                Leg(token: slots[1].token, producer: slots[1].producer, from: bo, to: ada),
            ], primitives: venue.primitives)
        guard let contract else { throw DecodeError(.badValue) }
        var votes: [Entry] = []
        for who in 0...1 {
            let slots = contract.slots(of: logs[who].key)
            votes.append(try logs[who].write(.vote(.yes(contract.id, slots: slots))))
        }
        try logs[0].write(.commit(Commit(contract: contract, votes: votes, claims: [])))
        return logs
    }

    func swaps() throws -> [Scene] {
        func scene(_ name: String, _ logs: [MadeUpLedger]) -> Scene {
            Scene(name: "swaps: " + name, entries: logs.flatMap(\.entries))
        }
        var back = try swapped(.all)
        let fold = venue.fold(venue.logs(back.flatMap(\.entries)))
        let slots = back[0].entries[2...3].compactMap { fold.booking($0.id.token)?.slot }
        back.replaceSubrange(1..., with: try exchange([slots[1], slots[0]], Array(back[1...])))
        var void = try desk()
        let mine = try void.grant(ada, 3, 0, 10, 60)
        let never = try void.grant(bo, 2, 0, 10, 60)
        let theirs = try void.grant(cy, 3, 1, 10, 60)
        let noToken = try exchange(
            [mine, never].map { Slot(token: $0, producer: Producer(claim: $0)) })
        let notTheirs = try exchange(
            [mine, theirs].map { Slot(token: $0, producer: Producer(claim: $0)) })
        return [
            scene("allowed", try swapped(.all)), scene("there and back", back),
            scene("allowed to nobody", try swapped(.none, notes: [(1, 0, ada), (2, 0, bo)])),
            scene("a class without notes", try swapped(.classes)),
            scene("a class with one note", try swapped(.classes, notes: [(1, 0, ada)])),
            scene("two classes", try swapped(.classes, notes: [(1, 0, ada), (2, 1, bo)])),
            scene(
                "one class", try swapped(.classes, notes: [(1, 0, ada), (2, 0, bo), (2, 1, bo)])),
            scene("one member", try swapped(.classes, notes: [(1, 3, ada), (1, 1, bo)])),
            scene(
                "rules of the grant",
                try swapped(.all) { venue, _ in
                    try venue.desk.charter(revision: 2, try SmallVenue.rules(swaps: .none))
                }),
            scene(
                "rules of the swap",
                try swapped(.none) { venue, _ in
                    try venue.desk.charter(revision: 2, try SmallVenue.rules(swaps: .all))
                }),
            scene(
                "what ended",
                try swapped(.all) { venue, tokens in
                    try venue.desk.close(tokens[0], .noShow, spent: true)
                    try venue.grant(bo, 3, 0, 14, 60, replaces: [tokens[1]])
                }),
            scene("of a void grant", [void.desk] + noToken),
            scene("of what somebody else holds", [void.desk] + notTheirs),
        ]
    }

    // MARK: What is refused

    func records() throws -> [Scene] {
        let rules = try SmallVenue.rules()
        var guest = MadeUpLedger(signers[7], in: venue)
        try guest.write(.genesis(name: "guest", agent: "test"))
        var scenes: [Scene] = []
        for (name, said) in [
            (
                "grant",
                LedgerEntry.grant(
                    Grant(holder: ada, place: 1, period: try SmallVenue.period(0, 10, 60)))
            ),
            ("close", .close(LedgerClose(Token(.zero), .desk))),
            ("note", .note(.member(number: 1, class: 0, key: ada))),
        ] {
            var log = guest
            try log.write(.ledger(said))
            scenes.append(scene("refused: a \(name) in no ledger", log))
        }
        try guest.write(.chat(text: "hello", replyTo: nil))
        try guest.charter(revision: 1, rules)
        scenes.append(scene("refused: a charter behind the second entry", guest))
        for (epoch, revision) in [(2, 6), (2, 5), (2, 4), (1, 6), (3, 6)] {
            var log = try MadeUpLedger(signers[0], epoch: 2, rules: rules, in: venue)
            try log.charter(epoch: 2, revision: 5, rules)
            try log.charter(epoch: epoch, revision: revision, rules)
            scenes.append(scene("charter of epoch \(epoch), revision \(revision) after 2, 5", log))
        }
        for (name, signer, ledger) in [
            ("somebody else", signers[5], signers[0].key),
            ("the operator, for another ledger", venue.runBy, signers[1].key),
        ] {
            var log = MadeUpLedger(signers[0], in: venue)
            try log.write(.genesis(name: "desk", agent: "test"))
            let charter = Charter(
                epoch: 1, revision: 1, rules: rules, words: .zero, ledger: ledger,
                gathering: venue.gathering, by: signer)
            if let charter { try log.write(.ledger(.charter(charter))) }
            scenes.append(scene("refused: a charter signed by \(name)", log))
        }
        for isBent in [false, true] {
            var log = try desk()
            let token = try log.grant(ada, 3, 0, 10, 60)
            let ask = BookingAsk(
                nonce: 1, until: UTCTime(seconds: 5),
                wish: .giveBack(Slot(token: token, producer: Producer(claim: token)), to: nil))
            guard let said = VenueStatement(ask, gathering: venue.gathering, by: signers[4])
            else { continue }
            var bytes = said.encoded
            if isBent { bytes[bytes.count - 9] ^= 1 }
            guard let close = LedgerClose(asked: try VenueStatement(decoding: bytes)) else {
                continue
            }
            try log.desk.write(.ledger(.close(close)))
            scenes.append(
                scene(
                    isBent ? "refused: an ask with a wrong signature" : "closed as asked", log.desk)
            )
        }
        return scenes
    }
}
