// SPDX-License-Identifier: Apache-2.0
@testable import ControlAPI
@testable import View
@testable import Agent
@testable import Wording
import Glibc
import Protocol
import Testing

@testable import Aviation
@testable import SeatAgent
@testable import Store
@testable import Terminal
@testable import Text
@testable import Transport
@testable import Keys

@Suite("What others agree on is asked about before it is drawn")
struct CabinQuestionTests {
    private func host() throws -> FakeHost { FakeHost(FakeNode(try Voyage())) }

    /// Passengers who suggest layouts: as many as the names.
    private func votes(_ names: String...) throws -> [CabinVote] {
        var book = LayoutBook()
        for (number, name) in names.enumerated() {
            let author = PeerKey(
                try #require(Bytes32([UInt8](repeating: UInt8(number + 1), count: 32))))
            let bytes = bundled(name).bytes
            let suggestion = LayoutSuggestion(
                author: author, revision: 1, signature: [UInt8](repeating: 0, count: 64),
                layout: bytes)
            let digest = bytes.reduce(into: [UInt8](repeating: 0, count: 32)) {
                $0[Int($1) % 32] &+= 1
            }
            book.keep(suggestion, try #require(Bytes32(digest)), at: .zero)
        }
        return CabinVote.read(book.tally { _ in true })
    }

    @Test("Two have to agree, and most of those who suggest, and no seat in use may be missing")
    func aMajorityIsAskedAboutAndNeverHidesASeat() throws {
        let host = try host()
        for names in [[], ["ryanair-737-800"], ["ryanair-737-800", "easyjet-a320"]] {
            host.votes = try names.reduce(into: []) { $0 += try votes($1) }
            #expect(host.result("status")?["cabin_asked"] == .null, "\(names)")
        }
        host.votes = try votes("ryanair-737-800", "easyjet-a320", "ryanair-737-800")
        let asked = host.result("status")?["cabin_asked"]
        #expect(asked?["id"] == "ryanair-737-800" && asked?["voices"] == 3)
        #expect(asked?["bundled"] == true && asked?["by"]?.list?.count == 2)
        // Nothing is drawn by it before the yes.
        #expect(host.result("seats")?["cabin"]?["id"] == "standard")
        host.votes = try votes("klm-e190", "klm-e190", "ryanair-737-800", "ryanair-737-800")
        #expect(host.result("status")?["cabin_asked"] == .null)
        // The Embraer has no row 27 and no letter B.
        host.votes = try votes("klm-e190", "klm-e190")
        let seats = host.node.claimedSeats
        #expect(bundled("klm-e190").missing(seats).isEmpty)
        #expect(host.result("status")?["cabin_asked"]?["id"] == "klm-e190")
        for seat in ["14B", "27A"] {
            let question = CabinQuestion(host.votes, CabinAnswers(), drawn: .standard) {
                seats + [Seat(seat)].compactMap(\.self)
            }
            #expect(question == nil, "\(seat)")
        }
    }

    @Test("Who is blocked keeps no layout away by claiming a seat that it lacks")
    func claimedSeats() throws {
        var node = FakeNode(try Voyage())
        let all = node.claimedSeats
        #expect(all == all.sorted() && all.count == Set(all).count)
        let mine = node.fold.held(by: node.me).map(\.seat)
        #expect(Set(mine).isSubset(of: all) && all.count > Set(mine).count)
        node.trust = Trust(
            me: node.me, blocked: node.passengers.map(\.key).filter { $0 != node.me })
        #expect(node.claimedSeats.count < all.count)
        #expect(Set(mine).isSubset(of: node.claimedSeats))
    }

    @Test("An answer is for what was shown, and a no is the last word")
    func answering() throws {
        let host = try host()
        #expect(host.refusal("cabin-answer", ["hash": "", "take": true])?.code == .notAllowedNow)
        host.votes = try votes("klm-e190", "klm-e190")
        #expect(host.refusal("cabin-answer", ["hash": "00", "take": true])?.code == .changed)
        let hash = try #require(host.result("status")?["cabin_asked"]?["hash"])
        let no = host.result("cabin-answer", ["hash": hash, "take": false])
        #expect(no?["cabin"]?["id"] == "standard")
        #expect(host.result("status")?["cabin_asked"] == .null)
        host.votes = try votes("ryanair-737-800", "ryanair-737-800")
        let other = try #require(host.result("cabin-suggestions")?["asked"]?["hash"])
        let yes = host.result("cabin-answer", ["hash": other, "take": true])
        #expect(yes?["cabin"]?["id"] == "ryanair-737-800")
        #expect(host.result("status")?["cabin_asked"] == .null)
    }

    @Test("After three noes nobody is asked any more")
    func tired() throws {
        var answers = CabinAnswers()
        for name in ["klm-e190", "easyjet-a319", "easyjet-a320"] {
            let vote = try #require(try votes(name, name).first)
            #expect(!answers.settles(vote.hash))
            answers.settle(vote, takes: false)
        }
        let last = try #require(try votes("ryanair-737-800", "ryanair-737-800").first)
        #expect(answers.settles(last.hash) && answers.refused.count == 3)
    }

    @Test("The answers are on the disk")
    func kept() throws {
        let path = "/tmp/seatagent-answers-\(getpid()).db"
        defer { for end in ["", "-wal", "-shm"] { unlink(path + end) } }
        let primitives = try #require(SodiumPrimitives())
        var answers = CabinAnswers()
        let empty = try Store(path: path, primitives: primitives)
        #expect(try empty.cabinAnswers() == answers)
        answers.settle(try #require(try votes("klm-e190", "klm-e190").first), takes: false)
        answers.settle(
            try #require(try votes("easyjet-a319", "easyjet-a319").first), takes: true)
        let store = try Store(path: path, primitives: primitives)
        try store.keep(answers)
        try store.keep(answers)
        let again = try Store(path: path, primitives: primitives)
        #expect(try again.cabinAnswers() == answers)
    }

    @Test("The words say who, how many, and what to type; a made-up name acts on no terminal")
    func words() throws {
        let host = try host()
        host.votes = try votes("klm-e190", "klm-e190")
        var asked = try #require(host.result("status")?["cabin_asked"])
        asked = asked.adding([
            "by": [Aboard.bo, Aboard.dev, Aboard.ada], "voices": 4,
        ])
        let text = try #require(CabinAskText(asked))
        #expect(
            text.fact == "bo, dev and 1 more see the cabin as \(bundled("klm-e190").name) "
                + "(3 of the 4 who suggest a layout)")
        #expect(text.sentence == text.fact + ". Draw it so here? y/n")
        #expect(
            text.line(slash: true) == text.fact + ": /cabin accept klm-e190 draws it so here, "
                + "/cabin decline klm-e190 does not")
        let made = try #require(
            CabinAskText(asked.adding(["bundled": false, "name": "x\u{1B}[2Jy"])))
        #expect(made.sentence.contains("It does not come with seatagent. Draw it so here? y/n"))
        #expect(visible(made.sentence) == made.sentence)
        #expect(CabinAskText(.null) == nil)
    }

    // MARK: In the view

    private static func asked(_ hash: String) -> JSON {
        [
            "id": "klm-e190", "name": "Embraer", "hash": .string(hash), "bundled": true,
            "by": [Aboard.bo, Aboard.dev], "voices": 2,
        ]
    }

    @Test("A layout that was not answered is asked about again after the agent's restart")
    func restarted() {
        var view = Aboard()
        let told = view.status.adding(["cabin_asked": Self.asked("aa")])
        view.answer(.status, told)
        view.state.lost()
        #expect(view.state.question == nil)
        _ = view.state.found()
        view.answer(.status, told)
        #expect(view.state.question?.layout == "aa")
    }

    @Test("The view asks before its map changes, once, and takes the question away")
    func view() throws {
        var view = Aboard()
        let told = view.status
        view.answer(.status, told.adding(["cabin_asked": Self.asked("aa")]))
        #expect(view.state.cabin == .standard)
        #expect(view.state.question?.sentence.hasPrefix("bo and dev see the cabin as") == true)
        view.answer(.status, told.adding(["cabin_asked": Self.asked("bb")]))
        #expect(view.state.following.isEmpty && view.state.question?.layout == "bb")
        view.wait()
        guard let arguments = view.press(.letter("y")).first?.arguments(of: .answerCabin) else {
            Issue.record("nothing was answered")
            return
        }
        #expect(arguments == ["hash": "bb", "take": true])
        view.answer(.status, told.adding(["cabin_asked": Self.asked("bb")]))
        #expect(view.state.question == nil && view.state.following.isEmpty)
        view.answer(.status, told.adding(["cabin_asked": .null]))
        view.answer(.status, told.adding(["cabin_asked": Self.asked("cc")]))
        view.wait()
        guard let other = view.press(.letter("n")).first?.arguments(of: .answerCabin) else {
            Issue.record("nothing was answered")
            return
        }
        #expect(other == ["hash": "cc", "take": false])
        view.answer(.status, told.adding(["cabin_asked": Self.asked("dd")]))
        view.answer(.status, told.adding(["cabin_asked": .null]))
        #expect(view.state.question == nil)
        // Whoever is typing is not asked in the middle of it.
        view.type("hello")
        view.answer(.status, told.adding(["cabin_asked": Self.asked("ee")]))
        #expect(view.state.question == nil && view.state.following.count == 1)
    }
}
