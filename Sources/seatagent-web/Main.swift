// SPDX-License-Identifier: Apache-2.0
import Glibc
import PageShell
import System

/// The program that serves the page of an agent; `seatagent web` starts it.
@main
struct Main {
    static func main() {
        ProcessStart.prepare()
        let program = PageProgram(environment: ProcessEnvironment.variables())
        exit(program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
