// SPDX-License-Identifier: Apache-2.0
import ControlAPI
package import Protocol
package import Text

/// What a bundle of records proves, as an object.
package struct AuditReport {
    private let reading: Bundle.Reading
    private let fold: SeatFold
    private let digest: Bytes32
    private let names: [PeerKey: String]

    /// Folds the records.
    package init(_ reading: Bundle.Reading, primitives: any Primitives) {
        self.reading = reading
        fold = Fold.fold(reading.logs)
        digest = fold.digest(primitives)
        var names: [PeerKey: String] = [:]
        for log in reading.logs.logs {
            for entry in log.entries {
                switch entry.body {
                case .genesis(let name, _), .profile(let name): names[log.author] = name
                case .claim, .retract, .vote, .commit, .abandon, .chat, .wish, .sealed, .seated,
                    .hosting,
                    .unknown, .vouch, .ledger, .end:
                    break
                }
            }
        }
        self.names = names
    }

    /// The number of items that were not accepted.
    package var refusedCount: Int { reading.refused.count }

    /// The whole report.
    package var json: JSON {
        [
            "flight_id": reading.flight.map { .string($0.hex) } ?? .null,
            "digest": .string(digest.hex),
            "entries": .int(reading.logs.logs.reduce(0) { $0 + $1.entries.count }),
            "authors": .array(reading.logs.logs.map(author)),
            "seats": .array(seats), "tokens": .array(fold.tokens.map(token)),
            "contracts": .array(fold.contracts.map(contract)), "forks": .array(forks),
            "refused": .array(refused),
        ]
    }

    private func who(_ key: PeerKey) -> JSON {
        ["key": .string(key.hex), "tag": .string(key.shortTag), "name": .string(names[key] ?? "")]
    }

    private func author(_ log: AuthorLog) -> JSON {
        who(log.author).adding([
            "entries": .int(log.entries.count),
            "host": reading.logs.host(of: log.author).map(who) ?? .null,
        ])
    }

    private var seats: [JSON] {
        let holders = SeatHolders.of(SeatView(fold))
        return holders.keys.sorted().map { seat in
            let keys = holders[seat] ?? []
            return [
                "seat": .string(seat.text), "state": .string(SeatHolders.holding(keys).rawValue),
                "holders": .array(keys.map(who)),
            ]
        }
    }

    private func token(_ token: TokenState) -> JSON {
        [
            "token": .string(token.token.hex), "seat": .string(token.seat.text),
            "author": who(token.author), "holder": who(token.holder),
            "producer": .string(token.producer.hex), "dependant": .bool(token.dependant),
            "ended": .bool(token.ended), "reminted": .bool(token.reminted),
            "swaps": .array(token.lineage.map { .string($0.hex) }),
        ]
    }

    /// `applied`, `dead`, `beaten`, `waiting` (signed by all, an earlier
    /// swap is missing) or `open`.
    private static func status(_ contract: ContractState) -> String {
        if contract.applied { return "applied" }
        if contract.dead { return "dead" }
        if contract.beaten { return "beaten" }
        return contract.complete ? "waiting" : "open"
    }

    private func contract(_ state: ContractState) -> JSON {
        func voters(_ yes: Bool) -> JSON {
            .array(
                state.votes.compactMap { entry in
                    guard case .vote(let vote) = entry.body, vote.yes == yes else { return nil }
                    return who(entry.author)
                })
        }
        let legs = (state.contract?.legs ?? []).map { leg -> JSON in
            [
                "seat": fold.token(leg.token).map { .string($0.seat.text) } ?? .null,
                "token": .string(leg.token.hex), "from": who(leg.from), "to": who(leg.to),
            ]
        }
        return [
            "contract": .string(state.id.hex), "status": .string(Self.status(state)),
            "moves": .array(legs), "yes": voters(true), "no": voters(false),
            "seated": .array(reading.logs.seated(by: state.id, fold).map(who)),
        ]
    }

    private var forks: [JSON] {
        fold.forks.map { who($0.author).adding(["seq": .int($0.seq)]) }
    }

    private var refused: [JSON] {
        reading.refused.map { item in
            ["item": .int(item.place), "why": .string(Self.words(item.insertion))]
        }
    }

    private static func words(_ insertion: Insertion) -> String {
        switch insertion {
        case .added, .known, .fork: "accepted"
        case .gap(let author, let seq): "records of \(author.shortTag) before \(seq) are missing"
        case .branches(let author, let seq):
            "record \(seq) of \(author.shortTag) follows another one than the one before it"
        case .leftOut(let entry): "no room for the records of \(entry.author.shortTag)"
        case .delayed(let author, _):
            "no room for the records of \(author.shortTag)"
        case .refused(let fault):
            switch fault {
            case .form(let error): "damaged: \(error.code.rawValue) at byte \(error.offset)"
            case .flight: "of another flight"
            case .signature: "a signature is wrong"
            case .caps: "more or longer records than an author may write"
            case .body: "it says what its author must not"
            case .muted: "it stands behind a fork"
            case .authors: "too many authors"
            }
        }
    }

    // MARK: Words

    private func person(_ key: PeerKey) -> Person {
        Person(key: key.hex, tag: key.shortTag, name: names[key] ?? "", seats: [])
    }

    private func tagged(_ key: PeerKey) -> String { WhoText.tagged(person(key)) }

    /// `1f0c9a2e`: the start of a hash.
    private static func cell(_ text: String) -> String { visible(text, cells: 8) }

    /// The report for people.
    package var lines: [String] {
        let entries = reading.logs.logs.reduce(0) { $0 + $1.entries.count }
        var lines = [
            "\(entries) records of \(reading.logs.logs.count) passengers, every signature checked",
            "Map digest  \(digest.hex)", "", "Seats",
        ]
        let holders = SeatHolders.of(SeatView(fold))
        for seat in holders.keys.sorted() {
            let keys = holders[seat] ?? []
            lines.append(
                "  " + padded(seat.text, to: 6) + keys.map(tagged).joined(separator: ", ")
                    + (keys.count > 1 ? "  disputed" : ""))
        }
        lines += ["", "Tokens"] + fold.tokens.map(line) + ["", "Contracts"]
        lines += fold.contracts.isEmpty ? ["  none"] : fold.contracts.map(line)
        if !fold.forks.isEmpty { lines += ["", "Signed two things at one place"] }
        lines += fold.forks.map { "  \(tagged($0.author)) at record \($0.seq)" }
        if !reading.refused.isEmpty { lines += ["", "Not accepted"] }
        lines += reading.refused.map { item in
            "  item \(item.place): \(visible(Self.words(item.insertion)))"
        }
        return lines
    }

    private func line(_ token: TokenState) -> String {
        "  " + padded(Self.cell(token.token.hex), to: 10) + padded(token.seat.text, to: 6)
            + "claimed by \(tagged(token.author)), held by " + tagged(token.holder)
            + (token.ended ? ", given up" : "") + (token.reminted ? ", claimed anew" : "")
    }

    private func line(_ state: ContractState) -> String {
        let moves = (state.contract?.legs ?? []).map { leg in
            "\(fold.token(leg.token)?.seat.text ?? "?") to \(tagged(leg.to))"
        }
        return "  " + padded(Self.cell(state.id.hex), to: 10)
            + padded(Self.status(state), to: 9) + moves.joined(separator: ", ")
    }
}
