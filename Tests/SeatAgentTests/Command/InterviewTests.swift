import Testing

@testable import SeatAgent

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
            interfaces: ["lo", "wlp2s0", "enp0s1", "wg0"])
    }

    @Test("Three questions, and Enter takes what is proposed")
    func three() {
        var interview = interview()
        #expect(
            interview.greeting
                == "Welcome aboard. Three questions; nothing leaves this computer until the last."
        )
        #expect(interview.prompt == "Your seat (for example 14C): ")
        #expect(interview.answer(" 14c ") == .ask(nil))
        #expect(interview.prompt == "A name others will see [ada]: ")
        #expect(interview.answer("") == .ask(nil))
        #expect(
            interview.prompt == "Network: wlp2s0 192.168.1.20 \"Cabin-WiFi\". Join it? [Y/n] ")
        #expect(
            interview.answer("")
                == .done(["seat": ["14c"], "name": ["ada"], "interface": ["wlp2s0"]]))
    }

    @Test("Before a network is joined, the name of the computer on it is spoken of")
    func computer() {
        func remark(_ networks: [JoinableNetwork], _ computer: String) -> Interview.Outcome {
            var interview = Interview(
                stored: [:], name: "ada", networks: networks, interfaces: ["lo", "wlp2s0"],
                computer: computer)
            _ = interview.answer("14C")
            return interview.answer("")
        }
        guard case .ask(let words?) = remark([wireless, own], "adas-thinkpad") else {
            Issue.record("nothing is said")
            return
        }
        #expect(words.contains("adas-thinkpad.local") && words.contains("seatagent doctor"))
        #expect(remark([own], "adas-thinkpad") == .ask(nil))
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
        #expect(yes.answer("") == .ask(nil))
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
        #expect(new.answer("n") == .ask("The practice flight, then."))
        #expect(new.prompt.hasPrefix("Your seat"))
    }

    @Test("A wrong answer is asked again, with the reason")
    func again() {
        var interview = interview()
        let first = interview.prompt
        #expect(
            interview.answer("33B")
                == .ask(
                    "\"33B\" is not a seat on this plane: rows go from 1 to 32, letters from A to F."
                ))
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
        var interview = interview()
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
        for line in ["14C", "ada", "n"] {
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
        #expect(other.prompt == "Your seat (for example 14C): ")
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
        var interview = interview(networks: [network])
        _ = interview.answer("14C")
        _ = interview.answer("")
        #expect(interview.prompt.unicodeScalars.allSatisfy { $0.isSafeToPrint || $0 == " " })
    }
}
