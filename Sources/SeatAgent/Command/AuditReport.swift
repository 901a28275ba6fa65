// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import Text
import Wording

/// What a bundle of records proves, as an object.
struct AuditReport {
    private let reading: Bundle.Reading
    private let fold: SeatFold
    private let digest: Bytes32
    private let names: [PeerKey: String]

    /// Folds what was read.
    init(_ reading: Bundle.Reading, primitives: any Primitives) {
        self.reading = reading
        fold = Fold.fold(reading.logs)
        digest = fold.digest(primitives)
        var names: [PeerKey: String] = [:]
        for log in reading.logs.logs {
            for entry in log.entries {
                switch entry.body {
                case .genesis(let name, _), .profile(let name): names[log.author] = name
                case .claim, .retract, .vote, .commit, .abandon, .chat, .wish, .sealed, .unknown,
                    .vouch, .end:
                    break
                }
            }
        }
        self.names = names
    }

    /// Items that were not accepted.
    var refusedCount: Int { reading.refused.count }

    /// The whole report.
    var json: JSON {
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
        who(log.author).adding(["entries": .int(log.entries.count)])
    }

    private var seats: [JSON] {
        let holders = SeatHolders.of(SeatView(fold))
        return holders.keys.sorted().map { seat in
            let keys = holders[seat] ?? []
            return [
                "seat": .string(seat.text), "state": .string(SeatHolders.word(keys)),
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

    /// The report for people.
    static func lines(_ json: JSON) -> [String] {
        func list(_ key: String) -> [JSON] { json[key]?.list ?? [] }
        func cell(_ value: JSON?) -> String { visible(value?.text ?? "?", cells: 8) }
        var lines = [
            "\(json["entries"]?.number ?? 0) records of \(list("authors").count) passengers,"
                + " every signature checked",
            "Map digest  \(visible(json["digest"]?.text ?? "?"))", "", "Seats",
        ]
        for seat in list("seats") {
            let holders = (seat["holders"]?.list ?? []).map(WhoText.tagged)
            lines.append(
                "  " + padded(cell(seat["seat"]), to: 6) + holders.joined(separator: ", ")
                    + (seat["state"] == "disputed" ? "  disputed" : ""))
        }
        lines += ["", "Tokens"]
        for token in list("tokens") {
            lines.append(
                "  " + padded(cell(token["token"]), to: 10) + padded(cell(token["seat"]), to: 6)
                    + "claimed by \(WhoText.tagged(token["author"])), held by "
                    + WhoText.tagged(token["holder"]) + (token["ended"] == true ? ", given up" : "")
                    + (token["reminted"] == true ? ", claimed anew" : ""))
        }
        lines += ["", "Contracts"]
        for contract in list("contracts") {
            let moves = (contract["moves"]?.list ?? []).map {
                "\(cell($0["seat"])) to \(WhoText.tagged($0["to"]))"
            }
            lines.append(
                "  " + padded(cell(contract["contract"]), to: 10)
                    + padded(cell(contract["status"]), to: 9) + moves.joined(separator: ", "))
        }
        if list("contracts").isEmpty { lines.append("  none") }
        if !list("forks").isEmpty { lines += ["", "Signed two things at one place"] }
        for fork in list("forks") {
            lines.append("  \(WhoText.tagged(fork)) at record \(fork["seq"]?.number ?? 0)")
        }
        if !list("refused").isEmpty { lines += ["", "Not accepted"] }
        for item in list("refused") {
            lines.append("  item \(item["item"]?.number ?? 0): \(visible(item["why"]?.text ?? ""))")
        }
        return lines
    }
}
