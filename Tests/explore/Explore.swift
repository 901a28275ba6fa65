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
        guard words.allSatisfy({ $0 == "short" }), words.count < 2 else {
            print("usage: explore [short]")
            exit(2)
        }
        var faults = 0
        let scenes = words.isEmpty ? Scene.short + Scene.long : Scene.short
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
