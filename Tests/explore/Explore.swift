// SPDX-License-Identifier: Apache-2.0
import Explorer
import Glibc

/// Walks through every state of the explorer's scenes, and ends with 1 when one breaks a rule.
@main
struct Explore {
    /// More than any scene has.
    private static let most = 20_000_000

    static func main() {
        let words = CommandLine.arguments.dropFirst()
        let word = words.first ?? ""
        let all = word == "short" ? Scene.short : Scene.short + Scene.long
        let scenes = all.filter { word == "short" || $0.name.hasPrefix(word) }
        guard words.count < 2, !scenes.isEmpty else {
            print("usage: explore [short | the first words of a scene]")
            exit(2)
        }
        var faults = 0
        for scene in scenes {
            let (line, isGood) = scene.walk(atMost: most)
            print(isGood ? line : "\(line): NOT AS IT MUST BE")
            fflush(nil)
            if !isGood { faults += 1 }
        }
        print("explorer: \(scenes.count) scenes, \(faults) not as they must be")
        exit(faults == 0 ? 0 : 1)
    }
}
