// SPDX-License-Identifier: Apache-2.0
import Foundation
import Protocol
import Testing

@testable import Launch
@testable import Profile
@testable import Text

@Suite("The files of agents for later days")
struct LaterFilesTests {
    private let home = FileManager.default.temporaryDirectory
        .appending(path: "later-\(UUID().uuidString)").path

    private func place(_ days: String?) throws -> ProfilePlace {
        try ProfilePlace(
            profile: try ProfileName("default_rec"),
            environment: ["HOME": home, "XDG_RUNTIME_DIR": home], later: days.flatMap { Volume($0) }
        )
    }

    @Test(
        "An agent of later days shares the records, and has its own socket, lock, log and options")
    func places() throws {
        let (today, later) = (try place(nil), try place("2027-01"))
        #expect(today.dataDirectory == later.dataDirectory)
        #expect(today.stateDirectory == later.stateDirectory)
        #expect(later.socket.path == home + "/seatagent/default_rec@2027-01.sock")
        #expect(later.lockPath == today.lockPath(of: Volume("2027-01")))
        #expect(later.lockPath.hasSuffix("/default_rec/lock@2027-01"))
        #expect(later.logPath.hasSuffix("/default_rec/agent@2027-01.log"))
        #expect(later.optionsPath.hasSuffix("/default_rec/options@2027-01.json"))
        #expect(today.lockPath.hasSuffix("/default_rec/lock"))
        #expect(today.optionsPath.hasSuffix("/default_rec/options.json"))
    }

    @Test("What belongs to days that are long over goes, and nothing else")
    func sweep() throws {
        // 5 February 2027, noon.
        let now = UTCTime(seconds: 1_801_828_800)
        let place = try place(nil)
        let names = [
            "lock", "lock@2027-01", "lock@2027-02", "lock@2027-02-02", "lock@2026-W05",
            "lock@never", "lock@2027-01@2", "rec-2026-12.db", "members@2027-01.json",
        ]
        let states = [
            "options.json", "options@2027-01-31.json", "options@2027-03.json",
            "agent@2027-01-31.log", "agent.log",
        ]
        defer { try? FileManager.default.removeItem(atPath: home) }
        for (folder, files) in [(place.dataDirectory, names), (place.stateDirectory, states)] {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            for name in files {
                _ = FileManager.default.createFile(atPath: folder + "/" + name, contents: Data())
            }
        }
        #expect(LaterFiles.volumes(place).map(\.text) == ["2027-01-31", "2027-03"])
        LaterFiles.sweep(place, at: now)
        func left(_ folder: String) throws -> Set<String> {
            Set(try FileManager.default.contentsOfDirectory(atPath: folder))
        }
        // Records go 72 hours after their last day.
        #expect(
            try left(place.dataDirectory)
                == Set(names).subtracting(["lock@2027-01", "lock@2026-W05"]))
        #expect(
            try left(place.stateDirectory)
                == Set(states).subtracting(["options@2027-01-31.json", "agent@2027-01-31.log"]))
        #expect(LaterFiles.volumes(place).map(\.text) == ["2027-03"])
    }
}
