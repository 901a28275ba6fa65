// SPDX-License-Identifier: Apache-2.0
import Agent
import Glibc
import System

/// The agent's own program; `seatagent` starts it.
@main
struct Main {
    static func main() {
        ProcessStart.prepare()
        let program = AgentProgram(environment: ProcessEnvironment.variables())
        exit(program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
