// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import Text

/// What convicts a passenger, as an object and in words: the two entries that they signed.
struct MisdeedFacts {
    private let fold: SeatFold

    /// Words that name seats by `fold`.
    init(_ fold: SeatFold) { self.fold = fold }

    /// The conviction for `misdeed`.
    func conviction(_ misdeed: Misdeed) -> Conviction {
        Conviction(
            kind: Word(Self.kind(misdeed.kind)), what: Self.what(misdeed.kind),
            entries: [misdeed.first, misdeed.second].map { entry in
                Conviction.Record(id: entry.id.hex, seq: entry.seq, says: says(entry))
            })
    }

    private static func kind(_ kind: Misdeed.Kind) -> MisdeedKind {
        switch kind {
        case .fork: .fork
        case .contradiction: .contradiction
        case .overlap: .overlap
        case .giveBack: .giveBack
        }
    }

    private static func what(_ kind: Misdeed.Kind) -> String {
        switch kind {
        case .fork: "signed two things at one place"
        case .contradiction, .overlap, .giveBack: "signed two things that exclude each other"
        }
    }

    /// The content of an entry in words; texts of passengers stay as they came.
    func says(_ entry: Entry) -> String {
        switch entry.body {
        case .genesis(let name, _): return "opens the log as \"\(name)\""
        case .profile(let name): return "takes the name \"\(name)\""
        case .claim(let seat, let dependant):
            return "claims \(seat.text)" + (dependant ? " for somebody else" : "")
        case .retract(let slot): return "gives \(seat(slot)) up"
        case .vote(let vote):
            guard vote.yes else { return "no to swap \(Self.short(vote.contract))" }
            let seats = vote.slots.map(seat).joined(separator: ", ")
            return "yes to swap \(Self.short(vote.contract)), giving \(seats)"
        case .commit(let commit): return "certificate of swap \(Self.short(commit.contract.id))"
        case .abandon(let contract, _): return "leaves swap \(Self.short(contract))"
        case .chat(let line): return "says \"\(line.text)\""
        case .wish(let wish): return wish.offered.isEmpty ? "takes the offer back" : "offers a seat"
        case .vouch(_, let seat): return "vouches for \(seat.text)"
        case .sealed: return "talks to a party"
        case .ledger(.charter): return "begins a ledger, or changes its rules"
        case .ledger(.grant(let grant)): return "grants place \(grant.place)"
        case .ledger(.close): return "ends a booking"
        case .ledger(.note): return "notes something in a ledger"
        case .seated(let contract, let sits):
            return (sits ? "sits" : "does not sit") + " after swap \(Self.short(contract))"
        case .hosting(let said):
            let claim = said.role == .host ? "hosts another agent" : "runs on another computer"
            return said.holds ? claim : "takes back that it " + claim
        case .unknown(let type, _): return "says something of type \(type)"
        case .end: return "closes the log"
        }
    }

    private func seat(_ slot: Slot) -> String { fold.token(slot.token)?.seat.text ?? "a seat" }

    private static func short(_ contract: ContractID) -> String { String(contract.hex.prefix(8)) }
}
