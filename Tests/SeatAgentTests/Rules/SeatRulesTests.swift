// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Aviation
@testable import SeatAgent

private func seat(_ text: String) throws -> Seat { try #require(Seat(text)) }

private func seats(_ texts: String) throws -> [Seat] {
    try texts.split(separator: " ").map { try seat(String($0)) }.sorted()
}

/// Rules of somebody in these seats, of whom that is said: `14D child with=14C`.
private func rules(
    _ mine: String, _ needs: String..., cabin: String? = "ryanair-737-800", chosen: Bool = true
) throws -> SeatRules {
    let people = try needs.map { text in
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        return Needs.Person(seat: try seat(words[0]), text: words.count > 1 ? words[1] : "")
    }
    return SeatRules(
        cabin: try cabin.map { try #require(CabinLayout.named($0)) }, isChosen: chosen,
        needs: Needs(people), mine: try seats(mine))
}

extension SeatRules {
    /// What stops it, and what is told besides what is always told.
    fileprivate func say(_ give: String, _ take: String) throws -> [RuleFinding.Kind] {
        let all = findings(give: try seats(give), take: try seats(take))
        #expect(all.suffix(2).map(\.kind) == [.belongings, .pass])
        #expect(all.map(\.isBlock) == all.map(\.isBlock).sorted { $0 && !$1 })
        return all.dropLast(2).map(\.kind)
    }

    fileprivate func block(_ give: String, _ take: String) throws -> RuleFinding? {
        findings(give: try seats(give), take: try seats(take)).first { $0.isBlock }
    }
}

@Suite("Rules of the cabin")
struct SeatRulesTests {
    @Test("In one row there is little to say, elsewhere the crew is asked")
    func rows() throws {
        #expect(try rules("14C").say("14C", "14F") == [])
        #expect(try rules("14C").say("14C", "20F") == [.row])
        #expect(try rules("14C", cabin: nil).say("14C", "99K") == [.row, .layout])
    }

    @Test("An exit seat is for who said so, and for nobody in charge of others")
    func exits() throws {
        let block = try #require(try rules("14C").block("14C", "16A"))
        #expect(block.kind == .exit && block.why?.contains("16 or older") == true)
        #expect(block.advice == "seatagent needs 14C exit")
        // The middle seat is in the way too.
        #expect(try rules("14C").block("14C", "17E")?.kind == .exit)
        #expect(try rules("14C", "14C exit").say("14C", "16A") == [.better, .row])
        // Where others only suggest that it is one it is told, also of a child.
        let hearsay = try rules("14C", chosen: false)
        #expect(try hearsay.say("14C", "16A") == [.exit, .better, .row])
        let child = try rules("16B 14C", "16B child", chosen: false)
        #expect(try child.block("16B", "16A") == nil)
        #expect(try child.say("16B", "16A").contains(.exit))
        #expect(try rules("14C", cabin: "standard").block("14C", "16A") == nil)
        #expect(try rules("16A", "16A exit").say("16A", "17A") == [.row])
        for (facts, word) in [("exit child", "twelve"), ("exit infant", "infant")] {
            let no = try rules("14C", "14C \(facts)").block("14C", "16A")
            #expect(no?.why?.contains(word) == true)
        }
        // Whoever looks after a child, also when that child would move along.
        let family = try rules("14C 14B", "14B child", "14C exit")
        #expect(try family.block("14B 14C", "16A 16B")?.why?.contains("under twelve") == true)
        let other = try rules("14C 15A 15B", "15A helped with=14C", "14C exit")
        #expect(try other.block("14C", "16C")?.why?.contains("looks after 15A") == true)
    }

    @Test("A child stays in one block with a grown-up of its own")
    func children() throws {
        let family = try rules("14A 14B", "14A child")
        #expect(try family.block("14A", "20A")?.kind == .child)
        #expect(try family.block("14B", "20B")?.kind == .child)
        #expect(try family.block("14B", "14C") == nil)
        // Over the aisle is not beside.
        #expect(try family.block("14B", "14D")?.kind == .child)
        #expect(try family.block("14A 14B", "20E 20F") == nil)
        #expect(try family.block("14A 14B", "20C 20D")?.kind == .child)
        // With no layout of one's own choice: in the row, at most two letters on.
        let unknown = try rules("14A 14B", "14A child", cabin: nil)
        #expect(try unknown.block("14B", "14D")?.kind == .child)
        #expect(try unknown.block("14B", "14C") == nil)
        // Nearly every cabin has its aisle behind C; rows beyond the standard cabin go by letters.
        let aisle = try rules("14C 14B", "14C child", cabin: nil)
        #expect(try aisle.block("14B", "14D")?.kind == .child)
        #expect(try rules("14C 14B", "14C child", chosen: false).block("14B", "14D") != nil)
        let far = try rules("40C 40B", "40C child", cabin: nil)
        #expect(try far.block("40B", "40D") == nil && far.block("40B", "40F") != nil)
        // Two grown-ups: one is enough, unless it has to be the other.
        #expect(try rules("14A 14B 14C", "14A child").block("14B", "20B") == nil)
        let mum = try rules("14A 14B 14C", "14A child with=14B")
        #expect(try mum.block("14B", "20B")?.kind == .child)
        #expect(try mum.block("14C", "20B") == nil)
    }

    @Test("A child of whom nobody is known stays in its row, and beside whom it has to sit")
    func carers() throws {
        #expect(try rules("14A", "14A child").block("14A", "20A")?.kind == .child)
        #expect(try rules("14A", "14A child").say("14A", "14C") == [.apart])
        #expect(try rules("14A", "14A helped").say("14A", "20A") == [.apart, .row])
        // Another passenger looks after it and stays seated, unless the two change seats.
        let mum = try rules("14A", "14A child with=14B")
        #expect(try mum.block("14A", "20A")?.kind == .child)
        #expect(try mum.block("14A", "14C") == nil)
        #expect(try mum.block("14A", "14B") == nil)
    }

    @Test("Who is apart already may move, best to each other")
    func apart() throws {
        let family = try rules("14A 20B", "14A child")
        #expect(try family.say("20B", "14B") == [.row])
        #expect(try family.say("20B", "21B") == [.apart, .row])
        // Somebody else of the own moves: nothing to do with the child.
        #expect(try rules("14A 20B 30C", "14A child with=20B").say("30C", "31C") == [.row])
    }

    @Test("Who helps and who is helped are one")
    func helpers() throws {
        let pair = try rules("14A 14B", "14A helped with=14B")
        #expect(try pair.block("14A", "20A")?.kind == .helper)
        #expect(try pair.block("14A 14B", "20A 20B") == nil)
    }

    @Test("Other classes, and seats that there are not, by whose layout")
    func layouts() throws {
        let wide = try rules("20A", cabin: "lufthansa-a350-900")
        #expect(try wide.block("20A", "5A")?.kind == .compartment)
        #expect(try wide.block("20A", "22A") == nil)
        #expect(try wide.block("20A", "60A")?.kind == .missing)
        // A suggestion of others stops nobody's swap.
        let hearsay = try rules("20A", cabin: "lufthansa-a350-900", chosen: false)
        #expect(try hearsay.say("20A", "5A") == [.compartment, .row])
        #expect(try hearsay.say("20A", "60A") == [.missing, .row])
    }

    @Test("A seat that is not sure cannot be given")
    func standby() throws {
        #expect(try rules("14C", "14C standby").block("14C", "14A")?.kind == .standby)
        #expect(try rules("14C 15C", "14C standby").block("15C", "14A") == nil)
    }

    @Test("Money, room and infants are told")
    func told() throws {
        #expect(try rules("14C", "14C paid").say("14C", "14A") == [.paid])
        #expect(try rules("14C").say("14C", "2E") == [.better, .row])
        #expect(try rules("2D").say("2D", "2E") == [])
        #expect(try rules("14C", "14C infant").say("14C", "2E") == [.infant, .wall, .better, .row])
        let paid = try rules("14C", "14C paid").findings(give: seats("14C"), take: seats("14A"))
        #expect(paid[0].what.contains("no refund") && paid[0].what.contains("trade money"))
    }

    @Test("What is said moves with its people")
    func moves() throws {
        var needs = Needs([
            Needs.Person(seat: try seat("14A"), facts: [.child], with: try seat("14B")),
            Needs.Person(seat: try seat("14B"), facts: [.exit]),
        ])
        needs.move(SeatRules.places(give: try seats("14B 14A"), take: try seats("20A 20B")))
        #expect(needs.people.map(\.seat) == (try seats("20A 20B")))
        #expect(needs.people[0].with == (try seat("20B")) && needs.people[0].has(.child))
        // A passenger with one seat means themselves, wherever they sit.
        #expect(needs.person(in: try seat("30A"), of: try seats("30A")).facts == [])
        needs.set(Needs.Person(seat: try seat("20A"), facts: []))
        #expect(needs.person(in: try seat("30A"), of: try seats("30A")).facts == [.exit])
    }

    @Test("A person is kept as words, and words of later versions are left out")
    func text() throws {
        for text in ["exit paid", "child with=14C", "", "with=1A"] {
            #expect(Needs.Person(seat: try seat("14D"), text: text).text == text)
        }
        let later = Needs.Person(seat: try seat("14D"), text: "paid allergic exit with=?")
        #expect(later.text == "exit paid")
    }
}
