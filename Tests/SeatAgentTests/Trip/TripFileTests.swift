// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import Testing

@testable import CivilTime
@testable import Profile
@testable import SeatAgent
@testable import System
@testable import Text
@testable import Trips

@Suite("The list of flights on disk")
final class TripFileTests {
    private let directory: String
    private let place: ProfilePlace
    /// Before any flight of these tests.
    private let now = UTCTime(seconds: 1_760_000_000)

    init() throws {
        var template = Array("/tmp/seatagent-trips-XXXXXX".utf8CString)
        directory = try #require(mkdtemp(&template).map { String(cString: $0) })
        place = try ProfilePlace(
            profile: .standard, environment: ["HOME": directory, "XDG_RUNTIME_DIR": directory],
            uid: geteuid())
    }

    deinit {
        for path in [place.tripsPath, place.tripsPath + ".new", place.tripsLockPath] {
            unlink(path)
        }
        var path = place.dataDirectory
        while path.utf8.count >= directory.utf8.count, rmdir(path) == 0 {
            path = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        }
    }

    private func full() throws -> Trip {
        var full = try trip("FR202/2026-12-05/DUB", departs: "06:30", seats: "17A,17B")
        full.to = "STN"
        full.arrives = LocalMinute("2026-12-05T07:45")
        full.compartment = "Y"
        full.opensBefore = 86_400
        full.aliases = [try #require(FlightName("LH7/2026-12-05/DUB"))]
        full.cabin = "ryanair-738"
        full.calendar = Trip.CalendarMark(
            uid: "a@b.invalid", sequence: 2, digest: "00ff",
            opens: UTCTime(seconds: 1_772_000_000))
        return full
    }

    private func write(_ text: String) throws {
        try PrivateFile.makeDirectory(place.dataDirectory)
        try PrivateFile.write(Array(text.utf8), to: place.tripsPath)
    }

    @Test("What is kept is read again, whole")
    func roundTrip() throws {
        #expect(try TripBook.read(place) == TripBook())
        let (full, bare) = (try full(), try trip("U21/2026-12-06/LGW"))
        let note = SwapNote(
            contract: "3b7e01c2", gave: full.seats, got: [try #require(Seat("4C"))], with: ["b\"ö"],
            namesEnd: UTCTime(seconds: 1_800_000_000))
        let kept = try TripBook.change(place, now: now) { (book) throws(UserError) in
            try book.add(full)
            try book.add(bare)
            book.record(
                note, on: .practice, at: UTCTime(seconds: 1_750_000_000), held: [], claimed: [])
            return book
        }
        #expect(try TripBook.read(place) == kept)
        #expect(kept.trips == [full, bare])
        var facts = stat()
        #expect(stat(place.tripsPath, &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o600)
        #expect(access(place.tripsPath + ".new", F_OK) != 0)
    }

    @Test("Past trips are cleared by looking, also on disk")
    func clears() throws {
        let full = try full()
        try TripBook.change(place, now: now) { (book) throws(UserError) in try book.add(full) }
        let later = UTCTime(seconds: 1_800_000_000)
        #expect(try TripBook.current(place, now: later).trips.isEmpty)
        #expect(try TripBook.read(place).history.map(\.what) == [.flown(full)])
    }

    @Test("A refused change writes nothing")
    func refused() throws {
        let full = try full()
        try TripBook.change(place, now: now) { (book) throws(UserError) in try book.add(full) }
        let before = try PrivateFile.read(place.tripsPath)
        let error = refusal { () throws(UserError) in
            try TripBook.change(place, now: now) { (book) throws(UserError) in
                book.remove(full.flight)
                throw UserError(.failed, "no")
            }
        }
        #expect(error?.what == "no")
        #expect(try PrivateFile.read(place.tripsPath) == before)
    }

    @Test(
        "What is damaged or newer is refused with a reason, and left as it is",
        arguments: [
            ("", "at byte 0"), ("{\"version\":1,\"trips\":[]}", "missing"), ("[1]", "no version"),
            ("{\"version\":1,\"trips\":[{\"flight\":\"FR1\"}],\"history\":[]}", "flight"),
            (
                "{\"version\":1,\"history\":[],\"trips\":[{\"added\":\"2026-01-01T00:00:00Z\","
                    + "\"flight\":\"FR1/2026-12-05/DUB\",\"seats\":[\"17Ä\"]}]}", "seats"
            ),
            ("{\"version\":2,\"trips\":[],\"history\":[]}", "this program knows 1"),
        ])
    func damaged(_ text: String, _ why: String) throws {
        try write(text)
        let full = try full()
        let errors = [
            refusal { () throws(UserError) in _ = try TripBook.read(place) },
            refusal { () throws(UserError) in
                try TripBook.change(place, now: now) { (book) throws(UserError) in
                    try book.add(full)
                }
            },
        ]
        for error in errors {
            #expect(error?.code == .file)
            #expect(error?.why?.contains(why) == true, "\(error?.why ?? "none")")
            #expect(error?.why?.contains(place.tripsPath) == true)
        }
        #expect(try PrivateFile.read(place.tripsPath) == Array(text.utf8))
    }

    @Test("What cannot be put in place leaves no draft behind")
    func draft() throws {
        try PrivateFile.makeDirectory(place.tripsPath)
        defer { rmdir(place.tripsPath) }
        let error = refusal { () throws(UserError) in
            try PrivateFile.write([1], to: place.tripsPath, durably: true)
        }
        #expect(error?.code == .file)
        #expect(error?.why == "Is a directory")
        #expect(access(place.tripsPath + ".new", F_OK) != 0)
    }

    @Test("Two that change it come one after the other")
    func locked() throws {
        try PrivateFile.makeDirectory(place.dataDirectory)
        let holder = open(place.tripsLockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #expect(flock(holder, LOCK_EX | LOCK_NB) == 0)
        let full = try full()
        func change() -> UserError? {
            refusal { () throws(UserError) in
                try TripBook.change(place, patience: .zero, now: now) { (book) throws(UserError) in
                    try book.add(full)
                }
            }
        }
        #expect(change()?.why?.contains("is locked") == true)
        close(holder)
        #expect(change() == nil)
        #expect(try TripBook.read(place).trips == [full])
    }
}
