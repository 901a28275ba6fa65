// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import SeatAgent

/// Stories that end as bundles: what is written, by whom, and what a reader must make of it.
struct Scene {
    let name: String
    let story: String
    /// Entries in the order in which somebody learned of them, branches of forks included.
    let entries: [Entry]

    init(_ name: String, _ story: String, _ logs: [Scribe], branches: [Entry] = []) {
        self.name = name
        self.story = story
        entries = logs.flatMap(\.log) + branches
    }

    static func all() throws -> [Scene] {
        try plain() + rings() + quarrels() + cheats() + views()
    }

    private static func two() throws -> (ada: Scribe, bo: Scribe, a: Slot, b: Slot) {
        var ada = try Scribe("ada", 1)
        var bo = try Scribe("bo", 2)
        let a = try ada.board("14C")
        let b = try bo.board("12A")
        return (ada, bo, a, b)
    }

    private static func plain() throws -> [Scene] {
        var (ada, bo, a, b) = try two()
        let first = try VectorFlight.contract([(a, from: ada, to: bo), (b, from: bo, to: ada)])
        let votes = [try bo.yes(first), try ada.yes(first)]
        let certificate = VectorFlight.certificate(first, votes, [ada, bo])
        let boBefore = bo
        let silent = ada
        try ada.write(.commit(certificate))
        try bo.write(.commit(certificate))
        let done = Scene("swap", "ada and bo swap; both log the certificate", [ada, bo])
        var known = boBefore
        try known.write(.commit(certificate))
        let dead = Scene(
            "coordinator gone", "ada dies after the certificate: her yes is in bo's commit only",
            [silent.branch(at: 2), known])
        let back = try VectorFlight.contract(
            [(first.next(a), from: bo, to: ada), (first.next(b), from: ada, to: bo)], nonce: 1)
        let again = [try ada.yes(back), try bo.yes(back)]
        try bo.write(.commit(VectorFlight.certificate(back, again, [])))
        return [
            done, dead, try gap(),
            Scene("there and back", "they swap back: producers are the first contract", [ada, bo]),
        ]
    }

    private static func gap() throws -> Scene {
        var (ada, bo, a, b) = try two()
        try ada.write(.chat(text: "hm", replyTo: nil))
        let contract = try VectorFlight.contract([(a, from: ada, to: bo), (b, from: bo, to: ada)])
        let votes = [try bo.yes(contract), try ada.yes(contract)]
        try bo.write(.commit(VectorFlight.certificate(contract, votes, [ada, bo])))
        return Scene(
            "gap", "ada's third entry is not known: her yes is unsettled, the contract waits",
            [ada.branch(at: 2), bo])
    }

    private static func rings() throws -> [Scene] {
        var (ada, bo, a, b) = try two()
        var cy = try Scribe("cy", 3)
        let c = try cy.board("20F")
        let ring = try VectorFlight.contract([
            (a, from: ada, to: bo), (b, from: bo, to: cy), (c, from: cy, to: ada),
        ])
        let votes = [try bo.yes(ring), try cy.yes(ring), try ada.yes(ring)]
        let certificate = VectorFlight.certificate(ring, votes, [ada, bo, cy])
        try cy.write(.commit(certificate))
        return [Scene("ring", "three in a ring; cy logs the certificate", [ada, bo, cy])]
    }

    private static func quarrels() throws -> [Scene] {
        var (ada, bo, a, b) = try two()
        var cy = try Scribe("cy", 3)
        let c = try cy.board("20F")
        let first = try VectorFlight.contract([(a, from: ada, to: bo), (b, from: bo, to: ada)])
        let yes = try bo.yes(first)
        let no = try ada.no(first)
        var greedy = bo
        try bo.write(.abandon(first.id, no: no))
        let aborted = Scene(
            "aborted", "bo says yes, ada no; bo leaves by an abandon that carries her no",
            [ada, bo, cy])
        let second = try VectorFlight.contract(
            [(b, from: bo, to: cy), (c, from: cy, to: bo)], nonce: 1)
        let votes = [try bo.yes(second), try cy.yes(second)]
        try cy.write(.commit(VectorFlight.certificate(second, votes, [bo, cy])))
        let free = Scene("left and swapped", "after that bo swaps with cy", [ada, bo, cy])
        // The same without an abandon, and ada says yes: bo spends 12A twice in one log.
        var giver = ada.branch(at: 2)
        var taker = cy.branch(at: 2)
        let late = [try greedy.yes(second), try taker.yes(second)]
        let early = [yes, try giver.yes(first)]
        try giver.write(.commit(VectorFlight.certificate(first, early, [giver, greedy])))
        try taker.write(.commit(VectorFlight.certificate(second, late, [greedy, taker])))
        let twice = Scene(
            "spent twice", "bo says yes to ada, then to cy, in one log: the first stands",
            [giver, greedy, taker])
        return [aborted, free, twice]
    }

    private static func cheats() throws -> [Scene] {
        var (ada, bo, a, b) = try two()
        var mal = try Scribe("mal", 5)
        let m = try mal.board("1A")
        let one = try VectorFlight.contract([(m, from: mal, to: ada), (a, from: ada, to: mal)])
        let two = try VectorFlight.contract(
            [(m, from: mal, to: bo), (b, from: bo, to: mal)], nonce: 1)
        var other = mal.branch(at: 2)
        let toAda = [try mal.yes(one), try ada.yes(one)]
        let toBo = [try other.yes(two), try bo.yes(two)]
        try ada.write(.commit(VectorFlight.certificate(one, toAda, [ada, mal])))
        try bo.write(.commit(VectorFlight.certificate(two, toBo, [bo, mal])))
        let both = Scene(
            "fork beats both", "mal sells 1A to ada and, on another branch, to bo: both are void",
            [ada, bo, mal])
        var harmless = mal.branch(at: 3)
        try mal.write(.chat(text: "one", replyTo: nil))
        try harmless.write(.chat(text: "two", replyTo: nil))
        let alone = Scene(
            "fork later", "mal forks behind a swap with ada: the swap stands, mal is muted",
            [ada, mal], branches: [harmless.log[3]])
        return [both, alone, try liar()]
    }

    /// A no on one branch, a yes on another: the abandon that carries the no decides for everybody.
    private static func liar() throws -> Scene {
        var (ada, bo, a, b) = try two()
        var mal = try Scribe("mal", 5)
        let m = try mal.board("1A")
        let ring = try VectorFlight.contract([
            (a, from: ada, to: bo), (b, from: bo, to: mal), (m, from: mal, to: ada),
        ])
        var hidden = mal
        let no = try hidden.no(ring)
        let votes = [try ada.yes(ring), try bo.yes(ring), try mal.yes(ring)]
        try ada.write(.abandon(ring.id, no: no))
        try bo.write(.commit(VectorFlight.certificate(ring, votes, [ada, bo, mal])))
        return Scene(
            "no and yes", "mal shows ada a no and bo a yes: ada has left, the contract is dead",
            [ada, bo, mal])
    }

    private static func views() throws -> [Scene] {
        var (ada, bo, a, b) = try two()
        var dee = try Scribe("dee", 4)
        let d = try dee.board("12A")
        let disputed = Scene("disputed", "bo and dee both claim 12A", [bo, dee])
        try dee.write(.retract(d))
        let ended = Scene("given up", "dee gives her claim back", [bo, dee])
        // bo waits for ada, re-mints; then her certificate comes and the new token is retracted.
        let contract = try VectorFlight.contract([(a, from: ada, to: bo), (b, from: bo, to: ada)])
        let yes = try bo.yes(contract)
        try bo.write(.retract(b))
        let minted = try bo.claim("12A")
        let stranded = Scene(
            "re-mint", "bo says yes, ada is silent; bo retracts 12A and claims it anew", [ada, bo])
        let votes = [yes, try ada.yes(contract)]
        try ada.write(.commit(VectorFlight.certificate(contract, votes, [ada, bo])))
        let late = Scene(
            "re-mint, then late certificate", "the old retract is void; both hold 12A", [ada, bo])
        try bo.write(.retract(minted))
        let mended = Scene("re-mint given back", "bo retracts the new token", [ada, bo])
        var greedy = try Scribe("mal", 5)
        _ = try greedy.board("1A")
        for letter in ["B", "C", "D", "E", "F", "G", "H", "J", "K"] {
            _ = try greedy.claim("1\(letter)")
        }
        try greedy.write(.end)
        let caps = Scene(
            "too many claims", "the tenth live claim is refused, and all after", [greedy])
        return [disputed, ended, stranded, late, mended, caps]
    }
}
