// SPDX-License-Identifier: Apache-2.0
@testable import ControlAPI
@testable import Notify
import Testing

@testable import Profile
@testable import Protocol
@testable import SeatAgent
@testable import Text

/// Who is called for what, and how often (docs/guide/view.md).
@Suite("Notifications")
struct NotifierTests {
    private static let me: JSON = ["name": "ada", "seats": ["14C"], "me": true, "tag": "#aaaa"]
    private static let bo: JSON = ["name": "bo", "seats": ["12A"], "key": "b0", "tag": "#bbbb"]
    private let away = Looking(focus: .away)
    private let here = Looking(focus: .here)
    private let unknown = Looking(focus: .unknown)

    private func notifier(_ change: (inout NotifySettings) -> Void = { _ in }) -> Notifier {
        var settings = NotifySettings()
        settings.desktop = true
        change(&settings)
        return Notifier(settings, me: Self.me)
    }

    private func at(_ seconds: Int64) -> Instant { Instant.zero + .seconds(seconds) }

    private func chat(_ text: String, who: JSON = bo) -> JSON {
        ["event": "chat", "who": who, "text": .string(text)]
    }

    private func message(_ text: String, _ state: JSON = "received") -> JSON {
        [
            "event": "message", "who": Self.bo, "text": .string(text), "state": state,
            "outgoing": .bool(state != "received"),
        ]
    }

    private func request(
        _ number: Int, state: JSON = "open", by: JSON = bo, contract: JSON = "c1",
        direction: JSON = "in"
    ) -> JSON {
        [
            "event": state == "open" ? "request" : "swap", "number": .int(number), "state": state,
            "needs_answer": .bool(state == "open"), "by": by, "with": [Self.bo],
            "contract": contract, "direction": direction, "note": "snacks -- included",
            "moves": [
                ["seat": "12A", "from": Self.bo, "to": Self.me],
                ["seat": "14C", "from": Self.me, "to": Self.bo],
            ],
        ]
    }

    private func swap(_ number: Int, state: JSON = "open", contract: JSON = "c1") -> JSON {
        [
            "event": "booking",
            "swap": [
                "number": .int(number), "state": state, "needs_answer": .bool(state == "open"),
                "moves": [], "with": [Self.bo], "waits_for": [], "by": Self.bo,
                "note": "please -- an hour later", "contract": contract,
            ],
        ]
    }

    @Test("A swap of bookings rings once until it is answered, and its end is said once")
    func bookingSwaps() {
        var notifier = notifier { $0.preview = true }
        let asked = notifier.handle(swap(3), looking: away, at: at(0))
        #expect(
            asked == [
                .bell,
                .desktop(
                    title: "Booking",
                    body: "bo #bbbb asks you to swap bookings: \"please -- an hour later\""),
                .title("(!) seatagent"),
            ])
        #expect(notifier.handle(swap(3), looking: away, at: at(20)) == [])
        #expect(
            notifier.handle(swap(3, state: "agreed"), looking: away, at: at(30)) == [
                .title("seatagent")
            ])
        let done = notifier.handle(swap(3, state: "final"), looking: away, at: at(40))
        #expect(done.contains { "\($0)".contains("Your bookings are swapped.") })
        #expect(notifier.handle(swap(3, state: "final"), looking: away, at: at(60)) == [])
        // The desk refuses what was asked for; what waits says nothing.
        let refused: JSON = [
            "event": "booking", "asked": ["ask": "00", "state": "refused", "reason": 14],
        ]
        let words = notifier.handle(refused, looking: away, at: at(80))
        #expect(words.contains { "\($0)".contains("The desk refuses what you asked for.") })
        let waits: JSON = ["event": "booking", "asked": ["ask": "00", "state": "waiting"]]
        #expect(notifier.handle(waits, looking: away, at: at(100)) == [])
        #expect(notifier.handle(["event": "booking"], looking: away, at: at(120)) == [])
    }

    // MARK: The table

    @Test("A request rings, says who asks for what, and marks the title until it is answered")
    func requests() {
        var notifier = notifier()
        #expect(
            notifier.handle(request(1), looking: away, at: at(0)) == [
                .bell, .desktop(title: "Seat swap", body: "bo (12A) asks for your 14C"),
                .title("(!) seatagent"),
            ])
        // Looking at it is no answer.
        #expect(notifier.look(here) == [])
        #expect(notifier.title == "(!) seatagent")
        let done = notifier.handle(request(1, state: "declined"), looking: here, at: at(5))
        #expect(done == [.title("seatagent")])
    }

    @Test("The same request again is no news, a counter-offer is")
    func counter() {
        var notifier = notifier()
        _ = notifier.handle(request(1), looking: away, at: at(0))
        #expect(notifier.handle(request(1), looking: away, at: at(60)) == [])
        let other = notifier.handle(request(1, contract: "c2"), looking: away, at: at(90))
        #expect(other.contains(.bell))
    }

    @Test("Outcomes that another made ring, own steps do not")
    func outcomes() {
        for (state, direction, rings) in [
            ("final", "in", true), ("final", "out", true), ("declined", "out", true),
            ("declined", "in", false), ("expired", "out", true), ("expired", "in", false),
            ("withdrawn", "out", false), ("withdrawn", "in", false), ("failed", "out", true),
            ("stranded", "in", true), ("agreed", "out", false),
        ] {
            var notifier = notifier()
            let event = request(1, state: .string(state), direction: .string(direction))
            let out = notifier.handle(event, looking: away, at: at(0))
            #expect(out.contains(.bell) == rings, "\(state) \(direction)")
            #expect(out.contains(.title("(!) seatagent")) == rings, "\(state) \(direction)")
        }
    }

    @Test("The mark of an outcome goes when it has been seen")
    func seenOutcome() {
        var notifier = notifier()
        _ = notifier.handle(request(1, state: "final"), looking: away, at: at(0))
        #expect(notifier.look(unknown) == [])
        #expect(notifier.look(here) == [.title("seatagent")])
    }

    @Test("A direct message says only its sender, with preview also its text")
    func messages() {
        var plain = notifier()
        #expect(
            plain.handle(message("psst"), looking: away, at: at(0)) == [
                .bell, .desktop(title: "Message", body: "bo (12A) writes to you"),
                .title("(1) seatagent"),
            ])
        var open = notifier { $0.preview = true }
        #expect(
            open.handle(message("psst"), looking: away, at: at(0)).contains(
                .desktop(title: "Message", body: "bo (12A): psst")))
        #expect(
            open.handle(request(1), looking: away, at: at(20)).contains(
                .desktop(
                    title: "Seat swap", body: "bo (12A) asks for your 14C  \"snacks -- included\""))
        )
    }

    @Test("The cabin rings and counts, without a notice; a mention has one")
    func cabin() {
        var notifier = notifier()
        let plain = notifier.handle(chat("anyone?"), looking: away, at: at(0))
        #expect(plain == [.bell, .title("(1) seatagent")])
        let mention = notifier.handle(chat("is 14c free"), looking: away, at: at(20))
        #expect(
            mention == [
                .bell, .desktop(title: "In the cabin", body: "bo (12A) speaks of you"),
                .title("(2) seatagent"),
            ])
    }

    @Test("Seats that open call once, and closing calls nobody")
    func opening() {
        var notifier = notifier()
        let open: JSON = [
            "event": "window", "state": "open", "closes": "2026-03-06T07:40:00Z",
            "local": ["closes": "2026-03-06 07:40 (GMT)"],
        ]
        let words = "seats can be swapped from now on, until 2026-03-06 07:40 (GMT)"
        #expect(
            notifier.handle(open, looking: away, at: at(0))
                == [.bell, .desktop(title: "Seats open", body: words)])
        let closed: JSON = ["event": "window", "state": "closed"]
        #expect(notifier.handle(closed, looking: away, at: at(20)) == [])
        #expect(notifier.handle(open, looking: here, at: at(40)) == [])
    }

    @Test("Who comes, goes, renames or offers calls nobody")
    func quiet() {
        var notifier = notifier()
        for name in ["peer", "offer", "seat", "verify", "trouble", "ready"] {
            let event: JSON = ["event": .string(name), "who": Self.bo, "change": "renamed"]
            #expect(notifier.handle(event, looking: away, at: at(0)) == [])
        }
    }

    @Test("Own lines never count")
    func own() {
        var notifier = notifier()
        #expect(notifier.handle(chat("I am ada", who: Self.me), looking: away, at: at(0)) == [])
        for state in ["waiting", "acknowledged", "gave-up"] {
            let event = message("x", .string(state))
            #expect(notifier.handle(event, looking: away, at: at(0)) == [])
        }
        #expect(notifier.title == "seatagent")
    }

    // MARK: What is on the screen

    @Test("Nothing for what is on the screen of a terminal with the focus")
    func onScreen() {
        var notifier = notifier()
        let bo = Looking(focus: .here, conversation: "b0")
        #expect(notifier.handle(chat("ada!"), looking: here, at: at(0)) == [])
        #expect(notifier.handle(message("psst"), looking: bo, at: at(0)) == [])
        #expect(notifier.handle(message("psst"), looking: here, at: at(0)).contains(.bell))
        #expect(notifier.handle(chat("ada!"), looking: bo, at: at(20)).contains(.bell))
        // The bar with the request stands above every conversation.
        let asked = notifier.handle(request(1), looking: bo, at: at(40))
        #expect(asked == [.title("(!) seatagent")])
    }

    @Test("A terminal that does not tell of its focus rings for what is personal alone")
    func focusUnknown() {
        var notifier = notifier()
        #expect(notifier.handle(chat("anyone?"), looking: unknown, at: at(0)) == [])
        #expect(notifier.handle(request(1), looking: unknown, at: at(0)).contains(.bell))
        let later = notifier.handle(chat("ada?"), looking: unknown, at: at(20))
        #expect(later.contains(.bell))
    }

    @Test("Looking at a conversation takes its count away, and that of no other")
    func counts() {
        var notifier = notifier()
        _ = notifier.handle(chat("one"), looking: away, at: at(0))
        _ = notifier.handle(message("two"), looking: away, at: at(1))
        #expect(notifier.title == "(2) seatagent")
        #expect(notifier.look(here) == [.title("(1) seatagent")])
        #expect(notifier.look(here) == [])
        let bo = Looking(focus: .here, conversation: "b0")
        #expect(notifier.look(bo) == [.title("seatagent")])
    }

    // MARK: Rates

    @Test("One bell in ten seconds")
    func bells() {
        var notifier = notifier()
        var rung: [Int64] = []
        for second in Int64(0)..<25 {
            let out = notifier.handle(chat("x"), looking: away, at: at(second))
            if out.contains(.bell) { rung.append(second) }
        }
        #expect(rung == [0, 10, 20])
    }

    @Test("Notices that come faster are put together and come when the time is over")
    func merged() {
        var notifier = notifier()
        #expect(notifier.nextDeadline == nil)
        _ = notifier.handle(message("first"), looking: away, at: at(0))
        #expect(notifier.nextDeadline == nil)
        for number in 1...3 {
            let out = notifier.handle(request(number), looking: away, at: at(Int64(number)))
            #expect(!out.contains { if case .desktop = $0 { true } else { false } })
        }
        _ = notifier.handle(message("second"), looking: away, at: at(4))
        #expect(notifier.nextDeadline == at(10))
        #expect(notifier.due(at: at(9)) == [])
        #expect(
            notifier.due(at: at(10)) == [
                .desktop(title: "seatagent", body: "3 requests, 1 message")
            ])
        #expect(notifier.nextDeadline == nil)
        #expect(notifier.due(at: at(30)) == [])
    }

    @Test("A single one that was held back keeps its words")
    func heldAlone() {
        var notifier = notifier()
        _ = notifier.handle(message("first"), looking: away, at: at(0))
        _ = notifier.handle(request(1), looking: away, at: at(1))
        #expect(
            notifier.due(at: at(10)) == [
                .desktop(title: "Seat swap", body: "bo (12A) asks for your 14C")
            ])
    }

    @Test("What was seen or answered meanwhile needs no notice")
    func seen() {
        var answered = notifier()
        _ = answered.handle(message("first"), looking: away, at: at(0))
        _ = answered.handle(request(1), looking: away, at: at(1))
        _ = answered.handle(request(1, state: "withdrawn"), looking: away, at: at(2))
        #expect(answered.due(at: at(10)) == [])
        var looked = notifier()
        _ = looked.handle(message("first"), looking: away, at: at(0))
        _ = looked.handle(message("second"), looking: away, at: at(1))
        _ = looked.look(Looking(focus: .here, conversation: "b0"))
        #expect(looked.nextDeadline == nil)
    }

    // MARK: Settings

    @Test("Off is off, mentions are what is personal, each way can be closed alone")
    func levels() {
        let events = [chat("hi"), chat("ada"), message("x"), request(1)]
        func all(_ change: (inout NotifySettings) -> Void) -> [Notification] {
            var notifier = notifier(change)
            return events.enumerated().flatMap { index, event in
                notifier.handle(event, looking: away, at: at(Int64(index) * 20))
            }
        }
        func bells(_ out: [Notification]) -> Int { out.count { $0 == .bell } }
        #expect(all { $0.level = .off } == [])
        let mentions = all { $0.level = .mentions }
        #expect(bells(mentions) == 3)
        #expect(mentions.contains(.title("(2) seatagent")))
        #expect(bells(all { $0.bell = false }) == 0)
        let noDesktop = all { $0.desktop = false }
        #expect(!noDesktop.contains { if case .desktop = $0 { true } else { false } })
        #expect(bells(noDesktop) == 4)
    }

    @Test("Requests that are open when the view begins mark the title at once")
    func atStart() {
        let notifier = Notifier(NotifySettings(), me: Self.me, requests: [request(4)])
        #expect(notifier.title == "(!) seatagent")
    }

    @Test("Settings come from the config, and auto needs a session bus and a program")
    func config() throws {
        func settings(_ text: String, _ environment: [String: String]) throws -> NotifySettings {
            let file = try ConfigFile(Array(text.utf8))
            let config = try Config(file, profile: .standard, environment: [:])
            return NotifySettings(config, environment: environment) { $0 == "notify-send" }
        }
        let bus = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"]
        #expect(try settings("", [:]) == NotifySettings())
        for (text, environment, isOn) in [
            ("", bus, true), ("notify.command = nowhere x", bus, false),
            ("notify.desktop = off", bus, false), ("notify.desktop = on", [:], true),
        ] {
            #expect(try settings(text, environment).desktop == isOn, "\(text)")
        }
        let own = try settings(
            """
            notify = mentions
            notify.bell = off
            notify.preview = on
            notify.osc = tmux
            notify.command = my tool --x
            """, [:])
        #expect(own.level == .mentions && !own.bell && own.preview && own.sequences == .tmux)
        #expect(own.command == ["my", "tool", "--x"])
    }
}
