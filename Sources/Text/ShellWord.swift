// SPDX-License-Identifier: Apache-2.0
/// Words of a command line that people paste into a shell.
package enum ShellWord {
    /// `word` as a shell reads it: in quotes where it needs them.
    package static func quoted(_ word: String) -> String {
        let plain = word.utf8.allSatisfy {
            48...58 ~= $0 || 65...90 ~= $0 || 97...122 ~= $0
                || [43, 44, 45, 46, 47, 95].contains($0)
        }
        if plain, !word.isEmpty { return word }
        return "'" + word.replacing(["'": "'\\''"]) + "'"
    }
}
