// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit

@testable import Protocol

/// Entries, contracts and rows in the words of docs/protocol.md.
struct Words {
    var names = Names()
    private let codec = EntryCodec(FakePrimitives())

    func person(_ key: PeerKey) -> String { names.person(key) }

    /// `Ann, Bo and Cy`.
    func people(_ keys: [PeerKey]) -> String { Self.list(keys.map(person)) }

    static func list(_ words: [String]) -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "nobody" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }

    // MARK: Contracts

    /// `contract c1`; its legs stand beside it the first time.
    mutating func contract(_ contract: Contract) -> String {
        let (name, isNew) = names.name(.contract, contract.id.bytes)
        guard isNew else { return "contract \(name)" }
        let legs = contract.legs.map { leg in
            "\(names.seat(leg.token)) from \(person(leg.from)) to \(person(leg.to))"
        }
        let last = person(contract.coordinator)
        return "contract \(name) (\(legs.sorted().joined(separator: ", ")); \(last) votes last)"
    }

    mutating func contract(_ bytes: [UInt8]) -> String {
        guard let read = try? Contract(bytes, primitives: FakePrimitives()) else {
            return "no contract"
        }
        return contract(read)
    }

    mutating func contract(_ id: ContractID) -> String {
        "contract \(names.name(.contract, id.bytes).name)"
    }

    mutating func thread(_ id: ThreadID) -> String {
        "thread \(names.name(.thread, id.bytes).name)"
    }

    func head(_ head: LogHead) -> String { "\(person(head.author)) \(head.seq)" }

    func slots(_ slots: [Slot]) -> String {
        Self.list(slots.map { names.seat($0.token) }.sorted())
    }

    /// Words in quotes after a comma; nothing for none.
    func note(_ note: String) -> String { note.isEmpty ? "" : ", \"\(note)\"" }

    // MARK: Entries

    /// `Bo 3 (yes to contract c1)`: the third entry of Bo's log, and what it says.
    mutating func entry(_ entry: Entry) -> String {
        names.learn(entry)
        return "\(person(entry.author)) \(entry.seq) (\(body(entry.body)))"
    }

    mutating func entry(_ bytes: [UInt8]) -> String {
        guard let read = try? codec.decode(bytes) else { return "no entry" }
        return entry(read)
    }

    mutating func entries(_ all: [[UInt8]]) -> String {
        all.isEmpty ? "none" : all.map { entry($0) }.joined(separator: ", ")
    }

    private mutating func body(_ body: EntryBody) -> String {
        switch body {
        case .genesis(let name, _): return "genesis, \"\(name)\""
        case .profile(let name): return "profile, \"\(name)\""
        case .claim(let seat, _): return "claim of \(seat.text)"
        case .retract(let slot): return "retract of \(slots([slot]))"
        case .vote(let vote): return "\(vote.yes ? "yes" : "no") to \(contract(vote.contract))"
        case .commit(let commit): return "commit of \(contract(commit.contract))"
        case .abandon(let id, let no): return "abandon of \(contract(id)) by \(entry(no))"
        case .chat(let line): return "chat, \"\(line.text)\""
        case .vouch(let key, let seat): return "vouch for \(person(key)) in \(seat.text)"
        case .end: return "end"
        case .wish(let wish): return "wish\(note(wish.note))"
        case .sealed: return "sealed"
        case .ledger: return "ledger"
        case .seated(let id, let sits): return "\(sits ? "" : "not ")seated by \(contract(id))"
        case .hosting(let said): return "\(said.role) \(said.holds)"
        case .unknown(let type, _): return "type \(type)"
        }
    }

    // MARK: Rows

    /// What a write keeps on disk.
    mutating func row(_ write: Write) -> String {
        switch write {
        case .entry(let entry, _): return "entry \(self.entry(entry))"
        case .forkProof(let proof):
            return "fork proof: \(entry(proof.first)) and \(entry(proof.second))"
        case .lock(let lock):
            return "lock: \(slots([lock.slot])) is bound by \(contract(lock.contract))"
        case .unlock(let lock): return "lock on \(slots([lock.slot])) released"
        case .swap(let record): return row(record)
        case .forgotten(let record): return "request \(record.number) forgotten"
        case .message(let message): return "\(self.message(message)): \(Self.state(message.state))"
        case .verified(let known): return "\(known.name) is verified"
        case .unverified(let key): return "\(person(key)) is not verified any more"
        case .block(let key, let isBlocked):
            return "\(person(key)) is \(isBlocked ? "blocked" : "not blocked any more")"
        case .layout: return "the own layout"
        case .wish: return "the own wish"
        case .party(let state): return state == nil ? "in no party" : "the party"
        case .stay: return "the own stay"
        case .statement: return "an ask or an answer"
        case .forgetStatement: return "an ask or an answer is over"
        case .form(let form): return "form \(form.form.number)"
        case .forgetForm: return "a form is gone"
        }
    }

    private mutating func row(_ record: SwapRecord) -> String {
        let counter = record.counter.map { ", counter-offer \(contract($0))" } ?? ""
        let final = record.isFinal ? ", final" : ""
        return "request \(record.number): \(record.stage), \(contract(record.contract))"
            + counter + final
    }

    mutating func message(_ message: DirectMessage) -> String {
        let name = names.name(.message, message.id.bytes).name
        let way = message.outgoing ? "to" : "from"
        return "message \(name) \(way) \(person(message.peer))"
    }

    static func state(_ state: DirectMessage.State) -> String {
        switch state {
        case .waiting: "waiting"
        case .acknowledged: "acknowledged"
        case .gaveUp: "given up"
        case .received: "received"
        }
    }
}
