// SPDX-License-Identifier: Apache-2.0
@testable import Notify
import Glibc
import Testing

@testable import Protocol
@testable import SeatAgent
@testable import System
@testable import Text

/// What a terminal and a program get to see of passengers' texts.
@Suite("Notifications on their way out")
struct TerminalCallTests {
    /// Text made to break out of wherever it is put.
    static let hostile = [
        "\u{1B}]0;pwned\u{7}", "\u{9D}2;pwned\u{9C}", "a\u{7}b", "\u{1B}\\x", "\u{202E}desrever",
        "$(touch /tmp/x)`id`; rm -rf /", "-rf", "--help", "<b>&</b>", "a;b;c", "x\n\u{1B}[2J",
        "\u{85}y\u{2028}z", "\u{FEFF}\u{200B}", String(repeating: "W", count: 10_000),
        String(repeating: "e\u{301}\u{301}\u{301}\u{301}\u{301}", count: 2000),
    ]

    private func terminal(
        _ sequences: NotifySettings.Sequences, _ environment: [String: String] = [:]
    ) -> TerminalCall {
        var settings = NotifySettings()
        settings.sequences = sequences
        return TerminalCall(settings, environment: environment)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("A bell is one byte, a title is OSC 2")
    func simple() {
        #expect(terminal(.off).bytes(.bell) == [7])
        #expect(
            text(terminal(.off).bytes(.title("(2) seatagent"))) == "\u{1B}]2;(2) seatagent\u{1B}\\")
    }

    @Test("Notices by escape sequence only when asked for, and through tmux only wrapped")
    func sequences() {
        let notice = Notification.desktop(title: "Message", body: "bo writes")
        let tmux = ["TMUX": "/tmp/tmux-0/default,1,0"]
        #expect(terminal(.off).bytes(notice).isEmpty)
        #expect(text(terminal(.on).bytes(notice)) == "\u{1B}]9;Message: bo writes\u{1B}\\")
        #expect(
            text(terminal(.on, ["TERM": "rxvt-unicode-256color"]).bytes(notice))
                == "\u{1B}]777;notify;Message;bo writes\u{1B}\\")
        #expect(terminal(.on, tmux).bytes(notice).isEmpty)
        #expect(
            text(terminal(.tmux, tmux).bytes(notice))
                == "\u{1B}Ptmux;\u{1B}\u{1B}]9;Message: bo writes\u{1B}\u{1B}\\\u{1B}\\")
        #expect(text(terminal(.tmux).bytes(notice)) == "\u{1B}]9;Message: bo writes\u{1B}\\")
    }

    @Test("No text breaks out of its sequence", arguments: hostile)
    func harmless(text hostile: String) {
        for environment in [[:], ["TERM": "foot"]] {
            let bytes = terminal(.on, environment).bytes(
                .desktop(title: hostile, body: hostile))
            let inner = bytes.dropFirst(2).dropLast(2)
            let scalars = String(decoding: inner, as: UTF8.self).unicodeScalars
            #expect(scalars.allSatisfy { $0.isSafeToPrint })
            #expect(cellWidth(String(decoding: inner, as: UTF8.self)) < 260)
            #expect(inner.count < 4096)
            if environment.isEmpty { continue }
            // Title and text stay two fields.
            let fields = String(decoding: inner, as: UTF8.self)
                .split(separator: ";", maxSplits: 3, omittingEmptySubsequences: false)
            #expect(fields[0] == "777" && fields[1] == "notify" && !fields[2].contains(";"))
        }
        let title = terminal(.off).bytes(.title(hostile)).dropFirst(2).dropLast(2)
        #expect(
            String(decoding: title, as: UTF8.self).unicodeScalars.allSatisfy { $0.isSafeToPrint })
    }

    @Test("A program gets words that are no options and no markup", arguments: hostile)
    func words(text hostile: String) {
        let own = NotifyRunner.arguments(["my", "tool"], hostile, hostile)
        #expect(own.count == 4 && own.dropFirst(2).allSatisfy { !$0.hasPrefix("-") })
        let standard = NotifyRunner.arguments(NotifySettings.standardCommand, "Message", hostile)
        #expect(standard.count == 5)
        #expect(standard[2] == "--")
        #expect(!standard[4].contains("<") && !standard[4].contains(">"))
        for word in own + standard {
            #expect(word.unicodeScalars.allSatisfy { $0.isSafeToPrint })
            #expect(cellWidth(word) <= 900)
        }
    }

    @Test("Backslashes that notify-send would read are escaped, whatever its path and options")
    func backslashes() {
        let text = "\\074a href=x\\076 <b>"
        for command in [NotifySettings.standardCommand, ["/usr/bin/notify-send", "-a", "x"]] {
            let words = NotifyRunner.arguments(command, "Message", text)
            #expect(words.last == "\\\\074a href=x\\\\076 &lt;b&gt;")
        }
        #expect(NotifyRunner.arguments(["tool"], "t", text).last == text)
        #expect(NotifyRunner.arguments(["notify-send"], "t", "-u critical").last == " -u critical")
    }

    @Test("The events of a hostile passenger make notices that are safe", arguments: hostile)
    func endToEnd(text hostile: String) {
        var settings = NotifySettings()
        settings.desktop = true
        settings.preview = true
        let me: JSON = ["name": .string(hostile), "seats": ["14C"], "me": true]
        let who: JSON = ["name": .string(hostile), "seats": ["12A"], "tag": .string(hostile)]
        var notifier = Notifier(settings, me: me)
        let out = notifier.handle(
            [
                "event": "message", "state": "received", "who": who, "text": .string(hostile),
            ], looking: Looking(focus: .away), at: .zero)
        for case .desktop(let title, let body) in out {
            #expect(title == "Message")
            #expect(body.unicodeScalars.allSatisfy { $0.isSafeToPrint })
            #expect(cellWidth(body) <= 200)
        }
        #expect(out.count == 3)
    }
}

/// The program for notices of the desktop, really run.
@Suite("Notification program")
struct NotifyRunnerTests {
    private let directory: String

    init() throws {
        var template = Array("/tmp/seatagent-test-XXXXXX".utf8CString)
        directory = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    private func runner(_ command: [String]) -> NotifyRunner {
        var settings = NotifySettings()
        settings.desktop = true
        settings.command = command
        return NotifyRunner(settings, environment: ["PATH": "/usr/bin:/bin"])
    }

    private let notice = Notification.desktop(title: "Message", body: "$(id); `id` 'x' \"y\"")

    @Test("Gets title and text as they are, without a shell in between")
    func arguments() throws {
        let file = directory + "/out"
        defer {
            unlink(file)
            rmdir(directory)
        }
        let script = "printf '%s\\n' \"$0\" \"$1\" >\(file).new; mv \(file).new \(file)"
        let runner = runner(["sh", "-c", script])
        #expect(runner.carryOut([.bell, notice]) == [7])
        #expect(runner.count == 1)
        for _ in 0..<500 where access(file, F_OK) != 0 { usleep(10_000) }
        let bytes = try #require(try PrivateFile.read(file))
        #expect(String(decoding: bytes, as: UTF8.self) == "Message\n$(id); `id` 'x' \"y\"\n")
        // Its end is taken in by a later call, which does not wait for it.
        for _ in 0..<500 where runner.count > 0 {
            _ = runner.carryOut([])
            usleep(10_000)
        }
        #expect(runner.count == 0)
    }

    @Test("At most two at once, and none that is not there")
    func limit() {
        defer { rmdir(directory) }
        let runner = runner(["sh", "-c", "exec sleep 3"])
        for _ in 0..<5 { _ = runner.carryOut([notice]) }
        #expect(runner.count == 2)
        let missing = self.runner(["seatagent-no-such-program"])
        _ = missing.carryOut([notice])
        #expect(missing.count == 0)
        let off = self.runner(["sh"])
        off.settings.desktop = false
        _ = off.carryOut([notice])
        #expect(off.count == 0)
    }
}
