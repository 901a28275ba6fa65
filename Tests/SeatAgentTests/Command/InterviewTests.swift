// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Testing

@testable import SeatAgent
@testable import Text

/// The questions of a first run.
@Suite("First run")
struct InterviewTests {
    private let wireless = JoinableNetwork(
        name: "wlp2s0", address: "192.168.1.20", wireless: "Cabin-WiFi")
    private let cable = JoinableNetwork(name: "enp0s1", address: "10.0.0.7")
    private let own = JoinableNetwork(name: "lo", address: "127.0.0.1", isLoopback: true)

    private func interview(
        _ stored: [String: [String]] = [:], networks: [JoinableNetwork]? = nil
    ) -> Interview {
        Interview(
            stored: stored, name: "ada", networks: networks ?? [wireless, cable, own],
            interfaces: ["lo", "wlp2s0", "enp0s1", "wg0"], today: FlightDate("2026-11-22"))
    }

    /// One who is on the practice flight by Enter.
    private func practising(
        _ stored: [String: [String]] = [:], networks: [JoinableNetwork]? = nil
    ) -> Interview {
        var interview = interview(stored, networks: networks)
        _ = interview.answer("")
        return interview
    }

    @Test("Four questions, the flight first, and Enter takes what is proposed")
    func four() {
        var interview = interview()
        #expect(
            interview.greeting
                == "Welcome aboard. Four questions; nothing leaves this computer until the last."
        )
        #expect(
            interview.prompt == "Your flight (for example FR202; Enter: a practice flight): ")
        #expect(
            interview.answer("")
                == .ask("The practice flight: everybody who names none is on it."))
        #expect(interview.prompt == "Your seat (for example 14C; with your party 14C,14D): ")
        #expect(interview.answer(" 14c ") == .ask(nil))
        #expect(interview.prompt == "A name others will see [ada]: ")
        #expect(interview.answer("") == .ask(nil))
        #expect(
            interview.prompt == "Network: wlp2s0 192.168.1.20 \"Cabin-WiFi\". Join it? [Y/n] ")
        #expect(
            interview.answer("")
                == .done(["seat": ["14C"], "name": ["ada"], "interface": ["wlp2s0"]]))
    }

    @Test(
        "A flight in any spelling; what is missing is asked for",
        arguments: [
            ["FR 202 2026-12-05 DUB"], ["ryr0202/2026-12-05/dub"], ["FR202", "DUB 2026-12-05"],
            ["fr 202", "", "dub 2026-12-05"], ["FR202 2026-12-05", "DUB"], ["FR202 DUB 2026-12-05"],
        ])
    func named(answers: [String]) {
        var interview = interview()
        for answer in answers {
            #expect(!interview.prompt.hasPrefix("Your seat"))
            _ = interview.answer(answer)
        }
        #expect(interview.prompt.hasPrefix("Your seat"))
        _ = interview.answer("45K")
        _ = interview.answer("")
        #expect(
            interview.answer("")
                == .done([
                    "flight": ["FR202/2026-12-05/DUB"], "seat": ["45K"], "name": ["ada"],
                    "interface": ["wlp2s0"],
                ]))
    }

    @Test("Without a day it is today's flight, and that is said; no flight is asked again")
    func today() {
        var interview = interview()
        for wrong in ["hello", "11 123", "FR0", "FR202 2026-13-40 DUB"] {
            guard case .ask(let why?) = interview.answer(wrong) else {
                Issue.record("\(wrong) was taken")
                continue
            }
            #expect(why.contains("is not a flight"))
            #expect(interview.prompt.hasPrefix("Your flight"))
        }
        #expect(interview.answer("FR202") == .ask(nil))
        #expect(interview.prompt.hasPrefix("The airport it leaves from"))
        #expect(interview.answer("DUBLIN") != .ask(nil))
        #expect(
            interview.answer("dub")
                == .ask(
                    "Everybody aboard names it alike: FR202/2026-11-22/DUB. That is today."))
        var again = self.interview(["seat": ["14C"], "flight": ["XY123/2026-11-22/DUB"]])
        _ = again.answer("n")
        #expect(again.prompt == "Your flight, or practice [XY123/2026-11-22/DUB]: ")
        var other = again
        _ = again.answer("")
        #expect(again.prompt.hasPrefix("Your seat"))
        #expect(
            other.answer("practice")
                == .ask("The practice flight: everybody who names none is on it."))
    }

    @Test(
        "Today and tomorrow are days, in either answer",
        arguments: [
            (["FR202 DUB tomorrow"], "FR202/2026-11-23/DUB. That is tomorrow."),
            (["fr 202", "DUB tomorrow"], "FR202/2026-11-23/DUB. That is tomorrow."),
            (["FR202", "Tomorrow dub"], "FR202/2026-11-23/DUB. That is tomorrow."),
            (["FR202/tomorrow", "dub"], "FR202/2026-11-23/DUB. That is tomorrow."),
            (["FR202 today DUB"], "FR202/2026-11-22/DUB. That is today."),
            (["FR202 DUB STN 2026-11-22"], "FR202/2026-11-22/DUB. That is today."),
            (["FR202 DUB to STN tomorrow"], "FR202/2026-11-23/DUB. That is tomorrow."),
            (["tomorrow FR202 DUB"], "FR202/2026-11-23/DUB. That is tomorrow."),
            (["FR202 2026-12-05", "DUB tomorrow"], "FR202/2026-11-23/DUB. That is tomorrow."),
            (["FR202 tomorrow", "DUB 2026-11-24"], "FR202/2026-11-24/DUB."),
            (["FR202 tomorrow", "2026-11-24", "DUB"], "FR202/2026-11-24/DUB."),
            (["FR202", "y", "DUB"], "FR202/2026-11-22/DUB. That is today."),
            (["FR202", "DUB sat", "DUB"], "FR202/2026-11-22/DUB. That is today."),
            (["FR202 DUB sat", "FR202 SAT"], "FR202/2026-11-22/SAT. That is today."),
            (["FR202", "DUB 2026-11-24"], "FR202/2026-11-24/DUB."),
        ])
    func daysByName(answers: [String], name: String) {
        var interview = interview()
        var last = Interview.Outcome.ask(nil)
        for answer in answers { last = interview.answer(answer) }
        #expect(last == .ask("Everybody aboard names it alike: " + name))
        #expect(interview.prompt.hasPrefix("Your seat"))
    }

    @Test(
        "No word is passed over: it may have been the day",
        arguments: [
            ("DUB tomorow", "tomorow"), ("tomorow", "tomorow"), ("DUB 5 dec", "5"),
            ("DUB sat", "SAT"), ("sat DUB", "DUB"), ("y", "y"), ("A DUB", "A"),
            ("DUBLIN", "DUBLIN"), ("DUB STN LGW", "LGW"),
            ("DUB 2026-12-05 2026-12-06", "2026-12-06"),
            ("DUB 17A", "17A"),
        ])
    func strays(answer: String, word: String) {
        var interview = interview()
        _ = interview.answer("FR202")
        let words =
            "\"\(word)\" is not understood: after the number comes the airport it leaves from, "
            + "such as DUB, and the day, such as 2026-11-23 or tomorrow."
        #expect(interview.answer(answer) == .ask(words))
        #expect(interview.prompt.hasPrefix("The airport it leaves from"))
        #expect(interview.answer("dub tomorrow") != .ask(words))
        #expect(interview.prompt.hasPrefix("Your seat"))
    }

    @Test("Where there is no network it is said which to join")
    func alone() {
        var interview = practising(networks: [own])
        _ = interview.answer("14C")
        guard case .ask(let words?) = interview.answer("") else {
            Issue.record("nothing is said")
            return
        }
        #expect(words.hasPrefix("This computer is on no network."))
        #expect(words.contains("the Wi-Fi of the cabin"))
        #expect(words.hasSuffix("nmcli device wifi hotspot ssid seatagent"))
    }

    @Test(
        "Seats as people write them, of any cabin",
        arguments: [
            ("14 C", "14C"), ("14c, 14 d", "14C,14D"), ("14C 14D", "14C,14D"), ("61K", "61K"),
            ("255Z", "255Z"),
        ])
    func seat(typed: String, seats: String) {
        var interview = practising()
        #expect(interview.answer(typed) == .ask(nil))
        _ = interview.answer("")
        #expect(
            interview.answer("")
                == .done(["seat": [seats], "name": ["ada"], "interface": ["wlp2s0"]]))
    }

    @Test("Before a network is joined, the name of the computer on it is spoken of")
    func computer() {
        func remark(_ networks: [JoinableNetwork], _ computer: String) -> Interview.Outcome {
            var interview = Interview(
                stored: [:], name: "ada", networks: networks, interfaces: ["lo", "wlp2s0"],
                computer: computer)
            _ = interview.answer("")
            _ = interview.answer("14C")
            return interview.answer("")
        }
        guard case .ask(let words?) = remark([wireless, own], "adas-thinkpad") else {
            Issue.record("nothing is said")
            return
        }
        #expect(words.contains("adas-thinkpad.local") && words.contains("seatagent doctor"))
        guard case .ask(let own?) = remark([own], "adas-thinkpad") else {
            Issue.record("nothing is said")
            return
        }
        #expect(!own.contains("adas-thinkpad"))
        #expect(remark([wireless], "") == .ask(nil))
    }

    @Test("A flight of the list that is near is asked for first, and brings its seats")
    func trip() {
        let near = Interview.Proposal(
            words: "FR 202 on 2026-12-05 from DUB, in 17A",
            values: ["flight": ["FR202/2026-12-05/DUB"], "seat": ["17A"]])
        func interview(_ near: Interview.Proposal, _ stored: [String: [String]] = [:]) -> Interview
        {
            Interview(
                stored: stored, name: "ada", networks: [own], interfaces: ["lo"], trip: near)
        }
        var yes = interview(near, ["seat": ["14C"]])
        #expect(yes.greeting?.contains("until the last question") == true)
        #expect(yes.prompt == "FR 202 on 2026-12-05 from DUB, in 17A: join it? [Y/n] ")
        #expect(yes.answer("perhaps") != .ask(nil))
        #expect(yes.answer("") == .ask(nil))
        #expect(yes.prompt.hasPrefix("A name"))
        guard case .ask = yes.answer("") else {
            Issue.record("the name is not taken")
            return
        }
        #expect(!yes.prompt.isEmpty && yes.isLast)
        let all = near.values.merging(["name": ["ada"], "interface": ["lo"]]) { $1 }
        #expect(yes.answer("y") == .done(all))
        // Without a seat in the list it is asked for.
        var bare = interview(.init(words: "FR 202", values: ["flight": ["FR202/2026-12-05/DUB"]]))
        #expect(bare.answer("y") == .ask(nil))
        #expect(bare.prompt.hasPrefix("Your seat"))
        // No leads to what is asked without a list.
        var still = interview(near, ["seat": ["14C"]])
        #expect(still.answer("n") == .ask(nil))
        #expect(still.prompt == "Still 14C? [Y/n] ")
        var new = interview(near)
        #expect(new.answer("n") == .ask(nil))
        #expect(new.prompt.hasPrefix("Your flight"))
    }

    @Test("A wrong answer is asked again, with the reason")
    func again() {
        var interview = practising()
        let first = interview.prompt
        #expect(
            interview.answer("256A")
                == .ask(
                    "\"256A\" is not a seat on this plane: a seat is a row from 1 to 255 and a "
                        + "letter, as 14C."))
        #expect(interview.answer("") != .ask(nil))
        #expect(interview.answer("14") != .ask(nil))
        #expect(interview.prompt == first)
        #expect(interview.answer("14C,14D") == .ask(nil))
        for wrong in ["captain", "a\u{202E}b", String(repeating: "x", count: 49)] {
            guard case .ask(let remark?) = interview.answer(wrong) else {
                Issue.record("\(wrong) was taken")
                continue
            }
            #expect(remark.unicodeScalars.allSatisfy { $0.isSafeToPrint || $0 == " " })
        }
        #expect(interview.answer("Chlo\u{EB}") == .ask(nil))
        guard case .ask(.some) = interview.answer("perhaps") else {
            Issue.record("perhaps is no answer")
            return
        }
        #expect(
            interview.answer("YES")
                == .done(["seat": ["14C,14D"], "name": ["Chlo\u{EB}"], "interface": ["wlp2s0"]]))
    }

    @Test("A no to one network proposes the next, and after the last nothing is done")
    func networks() {
        var interview = practising()
        _ = interview.answer("14C")
        _ = interview.answer("ada")
        #expect(interview.answer("n") == .ask(nil))
        #expect(interview.prompt == "Network: enp0s1 10.0.0.7. Join it? [Y/n] ")
        #expect(interview.answer("no") == .ask(nil))
        #expect(
            interview.prompt == "Network: lo 127.0.0.1, this computer alone. Join it? [Y/n] ")
        var joined = interview
        #expect(
            joined.answer("y")
                == .done(["seat": ["14C"], "name": ["ada"], "interface": ["lo"]]))
        #expect(
            interview.answer("n") == .left("There is no other network. Nothing was joined."))
    }

    @Test("The end of input leaves at every question")
    func leaving() {
        let left = Interview.Outcome.left("Nothing was joined.")
        var interview = interview()
        for line in ["", "14C", "ada", "n"] {
            var copy = interview
            #expect(copy.answer(nil) == left)
            _ = interview.answer(line)
        }
        #expect(interview.answer(nil) == left)
        var still = self.interview(["seat": ["14C"]])
        #expect(still.answer(nil) == left)
    }

    @Test("An old profile is asked one thing only")
    func still() {
        let stored = ["seat": ["14c"], "name": ["ada"], "interface": ["wlp2s0"], "port": ["7711"]]
        var interview = interview(stored)
        #expect(interview.greeting == nil)
        #expect(interview.prompt == "Still 14C? [Y/n] ")
        #expect(interview.answer("") == .done(stored))
        var other = self.interview(stored)
        #expect(other.answer("n") != .ask(nil))
        #expect(other.prompt.hasPrefix("Your flight"))
        _ = other.answer("")
        _ = other.answer("3A")
        _ = other.answer("")
        #expect(
            other.answer("")
                == .done(["seat": ["3A"], "name": ["ada"], "interface": ["wlp2s0"]]))
    }

    @Test("Where the network of the last time is not there, it asks for another")
    func otherNetwork() {
        var interview = interview(["seat": ["14C"], "interface": ["wlan9"]])
        #expect(interview.answer("y") == .ask("wlan9 is not there now."))
        #expect(interview.answer("y") == .done(["seat": ["14C"], "interface": ["wlp2s0"]]))
        // A tunnel is not proposed, but whoever named it before may keep it.
        var tunnel = self.interview(["seat": ["14C"], "interface": ["wg0"]])
        #expect(tunnel.answer("y") == .done(["seat": ["14C"], "interface": ["wg0"]]))
        var none = self.interview(["seat": ["14C"], "interface": ["wlan9"]], networks: [])
        #expect(none.answer("y") == .done(["seat": ["14C"], "interface": ["wlan9"]]))
    }

    @Test("The flight of the last time is named in the question")
    func flight() {
        let interview = interview(["seat": ["14C"], "flight": ["XY123/2026-11-22/DUB"]])
        #expect(interview.prompt == "Still 14C on XY123/2026-11-22/DUB? [Y/n] ")
    }

    @Test("What an access point calls itself cannot act on the terminal")
    func hostile() {
        let network = JoinableNetwork(
            name: "wlp2s0", address: "10.0.0.1", wireless: "\u{1B}[2J\u{202E}x")
        var interview = practising(networks: [network])
        _ = interview.answer("14C")
        _ = interview.answer("")
        #expect(interview.prompt.unicodeScalars.allSatisfy { $0.isSafeToPrint || $0 == " " })
    }
}
