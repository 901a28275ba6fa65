// SPDX-License-Identifier: Apache-2.0
@testable import Agent
@testable import Launch
import Testing

@testable import Profile
@testable import SeatAgent
@testable import Text

@Suite("The steps of a start")
struct StartUpTests {
    private typealias Part = StartUp.Part

    private func start() throws -> StartUp {
        StartUp(
            try AgentOptions(
                ["seat": ["14C"], "name": ["ada"]],
                place: ProfilePlace(
                    profile: .standard, environment: ["HOME": "/nowhere"], uid: 1000),
                foreground: false))
    }

    @Test("Each part is made once, after all that it needs")
    func order() {
        var made: Set<Part> = []
        for step in StartUp.steps {
            #expect(made.isSuperset(of: step.needs), "\(step.name) comes too early")
            #expect(made.insert(step.name).inserted, "\(step.name) is made twice")
        }
        #expect(made == Set(Part.allCases))
    }

    @Test("Others are looked for before anything that takes time")
    func discoveryComesFirst() throws {
        let names = StartUp.steps.map(\.name)
        let discovery = try #require(names.firstIndex(of: .discovery))
        #expect(
            names[discovery...].dropFirst() == [
                .primitives, .file, .earlier, .aliases, .links, .core,
            ])
    }

    @Test("A step does not run without what it needs, and the start says what that is")
    func missing() throws {
        var start = try start()
        let steps = [
            StartUp.Step(name: .links, needs: [.file]) { (_) throws(UserError) in
                Issue.record("it ran")
            }
        ]
        let error = #expect(throws: UserError.self) { _ = try start.run(steps) }
        #expect(error?.why == "a step of its start needs file, which is not ready")
        #expect(start.made.isEmpty)
    }
}
