// SPDX-License-Identifier: Apache-2.0
@testable import ControlAPI
@testable import Grammar
import Protocol
import Testing

@testable import Aviation
@testable import Parking
@testable import SeatAgent
@testable import Text

private let parser = CommandTable.parser

private func question(_ words: String...) -> CompletionQuestion {
    CompletionQuestion(words, parser: parser)
}

/// The words offered for a line that needs no agent.
private func offered(_ words: String...) -> [String] {
    let question = CompletionQuestion(words, parser: parser)
    guard case .words(let candidates) = question.kind else { return [] }
    return CompletionAnswer.lines(question, candidates).map { line in
        String(line.split(separator: "\t")[0])
    }
}

@Suite("What could stand at the end of a line")
struct CompletionQuestionTests {
    @Test("Commands, none that is hidden")
    func commands() {
        let all = offered("")
        #expect(all == CommandTable.commands.filter { !$0.isHidden }.map(\.name))
        #expect(offered("sw") == ["swap"])
        #expect(offered("--json", "sw") == ["swap"])
        #expect(offered("--profile", "bo", "sw") == ["swap"])
        #expect(offered("help", "sw") == ["swap"])
        #expect(offered("__") == [])
        #expect(offered("sawp", "") == [])
    }

    @Test("Options of the command and of all, each once unless it may come again")
    func options() {
        #expect(offered("swap", "--no") == ["--note", "--no-color", "--no-input"])
        #expect(offered("swap", "--note", "x", "--not") == [])
        #expect(offered("up", "--seat", "14C", "--se") == ["--seat"])
        #expect(offered("--no") == ["--no-color", "--no-input"])
        #expect(offered("say", "--", "--no") == [])
        #expect(offered("log", "-f", "--fol") == [])
    }

    @Test("Values of options, behind a blank or an equals sign")
    func values() {
        #expect(offered("seats", "--color", "a") == ["auto", "always"])
        #expect(offered("seats", "--color=a") == ["--color=auto", "--color=always"])
        // As bash takes it apart.
        #expect(offered("seats", "--color", "=", "a") == ["auto", "always"])
        #expect(offered("seats", "--color", "=") == ["auto", "always", "never"])
        #expect(offered("offer", "--for", "w") == ["window"])
        #expect(question("up", "--interface", "").kind == .interface)
        #expect(question("swap", "--give", "").kind == .ownSeat)
        #expect(question("counter", "1", "--take", "").kind == .seatOfOthers)
        #expect(question("up", "--name", "").kind == .nothing)
        #expect(question("up", "--seat", "").kind == .nothing)
        #expect(question("log", "--export", "").kind == .files)
        #expect(question("log", "--since", "").kind == .nothing)
    }

    @Test("Operands by their place")
    func operands() {
        #expect(question("swap", "").kind == .seatOfOthers)
        #expect(question("swap", "12A", "").kind == .nothing)
        #expect(question("swap", "--note", "x y", "").kind == .seatOfOthers)
        #expect(question("msg", "").kind == .passenger)
        #expect(question("msg", "12A", "").kind == .nothing)
        #expect(question("verify", "b").kind == .passenger)
        #expect(question("accept", "").kind == .request(.answer))
        #expect(question("receipt", "").kind == .receiptOrFile)
        #expect(question("peers", "").kind == .nothing)
        #expect(question("release", "").kind == .ownSeat)
        #expect(question("claim", "").kind == .nothing)
        #expect(question("forget", "").kind == .flight)
        #expect(question("flight", "remove", "").kind == .trip)
        #expect(question("flight", "add", "").kind == .nothing)
        #expect(question("up", "").kind == .trip)
        #expect(question("audit", "").kind == .files)
        #expect(question("status", "").kind == .nothing)
        #expect(question("--profile", "").kind == .profile)
        #expect(question("swap", "--profile", "bo", "").profile == "bo")
        #expect(question("swap", "--profile=bo", "").profile == "bo")
        #expect(question("swap", "--profile", "=", "bo", "").profile == "bo")
        #expect(offered("watch", "request", "sw") == ["swap"])
        #expect(offered("venue", "s") == ["sign", "show"])
        #expect(question("venue", "show", "").kind == .venueOrFile)
        #expect(question("venue", "forget", "").kind == .venue)
        #expect(question("venue", "add", "").kind == .files)
        #expect(question("venue", "show", "rec", "").kind == .nothing)
        #expect(offered("completion", "") == ["bash", "zsh", "fish"])
        #expect(offered("completion", "bash", "") == [])
    }

    @Test("Parked cars by their numbers, imported places by their names")
    func parking() throws {
        #expect(offered("park", "r") == ["remove", "route", "remind"])
        for word in ["show", "change", "remove", "route"] {
            #expect(question("park", word, "").kind == .parkedCar)
            #expect(question("park", word, "1", "").kind == .nothing)
        }
        #expect(question("park", "add", "").kind == .nothing)
        #expect(question("park", "remind", "").kind == .nothing)
        #expect(question("park", "route", "1", "--from", "").kind == .nothing)
        #expect(offered("park", "add", "B7K2Q", "--hours", "1") == ["1h", "12h"])
        #expect(offered("places", "") == ["import", "forget"])
        #expect(question("places", "import", "").kind == .files)
        #expect(question("places", "forget", "").kind == .importedPlaces)
        var book = ParkingBook()
        try book.add {
            ParkingRecord(
                number: $0, since: UTCTime(seconds: 0), building: "B7K2Q", hours: 4,
                plate: "AB12CDE", suite: "12B")
        }
        #expect(
            CompletionAnswer.parkedCars(book, UTCTime(seconds: 6600))
                == [Candidate("1", "AB12CDE at B7K2Q, 2:10 left")])
    }

    @Test("Settings and their words")
    func settings() {
        #expect(offered("config", "") == ConfigWord.words)
        #expect(offered("config", "get", "notify.b") == ["notify.bell"])
        #expect(offered("config", "set", "notify", "") == ["on", "off", "mentions"])
        #expect(question("config", "set", "interface", "").kind == .interface)
        #expect(question("config", "set", "name", "").kind == .words([]))
        #expect(offered("config", "path", "") == [])
    }

    @Test("After profile set, fields and values take turns")
    func profile() {
        #expect(offered("profile", "") == ["set", "clear", "delete"])
        #expect(offered("profile", "set", "p") == ["phone", "plate"])
        #expect(offered("profile", "set", "name", "") == [])
        #expect(offered("profile", "set", "name", "Ada", "m") == ["mail"])
        #expect(offered("profile", "clear", "name", "p") == ["phone", "plate"])
        #expect(offered("profile", "delete", "--y") == ["--yes"])
        #expect(offered("unlock", "--pass") == ["--passphrase-file"])
        #expect(question("lock", "--passphrase-file", "").kind == .files)
    }

    @Test("No line of words makes it trap", arguments: CommandTable.commands)
    func total(command: Command) {
        let pieces = ["", "=", "-", "--", "--=", "--seat", "--color=", "x", "-f", "#", "\u{1B}"]
        for first in pieces {
            for second in pieces {
                _ = question(command.name, first, second)
                _ = question(first, command.name, second)
            }
        }
        #expect(CompletionQuestion([], parser: parser).typed.isEmpty)
    }
}

@Suite("Words from the agent")
struct CompletionAnswerTests {
    private func who(_ name: String, _ seats: [String], _ more: [String: JSON] = [:]) -> JSON {
        let object: JSON = [
            "name": .string(name), "tag": "#c2d9", "seats": .array(seats.map(JSON.string)),
        ]
        return object.adding(more)
    }

    private func words(_ people: JSON...) -> [String] {
        CompletionAnswer.passengers(["peers": .array(people)]).map(\.word)
    }

    @Test("Seats and plain names of those who are aboard")
    func passengers() {
        #expect(
            words(who("bo", ["12A", "12B"]), who("김하늘", ["1A"])) == [
                "12A", "12B", "bo", "1A", "김하늘",
            ])
        #expect(words(who("bo", ["12A"], ["left": true])) == [])
        #expect(words(who("bo", ["12A"], ["ambiguous": true])) == ["12A"])
        #expect(words(who("bo", ["12A"], ["confusable": true])) == ["12A"])
        #expect(words(who("bo", [], ["ambiguous": true])) == ["#c2d9"])
        #expect(CompletionAnswer.passengers(.null) == [])
    }

    @Test(
        "A name that a shell could take for more is not offered; the seat is",
        arguments: [
            "a b", "$(reboot)", "`id`", "a;b", "a'b", "a\"b", "-rf", "~", "a\\b", "a\nb", "a\tb",
            "\u{1B}[2J", "a\u{202E}b", "*", "?", "{a,b}", "!x", "#c", "a=b", "a:b", ".", "",
        ])
    func hostileNames(name: String) {
        #expect(words(who(name, ["12A"])) == ["12A"])
        #expect(!CompletionAnswer.isPlain(name))
        let question = CompletionQuestion(["msg", ""], parser: parser)
        let lines = CompletionAnswer.lines(
            question, CompletionAnswer.passengers(["peers": .array([who(name, ["12A"])])]))
        #expect(lines.count == 1)
        for scalar in lines.joined().unicodeScalars where scalar != "\t" {
            #expect(scalar.isSafeToPrint || scalar == " ")
        }
        #expect(lines.joined().split(separator: "\t", omittingEmptySubsequences: false).count == 2)
    }

    @Test("Seats of others say what they are, whose, and whether they are offered")
    func seats() {
        let people: JSON = [
            "peers": [who("bo", ["12A"], ["offer": ["seats": ["12A"]]]), who("cy", ["3C"])]
        ]
        let all = CompletionAnswer.seatsOfOthers(people, .standard)
        #expect(all.map(\.word) == ["12A", "3C"])
        #expect(all.map(\.about) == ["window of bo, offered", "aisle of cy"])
        let question = CompletionQuestion(["swap", "12a"], parser: parser)
        #expect(CompletionAnswer.lines(question, all) == ["12A\twindow of bo, offered"])
        let status: JSON = ["me": who("ada", ["14C"], ["me": true])]
        #expect(CompletionAnswer.ownSeats(status).map(\.word) == ["14C"])
    }

    @Test("Each command is offered the requests on which it can do something")
    func requests() {
        func request(_ number: Int, _ state: String, answer: Bool = false) -> JSON {
            [
                "number": .int(number), "state": .string(state), "needs_answer": .bool(answer),
                "moves": [["seat": "12A"], ["seat": "14C"]], "with": [who("bo", ["12A"])],
                "note": "x\u{1B}",
            ]
        }
        let answer: JSON = [
            "requests": [
                request(1, "open", answer: true), request(2, "open"), request(3, "stranded"),
                request(4, "final"), request(5, "declined"),
            ]
        ]
        func numbers(_ command: Verb) -> [String] {
            CompletionAnswer.requests(answer, for: RequestUse(of: command)).map(\.word)
        }
        #expect(numbers(.accept) == ["1"] && numbers(.decline) == ["1"])
        #expect(numbers(.counter) == ["1"])
        #expect(numbers(.cancel) == ["2"])
        #expect(numbers(.force) == ["3"])
        #expect(numbers(.receipt) == ["4"])
        #expect(numbers(.status) == ["1", "2", "3"])
    }

    @Test(
        "Every shell has a script, and none makes a word run", arguments: CompletionScripts.shells)
    func scripts(shell: String) throws {
        let script = try #require(CompletionScripts.script(shell))
        #expect(script.contains("__complete --"))
        for word in ["compgen -W", "eval"] { #expect(!script.contains(word)) }
        #expect(CompletionScripts.script("csh") == nil)
    }
}
