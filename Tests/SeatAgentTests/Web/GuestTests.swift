// SPDX-License-Identifier: Apache-2.0
import Foundation
import Protocol
import Testing

@testable import Keys
@testable import PageShell
@testable import Profile
@testable import System
@testable import Text
@testable import Web

@Suite("Guests of a host")
struct GuestTests {
    private let now = Instant(nanoseconds: 1_000_000_000)

    private func folder() throws -> String {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("seatagent-\(UUID().uuidString)").path
        try PrivateFile.makeDirectory(path)
        return path
    }

    private func key(_ number: UInt8) throws -> Bytes32 {
        try #require(Bytes32([UInt8](repeating: number, count: 32)))
    }

    @Test("Forty guests, two of an address, three in a minute")
    func limits() {
        var limits = JoinLimits<String>(most: 40)
        #expect(limits.take(1, from: "a", besides: 0, at: now) == nil)
        #expect(limits.take(2, from: "a", besides: 1, at: now) == nil)
        #expect(limits.take(3, from: "a", besides: 2, at: now) == .address)
        #expect(limits.take(3, from: "b", besides: 2, at: now) == nil)
        #expect(limits.take(4, from: "c", besides: 3, at: now + .seconds(59)) == .rate)
        #expect(limits.take(4, from: "c", besides: 3, at: now + .seconds(60)) == nil)
        limits.leave(1)
        #expect(limits.take(5, from: "a", besides: 3, at: now + .seconds(120)) == nil)
        // Whoever asks again and again uses up nobody else's turn, whatever comes of it.
        limits.leave(5)
        #expect(limits.take(5, from: "a", besides: 3, at: now + .seconds(190)) == nil)
        limits.leave(5)
        #expect(limits.take(5, from: "a", besides: 3, at: now + .seconds(220)) == .tries)
        #expect(limits.take(5, from: "e", besides: 3, at: now + .seconds(220)) == nil)
        #expect(limits.take(7, from: "a", besides: 3, at: now + .seconds(610)) == nil)
        #expect(limits.take(6, from: "a", besides: 4, at: now + .seconds(700)) == .address)
        // Guest 41, and places of which the address is not known.
        #expect(limits.take(41, from: "d", besides: 40, at: now + .seconds(900)) == .full)
        var open = JoinLimits<String>(most: 40, perMinute: 60)
        for number in 1...40 {
            #expect(open.take(number, from: nil, besides: number - 1, at: now) == nil)
        }
        #expect(open.take(41, from: nil, besides: 40, at: now) == .full)
    }

    @Test("Who has no seat for ten minutes goes, or no page open for an hour; a yes keeps them")
    func idle() {
        func after(_ seconds: Int64) -> Instant { now + .seconds(seconds) }
        let nothing = GuestIdle.Facts(hasSeat: false, hasOpenYes: false)
        let seated = GuestIdle.Facts(hasSeat: true, hasOpenYes: false)
        /// A guest whose page is open until `open`, as the server sees them each minute.
        func guest(open: Int64, until end: Int64) -> GuestIdle {
            var idle = GuestIdle(GuestIdle.Limits(), at: now)
            for second in stride(from: 60, through: end, by: 60) {
                idle.look(at: after(second), isOpen: second <= open)
            }
            return idle
        }
        var here = guest(open: 600, until: 600)
        func goes(_ idle: inout GuestIdle, _ facts: GuestIdle.Facts, _ seconds: Int64) -> Bool {
            idle.hear(facts, at: after(seconds))
        }
        let yes = GuestIdle.Facts(hasSeat: false, hasOpenYes: true)
        let first = [goes(&here, nothing, 599), goes(&here, yes, 600), goes(&here, nothing, 600)]
        #expect(first == [false, false, true])
        // A seat counts from when it was there for the last time.
        let late = [
            goes(&here, seated, 600), goes(&here, nothing, 1199), goes(&here, nothing, 1200),
        ]
        #expect(late == [false, false, true])
        var away = guest(open: 1200, until: 4800)
        let seatedYes = GuestIdle.Facts(hasSeat: true, hasOpenYes: true)
        let gone = [
            goes(&away, seated, 4799), goes(&away, seatedYes, 4800), goes(&away, seated, 4800),
        ]
        #expect(gone == [false, false, true])
        // Back for a moment.
        away.look(at: after(4860), isOpen: true)
        #expect(goes(&away, seated, 4860) == false)
        // The computer slept for a day: that is nobody's time.
        var slept = guest(open: 0, until: 540)
        slept.look(at: after(90_000), isOpen: false)
        let woken = goes(&slept, nothing, 90_000)
        slept.look(at: after(90_060), isOpen: false)
        #expect([woken, goes(&slept, nothing, 90_060)] == [false, true])
    }

    @Test("Pictures are read one at a time, with a rest behind each, and eight of an address")
    func pictures() {
        var limits = PictureLimits<String>()
        #expect(limits.begin(from: "a", at: now) == nil)
        #expect(limits.begin(from: "b", at: now + .seconds(100)) == .busy)
        limits.end(at: now + .seconds(5))
        // Three times as long as it took.
        #expect(limits.begin(from: "b", at: now + .seconds(19)) == .busy)
        #expect(limits.begin(from: "b", at: now + .seconds(20)) == nil)
        limits.end(at: now + .seconds(20))
        for second in 21..<28 as Range<Int64> {
            #expect(limits.begin(from: "a", at: now + .seconds(second)) == nil)
            limits.end(at: now + .seconds(second))
        }
        #expect(limits.begin(from: "a", at: now + .seconds(30)) == .tries)
        #expect(limits.begin(from: "c", at: now + .seconds(30)) == nil)
        // One that has ended twice, or begins behind a clock that went back, harms nothing.
        limits.end(at: now)
        limits.end(at: now)
        #expect(limits.begin(from: "a", at: now + .seconds(700)) == nil)
        limits.end(at: now + .seconds(700))
        var many = PictureLimits<Int>()
        for place in 0..<PictureLimits<Int>.addresses {
            #expect(many.begin(from: place, at: now) == nil)
            many.end(at: now)
        }
        #expect(many.begin(from: -1, at: now) == .tries)
        #expect(many.begin(from: 5, at: now) == nil)
    }

    @Test("A guest says a name and one seat, in any case")
    func wish() throws {
        let good = try GuestWish(["name": "Mia", "seat": "14b", "party": "aaaa-bbbb"])
        #expect(good.name == "Mia" && good.seat == "14B" && good.party == "aaaa-bbbb")
        #expect(try GuestWish(["name": "Mia", "seat": "7A"]).party == nil)
        let wrong: [(JSON, JSON)] = [
            ("", "14B"), (7, "14B"), ("Mia", ""), ("Mia", "14"), ("Mia", "B"), ("Mia", "B14"),
            ("Mia", "14BC"), ("Mia", "1400B"), ("Mia", "../1B"), ("Mia", "14Ä"), ("Mia", .null),
            ("Mia", "14B,14C"), ("Mia", "0A"), ("Mia", "256A"),
            (.string(String(repeating: "x", count: 400)), "14B"),
        ]
        for (name, seat) in wrong {
            #expect(throws: UserError.self, "\(name) \(seat)") {
                try GuestWish(["name": name, "seat": seat])
            }
        }
        #expect(throws: UserError.self) {
            try GuestWish([
                "name": "Mia", "seat": "14B", "party": .string(String(repeating: "a", count: 201)),
            ])
        }
    }

    @Test("Pages that were let in are found again, and those of a guest who has gone are not")
    func store() throws {
        let folder = try folder()
        defer { Folder.remove(folder) }
        func open() throws -> PageStore {
            try PageStore(folder + "/host", random: { [UInt8](repeating: 5, count: $0) })
        }
        var store = try open()
        try store.admit(key(1), as: PagePass(right: .owner))
        try store.admit(key(2), as: PagePass(right: .owner))
        var again = try open()
        #expect(again.key.key == store.key.key)
        #expect(again.pass(of: try key(1)) == PagePass(right: .owner))
        #expect(again.pass(of: try key(2)) == PagePass(right: .owner))
        #expect(again.pass(of: try key(4)) == nil)
        // No more than are kept: the latest.
        for number in 10..<UInt8(10 + PageStore.most) {
            try again.admit(key(number), as: PagePass(right: .owner))
        }
        #expect(again.pages.count == PageStore.most)
        #expect(again.pass(of: try key(1)) == nil)
        // Files of the user alone; one that cannot be read is said, and not replaced.
        for name in ["page.key", "pages.json"] {
            var facts = stat()
            #expect(stat("\(folder)/host/\(name)", &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        }
        try Data("{".utf8).write(to: URL(fileURLWithPath: folder + "/host/pages.json"))
        #expect(throws: UserError.self) { try open() }
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: folder + "/host/page.key"))
        #expect(throws: UserError.self) { try open() }
    }

    @Test("A guest's places are below those of the host, with a socket that no profile has")
    func places() throws {
        let environment = [
            "HOME": "/home/ada", "XDG_RUNTIME_DIR": "/run/user/7", "PATH": "/bin",
            "XDG_CONFIG_HOME": "/home/ada/c",
        ]
        let host = try ProfilePlace(profile: ProfileName("ada"), environment: environment)
        let guest = try host.guest(7)
        #expect(guest.dataDirectory == host.dataDirectory + "/guests/seatagent/guest-7")
        #expect(guest.stateDirectory == host.stateDirectory + "/guests/seatagent/guest-7")
        #expect(guest.socket.path == "/run/user/7/seatagent/ada.guest-7.sock")
        #expect(guest.configPath == host.dataDirectory + "/guests/seatagent/config")
        #expect(host.variables(ofGuest: 7)["PATH"] == nil)
        #expect(throws: UserError.self) { try ProfileName("ada.guest-7") }
        #expect(ProfilePlace.port(ofGuest: 1) == 7712 && ProfilePlace.port(ofGuest: 40) == 7751)
    }

    @Test("The folders say who is a guest, and one that an agent holds stays")
    func shelf() throws {
        let folder = try folder()
        defer { Folder.remove(folder) }
        let host = try ProfilePlace(
            profile: ProfileName("ada"),
            environment: ["HOME": folder, "XDG_RUNTIME_DIR": folder + "/r"])
        let shelf = GuestShelf(host)
        #expect(shelf.numbers == [] && shelf.place(of: 3) == nil && shelf.owner(of: 3) == nil)
        try shelf.prepare(3, ["options": [:]])
        try shelf.prepare(40, ["options": [:]])
        // Of a start that was cut off nobody is the guest.
        #expect(shelf.numbers == [3, 40] && shelf.owner(of: 3) == nil)
        try shelf.give(3, to: key(7))
        let owner = try key(7)
        #expect(shelf.owner(of: 3) == owner && !shelf.isAnswering(3))
        let lock = try ProfileLock(path: try #require(shelf.place(of: 3)).lockPath)
        #expect(shelf.isHeld(3) && !shelf.isHeld(40))
        #expect(!shelf.remove(3) && shelf.owner(of: 3) == owner)
        #expect(shelf.remove(40) && shelf.numbers == [3])
        withExtendedLifetime(lock) {}
    }

    @Test("Into a venue a guest comes with a name, and starts again for the days of the host")
    func venue() throws {
        let wish = try GuestWish(["name": "Mia", "seat": "14B", "party": "aaaa"], inVenue: true)
        #expect(wish.name == "Mia" && wish.seat == nil && wish.party == nil && !wish.isBack)
        #expect(throws: UserError.self) { try GuestWish(["name": ""], inVenue: true) }
        let folder = try folder()
        defer { Folder.remove(folder) }
        let host = try ProfilePlace(
            profile: ProfileName("ada_rec"),
            environment: ["HOME": folder, "XDG_RUNTIME_DIR": folder + "/r"])
        let loop = try EventLoop()
        func house(_ venue: String?) -> GuestHouse {
            GuestHouse(
                host, options: venue.map { ["venue": [.string($0)]] } ?? [:],
                program: "/bin/false", isOpen: true, joinsInMinute: 9, loop: loop)
        }
        func options(_ number: Int) throws -> JSON? {
            let place = try #require(GuestShelf(host).place(of: number))
            return try JSON(line: try #require(try PrivateFile.read(place.optionsPath)).dropLast())
        }
        let old = ["at": "2026-01-01T00:00:00Z", "options": ["name": ["mia"]]] as JSON
        for (venue, number) in [("monday", 3), (nil, 4)] as [(String?, Int)] {
            let house = house(venue)
            try house.shelf.prepare(number, old)
            house.restart(number)
            // A flight has no other day.
            let said = try options(number)
            #expect(said?["options"]?["venue"] == venue.map { [.string($0)] })
            #expect(said?["options"]?["name"] == ["mia"])
            #expect((said?["at"]?.text == "2026-01-01T00:00:00Z") == (venue == nil))
            house.finish()
        }
        let names = GuestNames(loop: loop)
        names.add(3, "mia", [])
        #expect(names.has("Mia") && !names.has("leo"))
        #expect(names.guest("MIA", nil, isBack: false) == nil)
        #expect(names.guest("MIA", nil, isBack: true) == 3)
        names.add(4, "Mia", [])
        #expect(names.guest("mia", nil, isBack: true) == nil)
    }

    @Test("A yes is for whom the host was asked about, and for nobody who came in between")
    func answers() throws {
        let folder = try folder()
        defer { Folder.remove(folder) }
        let host = try ProfilePlace(
            profile: ProfileName("ada"),
            environment: ["HOME": folder, "XDG_RUNTIME_DIR": folder + "/r"])
        var now = now
        let loop = try EventLoop(clock: { now })
        let house = GuestHouse(
            host, options: [:], program: "/bin/false", isOpen: false, joinsInMinute: 9, loop: loop)
        let (mia, eve) = (try key(1), try key(2))
        let wishes = try ["mia", "eve"].map { try GuestWish(["name": .string($0), "seat": "1A"]) }
        #expect(house.join(mia, wishes[0], from: nil) == .waits)
        #expect(house.waiting.map(\.page) == [mia])
        // Mia's page is closed; eve comes.
        now = now + .seconds(29)
        loop.turn(waitingAtMost: .zero)
        #expect(house.join(eve, wishes[1], from: nil) == .waits)
        #expect(house.waiting.map(\.page) == [mia, eve])
        now = now + .seconds(2)
        loop.turn(waitingAtMost: .zero)
        #expect(house.waiting.map(\.page) == [eve])
        #expect(!house.answer(mia, true) && house.waiting.map(\.page) == [eve])
        #expect(house.join(eve, wishes[1], from: nil) == .waits && house.shelf.numbers == [])
        // A no is told once.
        #expect(house.answer(eve, false) && !house.answer(eve, true))
        guard case .refused = house.join(eve, wishes[1], from: nil) else {
            Issue.record("not refused")
            return
        }
        #expect(house.join(eve, wishes[1], from: nil) == .waits)
    }

    @Test("A folder goes with all that is in it, and what a link leads to stays")
    func folders() throws {
        let folder = try folder()
        let files = FileManager.default
        try files.createDirectory(atPath: folder + "/a/b", withIntermediateDirectories: true)
        try Data([1]).write(to: URL(fileURLWithPath: folder + "/a/b/.hidden"))
        try Data([1]).write(to: URL(fileURLWithPath: folder + "/kept"))
        try files.createSymbolicLink(atPath: folder + "/a/link", withDestinationPath: folder)
        try files.createSymbolicLink(atPath: folder + "/a/none", withDestinationPath: "/nowhere")
        #expect(Folder.isThere(folder + "/a") && !Folder.isThere(folder + "/kept"))
        #expect(Folder.remove(folder + "/a") && Folder.remove(folder + "/a"))
        #expect(files.fileExists(atPath: folder + "/kept"))
        #expect(Folder.remove(folder) && !files.fileExists(atPath: folder))
    }
}
