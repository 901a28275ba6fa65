// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Protocol

/// A message is named where it is declared and written, where it has its number, traits and
/// reader, and where it is taken. Whoever sends it is not counted.
@Suite struct MessageNameTests {
    private static let most = 3

    /// More files that name a message, and why.
    private static let others: [String: [String: String]] = [
        "hello": ["Node/NodeRouting.swift": kept], "helloAck": ["Node/NodeRouting.swift": kept],
        "ping": ["Node/NodeRouting.swift": kept], "pong": ["Node/NodeRouting.swift": kept],
        "close": [
            "Node/NodeRouting.swift": kept,
            "Session/Handshake.swift": "a session may end before it is open",
            "Fold/Misdeed.swift": "an entry of a ledger has this name too",
        ],
        "entries": ["Session/SendQueues.swift": "of its two kinds one is sent on credit"],
        "directMessage": ["Session/Session.swift": "its sender is told that there is no room"],
        "layout": ["Wire/LayoutMessages.swift": "a family and one of its types have this name"],
        "venue": ["Wire/VenueMessages.swift": "a family and one of its types have this name"],
        "ready": [
            "Wire/RelayMessages.swift": relayed, "Overlay/Relay.swift": relayed,
            "Overlay/Circuits.swift": relayed,
        ],
    ]
    private static let kept = "its session takes it; whoever routes the rest has to say so"
    private static let relayed = "RELAY_READY has this name in its family"

    /// Names of all types, and the families of messages.
    private static let names = Set(
        FrameType.allCases.map { "\($0)" } + ["swap", "verify", "relay"])

    /// The messages that a file names: all words of `Wire` that are cases, and elsewhere those in a
    /// `switch` over a message, or behind a `case` that is held against one.
    static func named(_ path: String, _ text: String) -> Set<String> {
        let isWire = path.hasPrefix("Wire/")
        let marks = ["switch message {", "= message", "= self"]
        guard isWire || marks.contains(where: text.contains) else { return [] }
        var found: Set<String> = []
        var depth = 0
        var end: Int?
        for line in text.split(separator: "\n").map({ SourceTree.code(String($0)) }) {
            let isCase = line.contains("case ")
            let isHeld = isCase && (line.contains("= message") || line.contains("= self"))
            let goesOn = line.drop { $0 == " " }.hasPrefix(".")
            if isWire || isHeld || end != nil && (isCase || goesOn) {
                found.formUnion(words(in: line))
            }
            if line.contains("switch message {"), end == nil { end = depth }
            depth += line.count { $0 == "{" } - line.count { $0 == "}" }
            if let last = end, depth <= last { end = nil }
        }
        return found
    }

    /// Names of messages with nothing but a dot before them, or that are declared.
    private static func words(in line: String) -> [String] {
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "." }.map(String.init)
        return zip([""] + words, words).compactMap { before, word in
            let name = word.hasPrefix(".") ? String(word.dropFirst()) : before == "case" ? word : ""
            return names.contains(name) ? name : nil
        }
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8)
    }

    @Test func aMessageIsNamedInThreeFiles() throws {
        let base = "Sources/Protocol/"
        var files: [String: Set<String>] = [:]
        for path in SourceTree.swiftFiles("Sources/Protocol") {
            let short = String(path.dropFirst(base.count))
            for name in Self.named(short, try Self.text(path)) {
                files[name, default: []].insert(short)
            }
        }
        for name in Self.names.sorted() {
            let excused = Set((Self.others[name] ?? [:]).keys)
            let all = files[name] ?? []
            print("message \(name):", all.sorted().joined(separator: " "))
            #expect(excused.isSubset(of: all), "\(name): an exception that is none")
            #expect(all.subtracting(excused).count <= Self.most, "\(name): \(all.sorted())")
            #expect(all.contains("Wire/FrameType.swift"), "\(name) has no descriptor")
        }
    }

    /// What the count rests on: nobody outside of the core knows messages.
    @Test func theShellKnowsNoMessage() throws {
        for path in SourceTree.swiftFiles("Sources") where !path.hasPrefix("Sources/Protocol/") {
            let text = try Self.text(path)
            for word in ["FrameType", "SwapMessage", "MessageTraits"] {
                #expect(!text.contains(word), "\(path) names \(word)")
            }
        }
    }

    @Test func aFileThatNamesOneIsFound() {
        let text = """
            switch message {
            case .ask(let ask): take(ask.entries)
            case .query,
                .status: break
            }
            switch event {
            case .ready: break
            }
            if case .pong(let n) = message {}
            """
        #expect(Self.named("Node/New.swift", text) == ["ask", "query", "status", "pong"])
        #expect(Self.named("Wire/New.swift", "case vote(VoteMessage)") == ["vote"])
        #expect(Self.named("Node/New.swift", "effects.append(.vote(no))") == [])
    }
}
