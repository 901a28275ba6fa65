// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Protocol

/// A scenario: what is played, what it is about, and what its dialogue must show.
struct Story: Sendable, CustomTestStringConvertible {
    /// The file's name, without its ending.
    let name: String
    let title: String
    /// What to look for, for whoever reads the file.
    let about: String
    /// What only the story's point brings about, in the words of the dialogue.
    let points: [String]
    let act: @Sendable (inout Play) throws -> Void

    var testDescription: String { name }

    /// The dialogue, played anew.
    func text(isPointless: Bool = false) throws -> String {
        var play = Play(isPointless: isPointless)
        try act(&play)
        play.ending()
        let line = String(repeating: "=", count: title.count)
        return ([title, line, "", about] + play.lines).joined(separator: "\n") + "\n"
    }

    /// Where it is kept.
    var file: URL {
        SourceTree.root.appending(path: "Tests/ProtocolTests/Scenarios/\(name).txt")
    }

    /// The first line in which two texts differ, with both; `nil` for equal ones.
    static func difference(kept: String, played: String) -> String? {
        guard kept != played else { return nil }
        let old = kept.split(separator: "\n", omittingEmptySubsequences: false)
        let new = played.split(separator: "\n", omittingEmptySubsequences: false)
        let index = zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        let place = index ?? min(old.count, new.count)
        let was = place < old.count ? "\(old[place])" : "(the end)"
        let now = place < new.count ? "\(new[place])" : "(the end)"
        return "line \(place + 1)\n  kept:   \(was)\n  played: \(now)"
    }
}
