// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import Keys
@testable import Owner
@testable import Parking
@testable import Profile
@testable import System
@testable import Text

/// What ends a command in these tests, as a kill would.
private let killed = UserError(.failed, "killed")

@Suite("The seal of a profile")
final class ProfileSealTests {
    private let directory: String
    private let place: ProfilePlace
    private let cost: SealingCost
    private let right = Array("correct horse".utf8)
    private let wrong = Array("correct horsf".utf8)
    /// What the files hold, by their names.
    private let contents = [
        "profile": Array("{\"version\":1,\"mail\":\"ada@example.org\"}\n".utf8),
        "parking": (0..<5000).map { UInt8(truncatingIfNeeded: $0 * 7) },
        "activity": Array("{\"version\":1,\"stays\":[]}\n".utf8),
        "friends": Array("{\"version\":1,\"found\":[]}\n".utf8),
        "bookings": Array("{\"version\":1,\"next\":1,\"bookings\":[]}\n".utf8),
    ]

    /// The names of all that are sealed.
    private let all = ["profile", "parking", "activity", "friends", "bookings"]

    init() throws {
        var template = Array("/tmp/seatagent-seal-XXXXXX".utf8CString)
        directory = try #require(mkdtemp(&template).map { String(cString: $0) })
        place = try ProfilePlace(profile: .standard, environment: ["HOME": directory], uid: 0)
        cost = try #require(SealingCost(passes: 1, kibibytes: 8))
        try PrivateFile.makeDirectory(place.dataDirectory)
    }

    deinit {
        for name in names { unlink("\(place.dataDirectory)/\(name)") }
        var path = place.dataDirectory
        while path.utf8.count >= directory.utf8.count, rmdir(path) == 0 {
            path = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        }
    }

    private var seal: ProfileSeal { ProfileSeal(place, cost: cost) }

    private var names: [String] {
        guard let stream = opendir(place.dataDirectory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private func fill() throws {
        for file in PrivateFiles.sealable {
            try file.write(try #require(contents[file.name]), place)
        }
    }

    private func expectPlain() throws {
        for file in PrivateFiles.sealable {
            #expect(try file.read(place) == contents[file.name], "\(file.name)")
        }
    }

    private func code(_ body: () throws(UserError) -> Void) -> ErrorCode? {
        do throws(UserError) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    @Test("Locking leaves nothing plain; the right passphrase puts back every byte")
    func roundTrip() throws {
        try fill()
        #expect(try seal.lock(right).map(\.name) == all)
        #expect(
            names
                == (all.flatMap { ["\($0).json.sealed", "\($0).lock"] }
                + ["passphrase.sealed"]).sorted())
        for file in PrivateFiles.sealable {
            var facts = stat()
            #expect(stat(file.sealedPath(place), &facts) == 0 && facts.st_mode & 0o777 == 0o600)
            #expect(code { () throws(UserError) in _ = try file.read(place) } == .locked)
        }
        #expect(seal.locked == PrivateFiles.sealable && seal.plain.isEmpty)
        #expect(code { () throws(UserError) in _ = try seal.unlock(wrong) } == .wrongPassphrase)
        #expect(seal.plain.isEmpty)
        #expect(try seal.unlock(right).map(\.name) == all)
        try expectPlain()
        #expect(seal.locked.isEmpty)
        #expect(
            names
                == (all.flatMap { ["\($0).json", "\($0).lock"] }
                + ["passphrase.sealed"]).sorted())
        // The passphrase can still be asked for.
        #expect(try seal.isRight(right) == true && seal.isRight(wrong) == false)
    }

    @Test("Lists and details say that they are locked, and nothing new is begun")
    func locked() throws {
        try SealableFile.details.write(try #require(contents["profile"]), place)
        _ = try seal.lock(right)
        let read = code { () throws(UserError) in _ = try OwnerDetails.read(place) }
        #expect(read == .locked)
        // There is no list yet, and there will be none while the profile is locked.
        let begun = code { () throws(UserError) in
            try ParkingBook.change(place) { (book) throws(UserError) in book.remove(1) }
        }
        #expect(begun == .locked)
        _ = try seal.unlock(right)
        #expect(try OwnerDetails.read(place)[.mail] == "ada@example.org")
        #expect(try ParkingBook.read(place).records.isEmpty)
    }

    @Test("A kill behind any step of lock loses nothing, and lock finishes it")
    func killedLock() throws {
        for stop in 1...5 {
            try fill()
            var (count, seal) = (0, seal)
            seal.after = { _ throws(UserError) in
                count += 1
                if count == stop { throw killed }
            }
            #expect(code { () throws(UserError) in _ = try seal.lock(right) } == .failed)
            for file in PrivateFiles.sealable {
                #expect(file.isPlain(place) || file.isSealed(place))
            }
            // A part may be locked: the rest takes the same passphrase and no other.
            if !self.seal.locked.isEmpty, !self.seal.plain.isEmpty {
                let other = code { () throws(UserError) in _ = try self.seal.lock(wrong) }
                #expect(other == .wrongPassphrase)
            }
            _ = try self.seal.lock(right)
            #expect(self.seal.plain.isEmpty, "\(stop)")
            _ = try self.seal.unlock(right)
            try expectPlain()
        }
    }

    @Test("A kill behind any step of unlock loses nothing, and both unlock and lock finish it")
    func killedUnlock() throws {
        for stop in 1...4 {
            for locksAgain in [false, true] {
                try fill()
                _ = try seal.lock(right)
                var (count, seal) = (0, seal)
                seal.after = { _ throws(UserError) in
                    count += 1
                    if count == stop { throw killed }
                }
                #expect(code { () throws(UserError) in _ = try seal.unlock(right) } == .failed)
                if locksAgain {
                    _ = try self.seal.lock(right)
                    #expect(self.seal.plain.isEmpty)
                }
                _ = try self.seal.unlock(right)
                try expectPlain()
                #expect(!names.contains("profile.json.sealed"))
            }
        }
    }

    @Test("Of a plain and a sealed file, the plain one counts")
    func plainWins() throws {
        try fill()
        _ = try seal.lock(right)
        let newer = Array("newer\n".utf8)
        try SealableFile.details.write(newer, place)
        #expect(try SealableFile.details.read(place) == newer)
        _ = try seal.unlock(right)
        #expect(try SealableFile.details.read(place) == newer)
        #expect(try SealableFile.parking.read(place) == contents["parking"])
    }

    @Test("What a killed command left half written is removed")
    func drafts() throws {
        try fill()
        let draft = SealableFile.details.path(place) + PrivateFile.draft
        try PrivateFile.write(Array("plain".utf8), to: draft)
        _ = try seal.lock(right)
        #expect(!names.contains("profile.json.new"))
    }

    @Test("A sealed file that was changed, or stands in the place of another, opens nothing")
    func damage() throws {
        try fill()
        _ = try seal.lock(right)
        let (details, parking) = (SealableFile.details, SealableFile.parking)
        let first = try #require(try PrivateFile.read(details.sealedPath(place)))
        let second = try #require(try PrivateFile.read(parking.sealedPath(place)))
        // The second in the place of the first, and a broken second behind a good first.
        try PrivateFile.write(second, to: details.sealedPath(place))
        #expect(code { () throws(UserError) in _ = try seal.unlock(right) } == .wrongPassphrase)
        try PrivateFile.write(first, to: details.sealedPath(place))
        try PrivateFile.write(first, to: parking.sealedPath(place))
        #expect(code { () throws(UserError) in _ = try seal.unlock(right) } == .file)
        try PrivateFile.write(second.dropLast(9) + [10], to: parking.sealedPath(place))
        #expect(code { () throws(UserError) in _ = try seal.unlock(right) } == .file)
        #expect(seal.plain.isEmpty, "nothing was opened")
        try PrivateFile.write(second, to: parking.sealedPath(place))
        _ = try seal.unlock(right)
        try expectPlain()
    }

    @Test("A file cannot ask for more memory or time than is allowed")
    func bounds() throws {
        let salt = [UInt8](repeating: 1, count: SealingKey.saltCount)
        let key = try #require(SealingKey(passphrase: right, salt: salt, cost: cost))
        let form = try #require(
            SealedForm([1, 2], name: "x", key: key, cost: cost, salt: salt))
        #expect(try SealedForm(form.bytes) == form)
        #expect(form.open(key, name: "x") == [1, 2] && form.open(key, name: "y") == nil)
        let json = try FormReader.json(form.bytes, limit: 4096, whole: "it")
        func fault(_ members: [String: JSON]) -> String {
            do throws(FormFault) {
                _ = try SealedForm(Array(json.adding(members).line.utf8))
                return ""
            } catch {
                return error.place
            }
        }
        #expect(fault([:]) == "")
        for (name, value) in [
            ("passes", 0), ("passes", 17), ("kibibytes", 7), ("kibibytes", 1 << 20 + 1),
            ("kibibytes", Int.max), ("version", 2),
        ] as [(String, Int)] {
            #expect(fault([name: .int(value)]) == name, "\(value)")
        }
        #expect(fault(["salt": "AAAA"]) == "salt" && fault(["nonce": "!"]) == "nonce")
        #expect(fault(["sealed": 3]) == "sealed" && fault(["derivation": "md5"]) == "derivation")
        #expect(fault(["more": 1]) == "the file")
        #expect(SealingCost.moderate.passes == 3 && SealingCost.moderate.memory == 256 * 1024)
    }

    @Test("Erasing takes plain and sealed files, and what checks the passphrase")
    func erase() throws {
        try fill()
        _ = try seal.lock(right)
        try SealableFile.details.write([1], place)
        #expect(try seal.erase().map(\.name) == all)
        #expect(names == all.map { "\($0).lock" }.sorted())
        #expect(try seal.erase().isEmpty)
        #expect(try seal.isRight(right) == nil)
    }
}
