// SPDX-License-Identifier: Apache-2.0
import Glibc
import PassReader
import System

/// The reader of strangers' pictures and archives; `seatagent` starts one for each file.
@main
struct Main {
    static func main() {
        ProcessStart.prepare()
        exit(PassProgram.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
