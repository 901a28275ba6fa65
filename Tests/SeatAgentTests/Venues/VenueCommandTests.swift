// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import SeatAgent
@testable import System
@testable import Text
@testable import Venues

@Suite("seatagent venue")
struct VenueCommandTests {
    private let folder: String

    init() throws {
        var name = Array("/tmp/seatagent-venues.XXXXXX".utf8CString)
        _ = try #require(mkdtemp(&name))
        folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Runs a command line; its lines on both outputs.
    private func run(_ words: String..., expect code: ExitCode = .done) -> (
        out: String, err: String
    ) {
        defer { Self.clean(folder) }
        return runs(words, expect: code)
    }

    private func runs(_ words: [String], expect code: ExitCode = .done) -> (
        out: String, err: String
    ) {
        let session = CommandSession(
            console: Console(input: ""),
            environment: ["HOME": folder, "XDG_RUNTIME_DIR": folder])
        #expect(session.run(["venue"] + words) == code, "\(words) \(session.console.captured)")
        return session.console.captured
    }

    private static func clean(_ folder: String) {
        for name in ["rec.json"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    private func path(_ venue: JSON) throws -> String {
        let path = folder + "/rec.json"
        try PrivateFile.write(Array(venue.line.utf8), to: path)
        return path
    }

    @Test("new writes an example over nothing, and check is content with it")
    func new() {
        defer { Self.clean(folder) }
        let path = folder + "/rec.json"
        for example in VenueExample.allCases {
            _ = runs(["new", path, "--like", example.rawValue])
            let checked = runs(["check", path]).out
            #expect(checked.contains(" is right: ") && checked.contains(" as one line."))
            unlink(path)
        }
        _ = runs(["new", path])
        #expect(runs(["check", path]).out.contains("Nothing in it is booked."))
        #expect(runs(["new", path], expect: .failed).err.contains("is there already"))
        #expect(runs(["new", path, "--like", "zoo"], expect: .usage).err.contains("study (study"))
    }

    @Test("check names the member, what is wrong and what it needs")
    func check() throws {
        let wrong = run(
            "check", try path(VenueFiles.least.adding(["building": "B7K"])), expect: .failed)
        #expect(
            wrong.err.contains("  why: building: it has 3 characters and needs 5, of A to Z and 0"))
        #expect(wrong.err.hasSuffix("  try: seatagent help venue\n"))
    }

    @Test("check refuses a zone that nobody knows here, and what no record can hold")
    func checkMore() throws {
        defer { Self.clean(folder) }
        let zone = runs(
            ["check", try path(VenueFiles.least.adding(["zone": "Europe/Atlantis"]))],
            expect: .failed)
        #expect(zone.err.contains("why: zone: this machine knows no zone Europe/Atlantis"))
        let court = VenueFiles.court(["count": 10])
        let large = runs(
            ["check", try path(VenueFiles.least.adding(["volume": "year", "places": [court]]))],
            expect: .failed)
        #expect(large.err.contains("why: volume: the hours of one year hold 51240 bookings"))
        let crowd = runs(
            [
                "check",
                try path(VenueFiles.least.adding(["places": [VenueFiles.place(["count": 5000])]])),
            ])
        #expect(crowd.out.contains("5000 people fit into it; agents count up to 4096"))
    }

    @Test("show prints the venue, a place or a day")
    func show() throws {
        defer { Self.clean(folder) }
        let path = folder + "/rec.json"
        _ = runs(["new", path, "--like", "courts"])
        let all = runs(["show", path]).out
        for words in [
            "Northwest Rec Center  (rec)\nIt is ", "Mo-Fr 06:00-22:00; Sa,Su 10:00-20:00",
            "  10  Basketball   2 x hall  1 h to 4 h", "  student: e-mail like S#####@",
            "      at most 4 h and 1 booking a day", "      10.00 USD an hour", "within your class",
            "up to 14 days", "at least 30 min before the start", "there is a waiting list",
        ] {
            #expect(all.contains(words), "\(words)\n\(all)")
        }
        #expect(
            runs(["show", path, "2026-12-25"]).out.hasSuffix("Fr 2026-12-25\nclosed  (Christmas)\n")
        )
        #expect(runs(["show", path, "tennis 2"]).out.hasPrefix("Tennis 2  (Northwest Rec Center)"))
        #expect(runs(["show", path, "11"]).out.hasPrefix("Badminton A"))
        #expect(runs(["show", path, "basket"]).out.hasPrefix("Basketball"))
        #expect(
            runs(["show", path, "tennis"], expect: .usage).err.contains("1 Tennis 1, 2 Tennis 2"))
        #expect(
            runs(["show", path, "Basketbal1"], expect: .notFound).err.contains(
                "nearest is Basketball"))
        #expect(runs(["show", path, "--json"]).out.contains("\"slug\":\"rec\""))
    }

    @Test("map draws, or says why there is nothing to draw")
    func map() {
        defer { Self.clean(folder) }
        let path = folder + "/rec.json"
        _ = runs(["new", path])
        let drawn = runs(["map", path]).out
        #expect(drawn.hasPrefix("UvA study places  (uva)\nIt is ") && drawn.contains("\n\n┌"))
        #expect(drawn.contains("\nToday: ") && runs(["show", path]).out.contains("  today      "))
        #expect(runs(["map", path, "--json"]).out.contains("\"geo\":\"geo:52.3681,4.8889\""))
        unlink(path)
        _ = runs(["new", path, "--like", "parking"])
        #expect(runs(["map", path], expect: .failed).err.contains("geo:43.6535,-79.3839"))
    }

    @Test("What is missing or mistyped is answered with a line that works")
    func usage() {
        defer { Self.clean(folder) }
        #expect(
            runs(["chekc", "x"], expect: .usage).err.contains("try: seatagent venue check rec.json")
        )
        #expect(runs(["check"], expect: .usage).err.contains("wants to know which venue"))
        #expect(runs(["map", "a", "b"], expect: .usage).err.contains("too many words"))
        let missing = runs(["check", folder + "/none.json"], expect: .failed).err
        #expect(
            missing.contains("there is no file") && missing.contains("try: seatagent venue new"))
        #expect(runs(["check", "/dev/zero"], expect: .failed).err.contains("too long to be read"))
    }

    @Test("A cabin is drawn")
    func cabin() throws {
        defer { Self.clean(folder) }
        let path = try path(CabinVenue(bundled("klm-e190")).json)
        #expect(runs(["show", path]).out.hasPrefix("Aeroplane cabin: "))
        #expect(runs(["check", path]).out.hasSuffix("is right: Aeroplane cabin, as klm-e190.\n"))
    }
}
