// SPDX-License-Identifier: Apache-2.0
/// The word that was probably meant.
package enum Suggestions {
    /// The nearest of `candidates` by optimal string alignment, at most max(1, n/3) edits away,
    /// where n is the length of `word`. The first of equals; `nil` if none is near.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        let limit = max(1, word.count / 3)
        var best: (word: String, distance: Int)?
        for candidate in candidates where candidate != word {
            let distance = distance(word, candidate)
            if distance <= limit, distance < best?.distance ?? Int.max {
                best = (candidate, distance)
            }
        }
        return best?.word
    }

    /// Insertions, deletions, replacements and swaps of neighbours that make one word the other.
    static func distance(_ left: String, _ right: String) -> Int {
        let from = Array(left.unicodeScalars)
        let to = Array(right.unicodeScalars)
        var before: [Int] = []
        var last = Array(0...to.count)
        for i in 0..<from.count {
            var row = [i + 1]
            for j in 0..<to.count {
                var cost = min(
                    last[j + 1] + 1, row[j] + 1, last[j] + (from[i] == to[j] ? 0 : 1))
                if i > 0, j > 0, from[i] == to[j - 1], from[i - 1] == to[j] {
                    cost = min(cost, before[j - 1] + 1)
                }
                row.append(cost)
            }
            (before, last) = (last, row)
        }
        return last[to.count]
    }
}
