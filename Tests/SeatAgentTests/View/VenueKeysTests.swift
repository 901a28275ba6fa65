// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import Testing

@testable import Grammar
@testable import Terminal
@testable import Text
@testable import Venues
@testable import View

/// What keys and typed lines do on the page of a venue, and what the agent tells of it.
@Suite("F4, F6: keys and words on the page of a venue")
struct VenueKeysTests {
    @Test("Enter checks in after a question, and out at the place where the user is")
    func check() throws {
        var view = try InLibrary()
        view.press(.tab)
        #expect(view.state.venue?.cursor == 1)
        #expect(view.press(.down, .down, .enter).isEmpty)
        #expect(view.state.question?.sentence == "Say that you are at Science Park? y/n")
        // No key that was on its way answers, and no other key than y.
        #expect(view.press(.letter("y")).isEmpty)
        #expect(view.say("n").isEmpty && view.state.notice == "Nothing was sent.")
        view.press(.enter)
        #expect(InLibrary.words(view.say("y")) == [["checkin", "3"]])
        try view.comes(to: 3)
        view.press(.up, .enter)
        #expect(view.state.question == nil)
        #expect(
            view.state.notice == "You are at Science Park since 09:12: Enter there checks out.")
        view.press(.down, .enter)
        #expect(view.state.question?.sentence == "Say that you left Science Park? y/n")
        #expect(InLibrary.words(view.say("y")) == [["checkout"]])
    }

    @Test("The first check-in says who sees it, and asks whether friends may find the user")
    func firstTime() throws {
        var view = try InLibrary()
        view.state.venue?.finding = .unasked(address: "kiki@example.org")
        view.press(.tab, .enter)
        #expect(view.state.question?.lines.first?.contains("a key that is new each day") == true)
        #expect(view.say("y").isEmpty)
        #expect(view.state.question?.sentence.contains("kiki@example.org find you") == true)
        #expect(InLibrary.words(view.say("y")) == [["friend", "allow"], ["checkin", "1"]])
        view.press(.enter)
        _ = view.say("y")
        #expect(InLibrary.words(view.say("n")) == [["friend", "hide"], ["checkin", "1"]])
        // Once one of them was done, nobody asks again.
        let allow = Errand(words: ["friend", "allow"], kind: .said)
        _ = view.state.ended(allow, Errand.Outcome(lines: ["Who knows"], isDone: true))
        view.press(.enter)
        #expect(InLibrary.words(view.say("y")) == [["checkin", "1"]])
        // Who has no address cannot be found, and is not asked.
        view.state.venue?.finding = .unasked(address: nil)
        view.press(.enter)
        #expect(InLibrary.words(view.say("y")) == [["checkin", "1"]])
    }

    @Test("What does nothing is said: closed, booked, under way, the day over")
    func refused() throws {
        var view = try InLibrary(at: "2026-12-05T18:00:00Z")
        view.press(.tab)
        #expect(view.screen.contains { $0.contains("Enter: not here") })
        view.press(.enter)
        #expect(view.state.notice == "UB Singel is closed; opens tomorrow at 10:00.")
        #expect(view.state.question == nil)
        view = try InLibrary()
        view.press(.tab)
        view.state.began(Errand(words: ["checkin", "1"], kind: .said))
        view.press(.enter)
        #expect(view.state.notice?.contains("on its way") == true)
        view = try InLibrary(at: "2026-12-06T11:00:00Z")
        view.press(.tab, .enter)
        #expect(view.state.notice?.contains("/venue open uva begins anew") == true)
    }

    @Test("Midnight is said once, with the line to type, and a new day ends it")
    func midnight() throws {
        var view = try InLibrary(at: "2026-12-05T22:59:00Z")
        func notes() -> Int {
            view.state.conversation.lines.count { $0.text.contains("2026-12-05 of UvA") }
        }
        #expect(notes() == 0)
        for seconds in Int64(0)..<3 {
            view.state.tell(UTCTime(seconds: 1_796_511_600 + seconds))
        }
        #expect(notes() == 1)
        #expect(view.screen.contains { $0.hasPrefix(" ! 2026-12-05 of UvA study places is over") })
        guard var status = view.state.venue?.status else { return }
        status.volume = "2026-12-06"
        view.answer(.venue, JSON(status))
        view.state.tell(UTCTime(seconds: 1_796_511_700))
        #expect(notes() == 1 && !view.screen.contains { $0.hasPrefix(" ! 2026") })
    }

    @Test("Arrows, numbers, n and clicks move the cursor")
    func moves() throws {
        var view = try InLibrary()
        view.count([3: 1])
        view.press(.function(2), .down, .down, .down)
        #expect(view.state.venue?.cursor == 3)
        view.press(.letter("1"))
        #expect(view.state.venue?.cursor == 1)
        view.press(.letter("n"))
        #expect(view.state.venue?.cursor == 3)
        view.press(.letter("9"))
        #expect(view.state.notice == "No place has the number 9.")
        _ = view.state.handle(.click(Grid.Point(x: 12, y: 2)))
        #expect(view.state.venue?.cursor == 1 && view.state.question == nil)
        // The second click there is Enter.
        _ = view.state.handle(.click(Grid.Point(x: 12, y: 2)))
        #expect(view.state.question?.sentence.contains("UB Singel") == true)
        view.press(.escape)
        // On the plan arrows go to the nearest number in their direction.
        view.press(.letter("p"), .letter("1"), .right)
        #expect(view.state.venue?.cursor == 2)
        view.press(.right)
        #expect(view.state.venue?.cursor == 3)
        view.press(.left, .up)
        #expect(view.state.venue?.cursor == 1)
        view.press(.escape)
        #expect(view.state.focus == .input)
        // A window without room for the places takes no key for them.
        view.press(.tab)
        view.state.resize(Grid.Point(x: 40, y: 10))
        #expect(view.state.focus == .input)
        view.press(.tab)
        #expect(view.state.notice == "The places want a window of 60x16.")
    }

    @Test("Keys and words about seats do nothing, and are not in the help")
    func seats() throws {
        var view = try InLibrary()
        for key in [Key.function(3), .function(7)] {
            #expect(view.press(key).isEmpty)
            #expect(view.state.notice == VenueTable.noSeats && view.state.focus == .input)
        }
        #expect(view.press(.function(5)).isEmpty)
        #expect(view.state.notice == "No question waits for you.")
        for word in ["swap 12A", "offer", "wish window", "match", "together", "seats", "party"] {
            view.press(.control("u"))
            view.type("/" + word)
            #expect(view.press(.enter).isEmpty, "\(word)")
            #expect(view.state.notice?.contains("is for flights") == true, "\(word)")
            #expect(view.state.editor.text == "/" + word)
        }
        let help = HelpPage.lines(inVenue: true).joined(separator: "\n")
        for word in ["/swap", "/offer", "/wish", "/match", "F3", "F7", "seat", "cabin"] {
            #expect(!help.contains(word), "\(word)")
        }
        for command in VenueTable.commands { #expect(help.contains("/\(command.name)")) }
        for name in VenueTable.names {
            #expect(help.contains("/\(name)") && Verb(rawValue: name)?.worksInVenue != false)
        }
        // Tab completes what works here.
        view.press(.control("u"))
        view.type("/checko")
        view.press(.tab)
        #expect(view.state.editor.text == "/checkout ")
        view.press(.control("u"))
        view.type("/sw")
        view.press(.tab)
        #expect(view.state.editor.text == "/sw")
        #expect(SlashList.lines(view.state, atMost: 8).isEmpty)
        view.press(.control("u"))
        view.type("/che")
        #expect(SlashList.lines(view.state, atMost: 8).count == 2)
    }

    @Test("Nothing about seats is asked of the agent")
    func asked() throws {
        var view = try InLibrary()
        view.state.stale = .ofFlight.union(.venue)
        let asked = (view.state.refresh() + view.state.opening).compactMap { intent in
            if case .call(let call, _) = intent { call.operation } else { nil }
        }
        #expect(asked == [.status, .peers, .venue, .log])
        #expect(asked.allSatisfy { $0.worksInVenue })
    }

    @Test("A friend is marked where they are, and no longer once they left")
    func friends() throws {
        var view = try InLibrary()
        view.type("/friend Bo@example.org")
        let intents = view.press(.enter)
        #expect(InLibrary.words(intents) == [["friend", "Bo@example.org"]])
        guard case .errands(let list)? = intents.first, let errand = list.first else { return }
        let tag = String(repeating: "a", count: 32)
        let result: JSON = ["text": ["bo is at UB Singel."], "tag": .string(tag)]
        let told = ControlReply.done(result).line
        let asks = view.state.ended(errand, Errand.Outcome(lines: [told], isDone: true))
        #expect(asks == [.ask(Op.Friend(tag: tag), .friend(tag))])
        #expect(view.state.conversation.lines.last?.text == "bo is at UB Singel.")
        let came = UTCTime(seconds: 1_796_457_600)
        let stay = try #require(Stay(place: 1, since: came))
        let found = Op.Friend.Reply.Found(stay: StayFacts(stay, closes: nil), isIn: true)
        view.answer(.friend(tag), JSON(Op.Friend.Reply(stays: [found])))
        #expect(view.screen.contains { $0.hasPrefix(" ·* 1 UB Singel") })
        view.press(.tab)
        #expect(view.screen.contains { $0.contains("* bo@example.org") })
        view.press(.letter("p"))
        #expect(view.screen.contains { $0.contains("[1*]") })
        // Whoever comes or leaves may be they.
        view.count([:])
        #expect(view.state.refresh().contains(.ask(Op.Friend(tag: tag), .friend(tag))))
        view.answer(.friend(tag), JSON(Op.Friend.Reply(stays: [])))
        #expect(!view.screen.contains { $0.contains("[1*]") })
        // What was not found, or refused, is said; nobody is followed.
        let error = UserError(.usage, "no address", advice: "seatagent friend a@b.c")
        let refused = ControlReply.failed(error).line
        let other = Errand(words: ["friend", "x"], kind: .found)
        #expect(view.state.ended(other, Errand.Outcome(lines: [refused], isDone: false)).isEmpty)
        #expect(view.state.conversation.lines.last?.text == "no address.  Try: /friend a@b.c")
    }

    @Test("What a command says is said in the chat, as it can be typed here")
    func errands() throws {
        var view = try InLibrary()
        let errand = Errand(words: ["checkin", "1"], kind: .said)
        view.state.began(errand)
        #expect(view.state.venue?.isBusy == true)
        let lines = ["seatagent: you are at UB Singel", "  try: seatagent checkout"]
        _ = view.state.ended(errand, Errand.Outcome(lines: lines, isDone: false))
        #expect(view.state.venue?.isBusy == false)
        #expect(
            view.state.conversation.lines.suffix(2).map(\.text)
                == ["you are at UB Singel", "try: /checkout"])
        #expect(view.state.stale.contains(.venue))
    }

    @Test("Newer words are shown, and words that cannot be read leave the old ones")
    func newer() throws {
        var view = try InLibrary()
        view.press(.tab, .down)
        var words = VenueExample.study.text
        words = words.split(separator: "\n").joined().replacing("Law library", with: "Rokin")
        view.answer(.venue, JSON(InLibrary.status(words, revision: 2)))
        #expect(view.screen.contains { $0.contains("Rokin") })
        #expect(view.state.conversation.lines.last?.text.contains("has changed the words") == true)
        view.answer(.venue, JSON(InLibrary.status("{}", revision: 3)))
        #expect(view.screen.contains { $0.contains("Rokin") })
        #expect(view.state.conversation.lines.last?.text.contains("cannot read") == true)
    }

    @Test("An agent that is gone is started by the line that is said")
    func lost() throws {
        var view = try InLibrary()
        view.state.lost()
        #expect(view.state.conversation.lines.last?.text.contains("/venue open uva starts") == true)
        #expect(view.state.gone.advice == "seatagent venue open uva")
        // Nothing that is typed meanwhile stops it.
        view.type("/venue open uva")
        #expect(InLibrary.words(view.press(.enter)) == [["venue", "open", "uva"]])
        let asked = view.state.found()
        #expect(asked.contains(.ask(Op.Venue(), .venue)))
        #expect(!asked.contains(.ask(Op.Seats(), .seats)))
    }
}
