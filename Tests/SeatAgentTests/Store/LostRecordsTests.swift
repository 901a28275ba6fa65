// SPDX-License-Identifier: Apache-2.0
@testable import Launch
@testable import Agent
import Glibc
import Protocol
import Testing

@testable import Profile
@testable import SeatAgent
@testable import Store
@testable import System
@testable import Text
@testable import Transport
@testable import Keys

/// A profile in a directory of its own that goes with it.
final class ProfileFolder {
    let path: String
    let place: ProfilePlace

    init() throws {
        Companions.find()
        var template = Array("/tmp/seatagent-lost-XXXXXX".utf8CString)
        path = try #require(mkdtemp(&template).map { String(cString: $0) })
        place = try ProfilePlace(
            profile: .standard,
            environment: [
                "HOME": path, "XDG_DATA_HOME": path + "/d", "XDG_STATE_HOME": path + "/s",
            ])
        try PrivateFile.makeDirectory(place.dataDirectory)
        try PrivateFile.makeDirectory(place.stateDirectory)
    }

    /// Where the practice flight's file is.
    var file: String { place.dataDirectory + "/" + FlightFile.name(.practice) }

    /// Opens it as a start of the agent does.
    func open(renewing: Bool = false) throws -> FlightStore.Opened {
        let primitives = try #require(AgentPrimitives())
        return try FlightStore.open(
            .flight(.practice), place: place, primitives: primitives, renewing: renewing)
    }

    deinit {
        for directory in [place.dataDirectory, place.stateDirectory] {
            for name in Self.names(directory) { unlink(directory + "/" + name) }
        }
        for part in ["/d/seatagent/default", "/d/seatagent", "/d"] { rmdir(path + part) }
        for part in ["/s/seatagent/default", "/s/seatagent", "/s", ""] { rmdir(path + part) }
    }

    static func names(_ directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }
}

/// Ways in which a flight's key is lost although its mirror is there.
enum Loss: String, CaseIterable, Sendable {
    case fileDeleted, cutToNothing, cutToHalf, logOfWritesDeleted, overwritten

    /// Makes a key, signs two entries with it and then loses it. Gives the key.
    func happen(in folder: ProfileFolder) throws -> PeerKey {
        let path = folder.file
        let (key, early) = try Self.sign(in: folder)
        switch self {
        case .fileDeleted: unlink(path)
        case .cutToNothing: truncate(path, 0)
        case .cutToHalf:
            var facts = stat()
            #expect(stat(path, &facts) == 0 && facts.st_size > 8192)
            truncate(path, facts.st_size / 2)
        case .logOfWritesDeleted:
            // What stood in the file itself when the process died: everything else was in the log.
            try PrivateFile.write(early, to: path)
        case .overwritten: try PrivateFile.write([UInt8](repeating: 7, count: 40960), to: path)
        }
        return key
    }

    private static func sign(in folder: ProfileFolder) throws -> (PeerKey, [UInt8]) {
        let opened = try folder.open()
        let codec = EntryCodec(try #require(AgentPrimitives()))
        let genesis = try codec.sign(
            .genesis(name: "ada", agent: "test"), flight: opened.flightKey.id, seq: 1,
            previous: nil, by: opened.identity)
        try opened.store.apply([.entry(genesis, seen: UTCTime(seconds: 1))])
        opened.mirror.write((opened.generation, opened.generation), head: 1)
        // An open file has not moved its log of writes yet.
        return try withExtendedLifetime(opened) {
            (opened.identity.key, try #require(try PrivateFile.read(folder.file)))
        }
    }
}

@Suite("Lost records") struct LostRecordsTests {
    @Test("No new key is made in silence, whatever was lost", arguments: Loss.allCases)
    func stops(loss: Loss) throws {
        let folder = try ProfileFolder()
        let old = try loss.happen(in: folder)
        let before = try PrivateFile.read(folder.file)
        for _ in 0..<2 {
            #expect {
                _ = try folder.open()
            } throws: { error in
                guard case .lost(folder.file, _) = error as? FlightStore.Obstacle else {
                    return false
                }
                return true
            }
        }
        // What is left is as it was: somebody may still find the rest.
        #expect(try PrivateFile.read(folder.file) == before)
        let renewed = try folder.open(renewing: true)
        #expect(renewed.identity.key != old)
        #expect(renewed.isRenewed && !renewed.isRestored && renewed.stored.entries.isEmpty)
        if before != nil { #expect(access(folder.file + ".lost", F_OK) == 0) }
    }

    @Test("A key made in place of a lost one claims nothing, at no start")
    func claimsNothing() throws {
        let folder = try ProfileFolder()
        _ = try Loss.fileDeleted.happen(in: folder)
        let key = try folder.open(renewing: true).identity.key
        let again = try folder.open()
        #expect(again.identity.key == key && again.isRenewed)
        let options = try AgentOptions(
            ["seat": ["14C"], "name": ["ada"]], place: folder.place, foreground: false)
        var node = Agent.makeNode(
            options, again, again.stored, try #require(AgentPrimitives()), aliases: [], port: 1,
            venue: nil)
        _ = node.handle(.started, at: SystemClock.moment())
        #expect(node.logs.seq(of: key) == 1)
        #expect(node.fold.tokens.isEmpty)
        // The same with a key that is simply new.
        let other = try ProfileFolder()
        let first = try other.open()
        var newcomer = Agent.makeNode(
            options, first, first.stored, try #require(AgentPrimitives()), aliases: [], port: 1,
            venue: nil)
        _ = newcomer.handle(.started, at: SystemClock.moment())
        #expect(newcomer.fold.tokens.map(\.seat.text) == ["14C"])
    }

    @Test("A first start makes a key, and --new-key makes none where the key is there")
    func wholeFiles() throws {
        let folder = try ProfileFolder()
        let key = try folder.open().identity.key
        #expect(throws: FlightStore.Obstacle.kept(folder.file)) {
            try folder.open(renewing: true)
        }
        let again = try folder.open()
        #expect(again.identity.key == key && !again.isRenewed && !again.isRestored)
    }

    @Test("A mirror that is newer than the file: the key stays, and its log waits for others")
    func olderFile() throws {
        let folder = try ProfileFolder()
        let key = try folder.open().identity.key
        let old = try #require(try PrivateFile.read(folder.file))
        _ = try folder.open()
        try PrivateFile.write(old, to: folder.file)
        let opened = try folder.open()
        #expect(opened.identity.key == key && opened.isRestored && !opened.isRenewed)
    }

    @Test("What is put aside goes when the flight goes, and so does the mirror")
    func goesWithTheFlight() throws {
        let folder = try ProfileFolder()
        _ = try Loss.cutToHalf.happen(in: folder)
        _ = try folder.open(renewing: true)
        FlightFiles(place: folder.place).delete(folder.file)
        #expect(ProfileFolder.names(folder.place.dataDirectory) == [])
        #expect(ProfileFolder.names(folder.place.stateDirectory) == [])
        #expect(try !folder.open().isRenewed)
    }

    @Test("People are told what happened, why, and what to type")
    func words() throws {
        let folder = try ProfileFolder()
        _ = try Loss.cutToNothing.happen(in: folder)
        let options = try AgentOptions(
            ["seat": ["14C"]], place: folder.place, foreground: false)
        let error = #expect(throws: UserError.self) {
            try Agent.open(options, try #require(AgentPrimitives()))
        }
        #expect(
            error?.lines == [
                "seatagent: the records of this flight are lost, and your key with them",
                "  why: \(folder.file): it is empty; a new key must not claim a seat that the old "
                    + "one may have given away",
                "  try: seatagent restart --new-key",
            ])
        #expect(error?.code == .recordsLost)
    }
}

@Suite("The end of a flight, by a clock that may be wrong") struct EndMarkTests {
    private let day: Int64 = 24 * 3600

    @Test("A start deletes only what another start found over two days before")
    func twoStarts() throws {
        let folder = try ProfileFolder()
        let primitives = try #require(AgentPrimitives())
        let flight = try #require(FlightName("XY123/2026-11-22/DUB"))
        let path = try FlightStore.open(
            .flight(flight), place: folder.place, primitives: primitives
        ).path
        let files = FlightFiles(place: folder.place)
        let end = try #require(FlightLife.end(of: flight, window: nil))
        let over = UTCTime(seconds: end.seconds + FlightLife.keptFor + 1)
        func settle(_ days: Int64, _ isStart: Bool = true) -> (
            deleted: [GatheringName], kept: [GatheringName]
        ) {
            files.settleOld(
                now: UTCTime(seconds: over.seconds + days * day), except: "", isStart: isStart)
        }
        // A clock that is four weeks ahead, and right again the next time.
        #expect(settle(28).kept == [.flight(flight)])
        #expect(settle(-20).deleted == [] && EndMark(of: path, in: folder.place).first == nil)
        // Over indeed: said once, kept for two days, and deleted by a start only.
        #expect(settle(0).kept == [.flight(flight)])
        #expect(settle(1) == ([], []))
        #expect(settle(5, false) == ([], []))
        #expect(access(path, F_OK) == 0)
        #expect(settle(2).deleted == [.flight(flight)])
        #expect(ProfileFolder.names(folder.place.dataDirectory) == [])
        #expect(ProfileFolder.names(folder.place.stateDirectory) == [])
    }

    @Test("Two days to the second; what a clock noted that stood later is void")
    func marks() throws {
        let folder = try ProfileFolder()
        let mark = EndMark(of: folder.file, in: folder.place)
        func at(_ seconds: Int64) -> UTCTime { UTCTime(seconds: seconds) }
        #expect(!mark.isAgreed(now: at(10 * day)))
        mark.note(at(1000))
        mark.note(at(2000))
        #expect(mark.first == at(1000))
        #expect(
            !mark.isAgreed(now: at(1000 + 2 * day - 1)) && mark.isAgreed(now: at(1000 + 2 * day)))
        mark.note(at(500))
        #expect(mark.first == at(500))
        mark.clear()
        #expect(mark.first == nil)
    }
}

@Suite("A flight that is over, on a terminal") struct EndedFlightTests {
    /// A profile with one flight of years ago, and a terminal on which `answer` is typed.
    private func ask(_ answer: String) throws -> (
        folder: ProfileFolder, path: String, console: Console, error: UserError?
    ) {
        let folder = try ProfileFolder()
        let primitives = try #require(AgentPrimitives())
        let flight = try #require(FlightName("XY123/2020-01-02/DUB"))
        let path = try FlightStore.open(
            .flight(flight), place: folder.place, primitives: primitives
        ).path
        let console = Console(input: answer, readsTerminal: true)
        let session = CommandSession(
            console: console,
            environment: [
                "HOME": folder.path, "XDG_DATA_HOME": folder.path + "/d",
                "XDG_STATE_HOME": folder.path + "/s",
            ])
        let line = try session.parser.parse(["status"])
        let call = try Invocation(line, session: session, profile: nil)
        let options = try AgentOptions(
            ["seat": ["14C"], "flight": [flight.text]], place: folder.place, foreground: false)
        do throws(UserError) {
            try EndedFlight.ask(options, call)
            return (folder, path, console, nil)
        } catch {
            return (folder, path, console, error)
        }
    }

    @Test("It asks before key and records go; n, and no answer, keep them")
    func asks() throws {
        for answer in ["n\n", "\n", ""] {
            let kept = try ask(answer)
            #expect(kept.error == nil && access(kept.path, F_OK) == 0)
            #expect(kept.console.captured.err.contains("XY123/2020-01-02/DUB was over "))
            #expect(kept.console.captured.err.contains("Nothing is deleted now."))
            #expect(EndMark(of: kept.path, in: kept.folder.place).first != nil)
        }
        let gone = try ask("y\n")
        #expect(gone.error == EndedFlight.deleted && access(gone.path, F_OK) != 0)
    }

    @Test("Only a flight's file of the profile is deleted, also one that cannot be read")
    func placesOfFlights() throws {
        let folder = try ProfileFolder()
        let files = FlightFiles(place: folder.place)
        let data = folder.place.dataDirectory
        #expect(files.isPlace(folder.file) && files.isPlace(data + "/x.db"))
        for path in [
            data, data + "/x", data + "/../x.db", data + "/y/x.db", data + "2/x.db",
            folder.path + "/x.db", "x.db", "",
        ] {
            #expect(!files.isPlace(path), "\(path)")
        }
        try PrivateFile.write(Array("no database".utf8), to: folder.file)
        #expect(files.all() == [])
        files.delete(folder.file)
        #expect(access(folder.file, F_OK) != 0)
    }
}
