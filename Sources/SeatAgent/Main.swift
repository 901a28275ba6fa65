// SPDX-License-Identifier: Apache-2.0
import Glibc
import System

@main
struct Main {
    static func main() {
        ProcessStart.prepare()
        let session = CommandSession(
            console: Console(), environment: ProcessEnvironment.variables())
        exit(session.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
