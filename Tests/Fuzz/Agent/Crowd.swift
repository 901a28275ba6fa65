// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import ProtocolTestKit

@testable import Protocol

/// Passengers who sign whatever the choices say, and contracts among them.
struct Crowd {
    /// One passenger: their log, and branches of it that they also signed.
    struct Author {
        let signer: FakeSigner
        var log: [Entry] = []
        /// Entries that stand in no branch any more.
        var left: [Entry] = []

        var key: PeerKey { signer.key }
        var head: LogHead {
            LogHead(author: key, seq: log.count, id: log.last?.id ?? EntryID(.zero))
        }
    }

    private(set) var authors: [Author] = [] {
        didSet { foldCache = nil }
    }
    private var foldCache: SeatFold?
    /// Contracts that were made, newest last.
    var contracts: [Contract] = []
    private let codec = EntryCodec(FakePrimitives())
    private static let seats = ["1A", "1B", "2C", "14C", "14D", "30F"].compactMap { Seat($0) }

    /// So many passengers with a seat each; their keys are of numbers 2, 4, ...
    init(_ count: Int = 3) {
        for number in 0..<count {
            authors.append(Author(signer: FakeSigner(UInt8(2 + 2 * number))))
            write(number, .genesis(name: "p\(number)", agent: "fuzz"))
            write(number, .claim(seat: Self.seats[number], dependant: false))
        }
    }

    /// All entries of all branches.
    var everything: [Entry] { authors.flatMap { $0.left + $0.log } }

    /// Signs `body` as the next entry of an author, where it can be one.
    @discardableResult
    mutating func write(_ index: Int, _ body: EntryBody) -> Entry? {
        let author = authors[index]
        guard
            let entry = try? codec.sign(
                body, flight: testFlight.id, seq: author.log.count + 1,
                previous: author.log.last?.id, by: author.signer)
        else { return nil }
        authors[index].log.append(entry)
        return entry
    }

    /// From here on an author signs other things than before.
    mutating func branch(_ index: Int, at seq: Int) {
        guard 0 < seq, seq < authors[index].log.count else { return }
        authors[index].left += authors[index].log[seq...]
        authors[index].log.removeLast(authors[index].log.count - seq)
    }

    /// What all logs together come to, forks left out.
    private var fold: SeatFold {
        mutating get {
            if let foldCache { return foldCache }
            var logs = LogSet()
            for author in authors { for entry in author.log { logs.restore(entry) } }
            let fold = Fold.fold(logs)
            foldCache = fold
            return fold
        }
    }

    /// One thing that somebody does.
    mutating func act(_ choices: inout Choices) {
        let index = choices.below(authors.count)
        switch choices.below(12) {
        case 0:
            if let seat = choices.one(of: Self.seats) {
                write(index, .claim(seat: seat, dependant: choices.once(in: 4)))
            }
        case 1: if let slot = slot(&choices) { write(index, .retract(slot)) }
        case 2, 3:
            let fold = fold
            if let made = contract(among: fold, &choices) { contracts.append(made) }
        case 4, 5, 6: vote(index, &choices)
        case 7: commit(index, &choices)
        case 8: abandon(index, &choices)
        case 9: branch(index, at: 1 + choices.below(authors[index].log.count))
        case 10: say(index, &choices)
        default: if choices.once(in: 8) { write(index, .end) }
        }
    }

    private mutating func say(_ index: Int, _ choices: inout Choices) {
        let key = authors[choices.below(authors.count)].key
        switch choices.below(5) {
        case 0: write(index, .chat(text: "hi", replyTo: authors[index].log.last?.id))
        case 1: write(index, .profile(name: "n\(choices.byte())"))
        case 2:
            let offered = fold.held(by: authors[index].key).map(\.token).sorted()
            let ranks = choices.once(in: 2) ? [] : [.all, SeatSet(Self.seats[0])]
            let tag = ThreadID(high: UInt64(choices.byte()), low: 0)
            write(index, .wish(Wish(offered: offered, ranks: ranks, tag: tag)))
        case 3:
            // A mark, now and then, of a contract that may be applied.
            if let made = choices.one(of: contracts), choices.once(in: 2) {
                write(index, .seated(made.id, !choices.once(in: 4)))
            } else if choices.once(in: 2) {
                let role: Hosting.Role = choices.once(in: 2) ? .host : .guest
                write(index, .hosting(Hosting(role, key, holds: !choices.once(in: 4))))
            } else {
                write(index, .unknown(type: 18 + choices.below(14), body: [0x81, 0xF6]))
            }
        default: write(index, .vouch(key, Self.seats[choices.below(Self.seats.count)]))
        }
    }

    // MARK: Swaps

    private mutating func slot(_ choices: inout Choices) -> Slot? {
        choices.one(of: fold.tokens.map(\.slot))
    }

    /// A contract about two or three live tokens, each to the next one's holder; now and then about
    /// a tenure that is over, or never was.
    func contract(among fold: SeatFold, _ choices: inout Choices) -> Contract? {
        var givers: [TokenState] = []
        let tokens = fold.tokens.filter { !$0.ended }
        for _ in 0..<(choices.once(in: 4) ? 3 : 2) {
            let free = tokens.filter { token in !givers.contains { $0.holder == token.holder } }
            guard let token = choices.one(of: free) else { return nil }
            givers.append(token)
        }
        let odd = choices.byte()
        let legs = givers.indices.map { index in
            let token = givers[index]
            let isFirst = odd >= 0xF0 && index == 0
            return Leg(
                token: token.token,
                producer: isFirst ? Producer(claim: token.token) : token.slot.producer,
                from: token.holder, to: givers[(index + 1) % givers.count].holder)
        }
        guard let nonce = ThreadID([UInt8](repeating: odd & 7, count: 16)) else { return nil }
        return Contract(
            flight: testFlight.id, coordinator: givers[Int(odd) % givers.count].holder,
            nonce: nonce, legs: legs, primitives: FakePrimitives())
    }

    private mutating func vote(_ index: Int, _ choices: inout Choices) {
        guard let contract = choices.one(of: contracts.reversed()) else { return }
        vote(index, on: contract, yes: !choices.once(in: 4))
    }

    /// Signs a vote.
    @discardableResult
    mutating func vote(_ index: Int, on contract: Contract, yes: Bool) -> Entry? {
        let key = authors[index].key
        return write(
            index,
            .vote(yes ? .yes(contract.id, slots: contract.slots(of: key)) : .no(contract.id)))
    }

    /// The votes on a contract that stand anywhere, here or in `more`, the newest of each party.
    func certificate(_ contract: Contract, _ more: [Entry] = []) -> Commit? {
        let known = everything + more
        let votes = contract.parties.compactMap { party in
            known.last { $0.author == party && $0.vote?.contract == contract.id }
        }
        let needed = contract.legs.filter { $0.producer == Producer(claim: $0.token) }
        let claims = needed.compactMap { leg in known.first { $0.id.token == leg.token } }
        guard votes.count == contract.parties.count, claims.count == needed.count else {
            return nil
        }
        return Commit(contract: contract, votes: votes, claims: claims)
    }

    private mutating func commit(_ index: Int, _ choices: inout Choices) {
        guard let contract = choices.one(of: contracts.reversed()),
            let commit = certificate(contract)
        else { return }
        write(index, .commit(commit))
    }

    private mutating func abandon(_ index: Int, _ choices: inout Choices) {
        let noes = everything.filter { $0.vote?.yes == false }
        guard let no = choices.one(of: noes), let id = no.vote?.contract else { return }
        write(index, .abandon(id, no: no))
    }
}
