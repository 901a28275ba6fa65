// SPDX-License-Identifier: Apache-2.0
@testable import Agent
import Glibc
import Protocol
import Testing

@testable import Aviation
@testable import Profile
@testable import SeatAgent
@testable import Store
@testable import System
@testable import Text
@testable import Transport
@testable import Keys

/// A directory of its own that goes with it.
private final class Folder {
    let path: String

    init() throws {
        var template = Array("/tmp/seatagent-store-XXXXXX".utf8CString)
        path = try #require(mkdtemp(&template).map { String(cString: $0) })
        try PrivateFile.makeDirectory(path + "/seatagent/default")
    }

    /// Where the practice flight's file stands in a profile whose places are all here.
    var flightPath: String { path + "/seatagent/default/" + FlightFile.name(.practice) }

    deinit {
        for name in ["", "-wal", "-shm", ".copy"] { unlink(flightPath + name) }
        unlink(path + "/lock")
        for part in ["/seatagent/default", "/seatagent", ""] { rmdir(path + part) }
    }
}

/// A log of our own in a store.
private struct Ground {
    let folder: Folder
    let opened: FlightStore.Opened
    let codec: EntryCodec

    init(_ folder: Folder) throws {
        self.folder = folder
        let primitives = try #require(SodiumPrimitives())
        let place = try ProfilePlace(
            profile: .standard,
            environment: [
                "HOME": folder.path, "XDG_DATA_HOME": folder.path, "XDG_STATE_HOME": folder.path,
            ])
        try PrivateFile.makeDirectory(place.dataDirectory)
        opened = try FlightStore.open(.flight(.practice), place: place, primitives: primitives)
        codec = EntryCodec(primitives)
    }

    func sign(_ body: EntryBody, after previous: Entry?) throws -> Entry {
        try codec.sign(
            body, flight: opened.flightKey.id, seq: (previous?.seq ?? 0) + 1,
            previous: previous?.id, by: opened.identity)
    }
}

private let noon = UTCTime(seconds: 1_000_000)

@Suite struct StoreTests {
    @Test func whatWasCommittedIsThereAfterAReopening() throws {
        let folder = try Folder()
        let first = try Ground(folder)
        let genesis = try first.sign(.genesis(name: "ada", agent: "test"), after: nil)
        let seat = try #require(Seat("14C"))
        let claim = try first.sign(.claim(seat: seat, dependant: false), after: genesis)
        let message = DirectMessage(
            id: try #require(ThreadID([UInt8](0..<16))), peer: PeerKey(.zero), outgoing: true,
            text: "psst", at: noon, state: .waiting)
        let lock = SlotLock(
            slot: Slot(token: claim.id.token, producer: Producer(claim: claim.id.token)),
            contract: ContractID(.zero))
        let layouts = [1, 2].map {
            LayoutSuggestion(
                [UInt8($0)], revision: $0, flight: first.opened.flightKey.id,
                by: first.opened.identity)
        }
        try first.opened.store.apply([
            .layout(layouts[0]), .layout(layouts[1]), .entry(genesis, seen: noon),
            .entry(claim, seen: noon), .message(message),
            .lock(lock), .block(PeerKey(.zero), true),
        ])
        let again = try Ground(folder).opened
        #expect(again.identity.key == first.opened.identity.key)
        #expect(again.flightKey == first.opened.flightKey)
        #expect(again.stored.entries.map(\.entry) == [genesis, claim])
        #expect(again.stored.messages == [message])
        #expect(again.stored.locks == [lock])
        #expect(again.stored.layout == layouts[1])
        #expect(again.stored.blocked == [PeerKey(.zero)])
        var acknowledged = message
        acknowledged.state = .acknowledged
        try again.store.apply([
            .message(acknowledged), .unlock(lock), .block(PeerKey(.zero), false),
        ])
        let last = try Ground(folder).opened.stored
        #expect(last.messages == [acknowledged])
        #expect(last.locks.isEmpty && last.blocked.isEmpty)
    }

    /// The disk itself refuses a second yes on a locked slot, and nothing of that turn is kept.
    @Test func aSecondLockBreaksItsWholeTransaction() throws {
        let folder = try Folder()
        let ground = try Ground(folder)
        let genesis = try ground.sign(.genesis(name: "ada", agent: "test"), after: nil)
        let slot = Slot(token: Token(.zero), producer: Producer(.zero))
        let other = ContractID(SodiumPrimitives.random32())
        try ground.opened.store.apply([.lock(SlotLock(slot: slot, contract: ContractID(.zero)))])
        #expect(throws: StoreError.self) {
            try ground.opened.store.apply([
                .entry(genesis, seen: noon), .lock(SlotLock(slot: slot, contract: other)),
            ])
        }
        let stored = try Ground(folder).opened.stored
        #expect(stored.entries.isEmpty && stored.locks.count == 1)
        // The same store goes on: no transaction stands open.
        try ground.opened.store.apply([.entry(genesis, seen: noon)])
        #expect(try Ground(folder).opened.stored.entries.map(\.entry) == [genesis])
    }

    @Test("What is said of who changes seats moves in the transaction of the swap")
    func needsMoveWithTheSwap() throws {
        let folder = try Folder()
        let ground = try Ground(folder)
        let old = try #require(Seat("14C"))
        let new = try #require(Seat("20A"))
        var needs = Needs([Needs.Person(seat: old, facts: [.child])])
        try ground.opened.store.keep(needs)
        needs.move([old: new])
        let lock = SlotLock(
            slot: Slot(token: Token(.zero), producer: Producer(.zero)), contract: ContractID(.zero))
        #expect(throws: StoreError.self) {
            try ground.opened.store.apply([.lock(lock), .lock(lock)], with: needs)
        }
        #expect(try Ground(folder).opened.store.needs().people.map(\.seat) == [old])
        try ground.opened.store.apply([.lock(lock)], with: needs)
        let kept = try Ground(folder).opened.store
        #expect(try kept.needs() == needs && kept.load().locks.count == 1)
        // Nothing else has to change for it.
        needs.set(Needs.Person(seat: new, facts: []))
        try kept.apply([], with: needs)
        #expect(try Ground(folder).opened.store.needs().people.isEmpty)
    }

    @Test("A file of version 7 keeps what was said of the own seats, also after a death on the way")
    func needsOfAnEarlierVersion() throws {
        let folder = try Folder()
        let seat = try #require(Seat("14C"))
        let needs = Needs([Needs.Person(seat: seat, facts: [.child, .paid])])
        try Ground(folder).opened.store.keep(needs)
        let path = folder.flightPath
        try Database(path: path).execute(
            """
            ALTER TABLE needs RENAME TO party; DROP TABLE party_secret; DROP TABLE party_member;
            PRAGMA user_version = 7;
            """)
        // Half of the step and no commit, as kill -9 leaves it.
        try Database(path: path).execute("BEGIN IMMEDIATE; ALTER TABLE party RENAME TO needs;")
        #expect(try Ground(folder).opened.store.needs() == needs)
        var version: Int64 = 0
        let after = try Database(path: path)
        try after.prepare("PRAGMA user_version").run { version = $0.integer(0) }
        #expect(version == 9)
        #expect(throws: StoreError.self) { try after.prepare("SELECT * FROM party") }
        #expect(try Ground(folder).opened.store.needs() == needs)
    }

    @Test func thePartyIsKeptAsAWhole() throws {
        let folder = try Folder()
        let secret = try #require(PartySecret(Array(0..<10)))
        let former = try #require(PartySecret(Array(10..<20)))
        let members = (1...3).map { number in
            PartyMember(
                key: PeerKey(SodiumPrimitives.random32()),
                standing: PartyMember.Standing(rawValue: number) ?? .candidate)
        }
        let party = PartyState(secrets: [secret, former], isFromHome: true, members: members)
        try Ground(folder).opened.store.apply([.party(party)])
        #expect(try Ground(folder).opened.store.load().party == party)
        let left = PartyState(secrets: [former], isFromHome: false)
        try Ground(folder).opened.store.apply([.party(left)])
        #expect(try Ground(folder).opened.store.load().party == left)
        try Ground(folder).opened.store.apply([.party(nil)])
        #expect(try Ground(folder).opened.store.load().party == nil)
    }

    @Test func onlyTheUserMayReadIt() throws {
        let folder = try Folder()
        _ = try Ground(folder)
        var info = stat()
        #expect(stat(folder.flightPath, &info) == 0)
        #expect(info.st_mode & 0o777 == 0o600)
    }

    @Test("A text is kept whole, also after a zero in it")
    func zero() throws {
        let database = try Database(path: ":memory:")
        try database.execute("CREATE TABLE words (text TEXT) STRICT")
        let text = "before\u{0}after ✈"
        try database.prepare("INSERT INTO words VALUES (?)").run([.text(text)])
        var read: [String] = []
        try database.prepare("SELECT text FROM words").walk([]) { row in
            read.append(row.text(0))
            return true
        }
        #expect(read == [text])
    }

    @Test func aFileOfALaterVersionIsLeftAlone() throws {
        let folder = try Folder()
        let path = folder.flightPath
        try Database(path: path).execute("PRAGMA user_version = 10")
        #expect(throws: FlightStore.Obstacle.self) { try Ground(folder) }
    }

    @Test("A file of 0.1 is told from others and left as it is", arguments: 1...6)
    func aFileOfAnOlderFold(version: Int) throws {
        let folder = try Folder()
        _ = try Ground(folder)
        let path = folder.flightPath
        try Database(path: path).execute("PRAGMA user_version = \(version)")
        let before = try PrivateFile.read(path)
        #expect(throws: FlightStore.Obstacle.older) { try Ground(folder) }
        #expect(try PrivateFile.read(path) == before && before != nil)
        // What lists and deletes files knows it all the same.
        #expect(try Store.facts(path: path).flight == FlightName.practice.text)
    }

    @Test func aRowThatIsNoEntryIsLeftOutAndCounted() throws {
        let folder = try Folder()
        _ = try Ground(folder)
        let path = folder.flightPath
        try Database(path: path).execute("INSERT INTO entry (seen, bytes) VALUES (1, x'00')")
        let stored = try Ground(folder).opened.stored
        #expect(stored.entries.isEmpty && stored.damaged == 1)
    }

    @Test("A bit of each byte of an entry is flipped: it is left out, or was not needed")
    func aFlippedBitIsFound() throws {
        let folder = try Folder()
        let first = try Ground(folder)
        let genesis = try first.sign(.genesis(name: "ada", agent: "test"), after: nil)
        let chat = try first.sign(.chat(text: "hello", replyTo: nil), after: genesis)
        try first.opened.store.apply([.entry(genesis, seen: noon), .entry(chat, seen: noon)])
        let database = first.opened.store.database
        for place in chat.bytes.indices {
            var bytes = chat.bytes
            bytes[place] ^= UInt8(1 << (place % 8))
            try database.prepare("UPDATE entry SET bytes = ? WHERE place = 2").run([.blob(bytes)])
            let stored = try first.opened.store.load()
            #expect(stored.entries.map(\.entry) == [genesis], "byte \(place)")
            #expect(stored.damaged == 1 && stored.ownSeq == 2)
        }
        try database.prepare("UPDATE entry SET bytes = ? WHERE place = 2").run([.blob(chat.bytes)])
        // Another sum, or none as in a file of an older layout: the signature decides, once.
        for sum in [0, 7] {
            try database.execute("UPDATE entry SET sum = \(sum), own = 0")
            let stored = try first.opened.store.load()
            #expect(stored.entries.map(\.entry) == [genesis, chat] && stored.damaged == 0)
            var kept = 0
            try database.prepare("SELECT own FROM entry WHERE sum <> \(sum)").run { row in
                kept += Int(row.integer(0))
            }
            #expect(kept == 3)
        }
    }

    @Test func aDamagedProofConvictsNobody() throws {
        let folder = try Folder()
        let ground = try Ground(folder)
        let genesis = try ground.sign(.genesis(name: "ada", agent: "test"), after: nil)
        let one = try ground.sign(.chat(text: "hello", replyTo: nil), after: genesis)
        let two = try ground.sign(.chat(text: "jello", replyTo: nil), after: genesis)
        try ground.opened.store.apply([.forkProof(try #require(ForkProof(one, two)))])
        #expect(try ground.opened.store.load().proofs.count == 1)
        var bytes = one.bytes
        bytes[bytes.count - 1] ^= 1
        let sql = "UPDATE fork SET first = ?, second = ?"
        try ground.opened.store.database.prepare(sql).run([.blob(bytes), .blob(two.bytes)])
        let stored = try ground.opened.store.load()
        #expect(stored.proofs.isEmpty && stored.damaged == 1)
    }

    @Test func aFileThatIsALinkIsNotFollowed() throws {
        let folder = try Folder()
        let path = folder.flightPath
        #expect(symlink("/tmp/seatagent-elsewhere", path) == 0)
        #expect(throws: FlightStore.Obstacle.self) { try Ground(folder) }
        #expect(access("/tmp/seatagent-elsewhere", F_OK) != 0)
    }

    @Test func aProfileIsOneProcesss() throws {
        let folder = try Folder()
        let path = folder.path + "/lock"
        var first: ProfileLock? = try ProfileLock(path: path)
        #expect(throws: ProfileLock.Trouble.held) { try ProfileLock(path: path) }
        withExtendedLifetime(first) {}
        first = nil
        _ = try ProfileLock(path: path)
    }

    @Test("A lock that cannot be opened is not called held by another process")
    func lockThatCannotBeOpened() throws {
        let folder = try Folder()
        let path = folder.path + "/lock"
        #expect(mkdir(path, 0o700) == 0)
        defer { rmdir(path) }
        #expect(throws: ProfileLock.Trouble.unusable(EISDIR)) { try ProfileLock(path: path) }
        let error = ProfileLock.unusable(path, EISDIR)
        #expect(error.why == "\(path): Is a directory")
        #expect(error.advice == "ls -ld \(path)")
    }
}
