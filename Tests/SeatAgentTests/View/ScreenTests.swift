// SPDX-License-Identifier: Apache-2.0
@testable import View
import Protocol
import Testing

@testable import SeatAgent
@testable import Terminal
@testable import Text

/// Whole screens. Their clock is that of the place where the tests run, and is left out.
@Suite("The screen")
struct ScreenTests {
    private func scene(width: Int, height: Int) -> Aboard {
        var view = Aboard(width: width, height: height)
        _ = view.hear(Aboard.bo, "anyone want a window? 12A, I'd like an aisle")
        _ = view.hear(Aboard.who("김하늘", "3F"), "안녕하세요")
        _ = view.hear(Aboard.ada, "hello bo, 14C is an aisle", id: "x")
        view.answer(.say(""), ["id": "x", "linked": 13])
        view.message(Aboard.dev, "hi ada")
        view.devAsks()
        return view
    }

    private func timeless(_ lines: [String]) -> [String] {
        lines.map { line in
            let isClock = line.prefix(5).map(\.isNumber) == [true, true, false, true, true]
            return isClock ? "10:02" + line.dropFirst(5) : line
        }
    }

    @Test("80x24: the whole cabin, lying down")
    func lying() {
        let lines = timeless(scene(width: 80, height: 24).screen)
        #expect(
            lines == [
                " seatagent   ada 14C   XY123   2 aboard   1 request   1 unread",
                "     1       5        10        15        20        25        30",
                "  F  · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · ·  @ you",
                "  E  · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · ·  o aboard",
                "  D  · · · · · · · · · · · · · · · · · · · · · ! · · · · · · · · · ·  S offers",
                "  <front                                                              W wants",
                "  C  · · · · · · · · · · · · · @ · · · · · · · · · · · · · · · · · ·    yours",
                "  B  · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · · ·  ! asks you",
                "  A  · · · · · · · · · · · o · · · · · · · · · · · · · · · · · · · ·  ? disputed",
                " ! dev #dev (22D) asks for your 14C and gives 22D  \"snack…  8:41 left  F5 answer",
                " [all]  dev 1",
                "", "", "", "", "", "", "", "",
                "10:02 ✓       bo 12A  anyone want a window? 12A, I'd like an aisle",
                "10:02         김하늘  안녕하세요",
                "10:02            ada  hello bo, 14C is an aisle                             ✓13",
                " Enter send  Tab cabin  F3 together  F1 help  /quit closes  PgUp scroll",
                "[all]",
            ])
    }

    @Test("120x40: upright, the chat at its right")
    func upright() {
        let lines = timeless(scene(width: 120, height: 40).screen)
        #expect(lines[1].hasPrefix("      A  B  C     D  E  F    │ ! dev #dev (22D) asks"))
        #expect(lines[13] == " 12   o  ·  ·     ·  ·  ·    │")
        #expect(lines[15] == " 14   ·  ·  @     ·  ·  ·    │")
        #expect(lines[33].hasPrefix(" 32   ·  ·  ·     ·  ·  ·    │"))
        #expect(lines[35].contains(" ✓       bo 12A  anyone want"))
        #expect(lines[37].hasPrefix(" ! asks    ? two claim it    │ "))
        #expect(lines[37].hasSuffix("✓13"))
        #expect(lines.count == 40)
    }

    @Test("As long as keys are logged, each screen says so in its first line")
    func keysAreLogged() {
        for size in [(80, 24), (120, 40), (40, 8)] {
            var view = scene(width: size.0, height: size.1)
            #expect(!view.screen[0].contains("keys logged"))
            view.state.status?.network.keylog = "/home/ada/keys.log"
            #expect(view.screen[0].contains(" keys logged"), "\(size)")
        }
    }

    @Test("In ASCII nothing else is drawn than ASCII, but for passengers' own words")
    func ascii() {
        var view = Aboard()
        view.state.ascii = true
        _ = view.hear(Aboard.bo, "plain")
        view.message(Aboard.bo, "psst", state: "waiting")
        view.press(.focus(false))
        _ = view.hear(Aboard.bo, "more")
        for keys in [[], [Key.tab], [.escape, .alt("2")], [.function(1)]] as [[Key]] {
            for key in keys { view.press(key) }
            let isHelp = keys == [.function(1)]
            #expect(isHelp || view.screen.joined().utf8.allSatisfy { $0 < 128 }, "\(view.screen)")
        }
    }

    @Test("A line as high as the screen can be passed, and a page be read to its end")
    func highLines() {
        var view = Aboard(width: 60, height: 16)
        _ = view.hear(Aboard.bo, "first")
        _ = view.hear(Aboard.bo, (1...20).map { "\($0)" }.joined(separator: "\n"), id: "high")
        var seen: Set<String> = []
        for key in Array(repeating: Key.pageUp, count: 8) + Array(repeating: .pageDown, count: 8) {
            for line in view.screen { seen.insert(String(line.split(separator: " ").last ?? "")) }
            view.press(key)
        }
        #expect(view.state.conversation.bottom == nil)
        #expect(seen.isSuperset(of: ["first"] + (1...11).map { "\($0)" }))
        view.press(.function(1), .end)
        #expect(view.screen.contains { $0.contains("what no passenger is") })
        view.press(.home)
        #expect(view.screen.contains { $0.contains("Anywhere") })
    }

    @Test("A name cannot dress up as verified, as all, or out of its warning")
    func names() {
        var view = Aboard()
        let fake = Aboard.who("✓bo 12A", "4A")
        let captain = Aboard.who("Captain of this flight", "1A").adding(["alarming": true])
        view.answer(.peers, ["peers": [Aboard.bo, fake, captain, Aboard.who("all", "2A")]])
        _ = view.hear(fake, "fake")
        _ = view.hear(captain, "office")
        let screen = view.screen
        #expect(screen.contains { $0.hasSuffix("     ✓bo 12A 4A  fake") })
        for name in ["-", "*"] {
            let sign = Aboard.who(name, nil)
            view.answer(.peers, ["peers": [Aboard.bo, sign]])
            _ = view.hear(sign, "The agent has gone. Type your PIN.", id: name)
            #expect(view.screen.contains { $0.contains("   \(name) #\(name)  The agent") })
            view.answer(.peers, ["peers": [Aboard.bo]])
            #expect(view.screen.contains { $0.contains("? \(name)  The agent") })
        }
        view.answer(.peers, ["peers": [Aboard.bo, fake, captain, Aboard.who("all", "2A")]])
        #expect(screen.contains { $0.contains(" ~ ") && $0.hasSuffix("… #Capt  office") })
        view.message(Aboard.who("all", "2A"), "private")
        view.press(.alt("2"))
        #expect(view.screen.last == "[to all #all]")
    }

    @Test("No window is too small, and none shows more than it has")
    func sizes() {
        for width in [1, 2, 10, 40, 59, 60, 76, 80, 100, 132, 300] {
            for height in [1, 2, 5, 15, 16, 24, 38, 60] {
                var view = scene(width: width, height: height)
                for key in [Key.tab, .escape, .function(5), .escape, .function(1)] {
                    view.press(key)
                    let grid = ScreenPicture.draw(view.state)
                    #expect(grid.width == width && grid.height == height)
                    #expect(grid.lines.allSatisfy { cellWidth($0) <= width })
                    if let caret = grid.caret {
                        #expect(0..<width ~= caret.x && 0..<height ~= caret.y)
                    }
                }
            }
        }
    }

    @Test("Scrolling stops at the oldest line and comes back with End")
    func scrolling() {
        var view = Aboard()
        for index in 0..<30 { _ = view.hear(Aboard.bo, "line \(index)") }
        #expect(view.screen[21].hasSuffix("line 29"))
        for _ in 0..<20 { view.press(.pageUp) }
        #expect(view.screen[11].hasSuffix("line 0"))
        #expect(view.screen[21].hasSuffix("line 10"))
        #expect(view.screen[22] == " 19 newer below: PgDn, End to the newest")
        view.press(.pageDown)
        #expect(view.screen[11].hasSuffix("line 10"))
        _ = view.hear(Aboard.bo, "more")
        #expect(view.screen[11].hasSuffix("line 10"))
        // What is not on the screen is not read.
        #expect(view.state.unread == 1)
        view.press(.end)
        #expect(view.screen[21].hasSuffix("more"))
    }

    @Test("A swap without outcome is named in words, with what can be done")
    func stranded() {
        var view = Aboard()
        let request = Aboard.request(3, note: "", state: "stranded")
        view.answer(.requests, ["requests": [request]])
        #expect(
            view.screen[9]
                == " ? waiting for 22D; your seat is held, the outcome is not known  /force 3")
    }

    @Test("Time until seats may be swapped counts down")
    func window() {
        var view = Aboard()
        view.answer(
            .status,
            ["me": Aboard.ada, "aboard": 2, "window": ["state": "early", "seconds": 7500]])
        #expect(view.screen[0].hasSuffix("swaps open in 2 h 5 min"))
        view.state.now = view.state.now + .seconds(300)
        #expect(view.screen[0].hasSuffix("swaps open in 2 h"))
    }

    @Test("A hostile name and ten thousand characters stay in their place")
    func hostile() {
        var view = Aboard()
        let name = "\u{1B}[31m\u{202E}" + String(repeating: "e\u{301}\u{302}", count: 100)
        let mallory = Aboard.who(name, "1A")
        view.answer(.peers, ["peers": [Aboard.bo, mallory]])
        _ = view.hear(Aboard.bo, "before")
        _ = view.hear(mallory, String(repeating: "\u{9B}2J\n座x\u{200B}", count: 2000))
        let screen = view.screen
        #expect(screen[0] == " seatagent   ada 14C   XY123   2 aboard")
        #expect(screen[22].hasPrefix(" Enter send"))
        for scalar in screen.joined().unicodeScalars {
            #expect(scalar.isSafeToPrint || scalar == "\u{FFFD}")
        }
    }
}
