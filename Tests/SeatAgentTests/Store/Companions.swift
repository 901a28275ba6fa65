// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// The programs that commands start, which a test's own process has not beside it.
enum Companions {
    /// Lets them be found in the folder that the tests were built in.
    static func find() { _ = isFound }

    private static let isFound: Bool = {
        guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8),
            let line = maps.split(separator: "\n").first(where: { $0.hasSuffix(".xctest") }),
            let start = line.firstIndex(of: "/"), let end = line.lastIndex(of: "/")
        else { return false }
        return setenv("SEATAGENT_EXEC_PATH", String(line[start..<end]), 1) == 0
    }()
}
