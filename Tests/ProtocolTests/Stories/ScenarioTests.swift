// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The dialogues of `Tests/ProtocolTests/Scenarios` are what the cores say today.
@Suite struct ScenarioTests {
    @Test(arguments: Story.all)
    func theDialogueIsTheOneThatIsKept(story: Story) throws {
        let played = try story.text()
        if ProcessInfo.processInfo.environment["SCENARIOS"] == "write" {
            try played.write(to: story.file, atomically: true, encoding: .utf8)
        }
        let kept = (try? String(contentsOf: story.file, encoding: .utf8)) ?? ""
        let difference = Story.difference(kept: kept, played: played)
        #expect(
            difference == nil,
            """
            Scenarios/\(story.name).txt, \(difference ?? "")
            If the new dialogue is right: SCENARIOS=write swift test --filter ScenarioTests
            """)
        for point in story.points { #expect(played.contains(point), "\(story.name): \(point)") }
    }

    /// Without the step that a story is about, nothing that it must show is there.
    @Test(arguments: Story.all)
    func withoutItsPointAStoryShowsNothing(story: Story) throws {
        let text = try story.text(isPointless: true)
        for point in story.points { #expect(!text.contains(point), "\(story.name): \(point)") }
    }

    @Test func everyFileIsAStoryThatTheIndexNames() throws {
        let folder = SourceTree.root.appending(path: "Tests/ProtocolTests/Scenarios")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".txt") }
        #expect(names.sorted() == Story.all.map { $0.name + ".txt" }.sorted())
        let index = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
        for name in names {
            #expect(index.contains("\n| [\(name)](\(name)) | "), "\(name)")
            let kept = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            for line in kept.split(separator: "\n") {
                #expect(line.count <= 100, "\(name): \(line)")
            }
        }
    }

    @Test func theFirstLineThatDiffersIsNamed() {
        #expect(Story.difference(kept: "a\nb\n", played: "a\nb\n") == nil)
        let changed = Story.difference(kept: "a\nb\nc\n", played: "a\nx\ny\n")
        #expect(changed == "line 2\n  kept:   b\n  played: x")
        let longer = Story.difference(kept: "a", played: "a\nb")
        #expect(longer == "line 2\n  kept:   (the end)\n  played: b")
    }
}
