// SPDX-License-Identifier: Apache-2.0
@testable import Launch
import Glibc
import Testing

@testable import Profile
@testable import SeatAgent
@testable import System

/// A profile's places in a directory of their own.
private final class Home {
    let directory: String
    let place: ProfilePlace

    init() throws {
        var template = Array("/tmp/seatagent-test-XXXXXX".utf8CString)
        directory = try #require(mkdtemp(&template).map { String(cString: $0) })
        place = try ProfilePlace(
            profile: .standard, environment: ["HOME": directory], uid: geteuid())
        try PrivateFile.makeDirectory(place.dataDirectory)
        try PrivateFile.makeDirectory(place.stateDirectory)
    }

    deinit {
        for path in [place.logPath, place.lockPath] { unlink(path) }
        var path = place.dataDirectory
        while path != directory {
            rmdir(path)
            path = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        }
        path = place.stateDirectory
        while path.count >= directory.count {
            rmdir(path)
            path = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        }
    }

    func write(_ text: String, at second: Int, to path: String) throws {
        try PrivateFile.write(Array(text.utf8), to: path)
        let time = timespec(tv_sec: second, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    }
}

@Suite("Why the last agent ended")
struct LastAgentTests {
    @Test("Only what the last run wrote is told of it")
    func lastRun() throws {
        let home = try Home()
        func words(_ log: String, at second: Int) throws -> String? {
            try home.write(log, at: second, to: home.place.logPath)
            return LastAgent(home.place).lastWords
        }
        try home.write("7\n", at: 100, to: home.place.lockPath)
        let earlier = "seatagent: started\nseatagent: left: a signal told it to\n"
        // It ran in the foreground, and has no log: this one is older.
        #expect(try words(earlier, at: 99) == nil)
        #expect(
            try words(earlier, at: 101)
                == "the last one left because a signal told it to; its log is "
                + home.place.logPath)
        // It was killed before it said anything.
        #expect(
            try words(earlier + "seatagent: started\n", at: 101)
                == "the last one was killed or failed; its log is \(home.place.logPath)")
        #expect(
            try words(earlier + "seatagent: started\nseatagent: left: seatagent down\n", at: 101)
                == nil)
    }

    @Test("Of a long log only what stands behind the old part is read")
    func tail() throws {
        let home = try Home()
        try home.write("old\nnew\n", at: 1, to: home.place.logPath)
        let path = home.place.logPath
        #expect(PrivateFile.tail(path, behind: 4) == Array("new\n".utf8))
        #expect(PrivateFile.tail(path, count: 2, behind: 4) == Array("w\n".utf8))
        #expect(PrivateFile.tail(path, behind: 8) == [])
        #expect(PrivateFile.facts(path)?.length == 8)
        #expect(PrivateFile.facts(path)?.written == 1_000_000_000)
        #expect(PrivateFile.facts(path + "x") == nil)
    }
}
