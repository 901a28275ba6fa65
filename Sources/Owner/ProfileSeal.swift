// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Keys
package import Profile
import System
package import Text

/// Seals the private files of a profile with a passphrase, and opens them.
///
/// A sealed file is on the disk, and has been read back, before the plain one is removed; opening
/// goes the other way round. So a kill at any instant leaves each file plain, sealed or both, and
/// both are the same then, or the plain one is newer: it counts, and locking again seals it again.
package struct ProfileSeal {
    private let place: ProfilePlace
    private let files: [SealableFile]
    private let cost: SealingCost
    /// Called after each step that reached the disk. Tests throw here, as a kill would.
    var after: (Step) throws(UserError) -> Void = { _ throws(UserError) in }

    /// What reached the disk.
    enum Step: CaseIterable, Hashable { case passphraseKept, sealed, plainRemoved, opened, done }

    /// The seal of the profile at `place`; a new passphrase costs as much as `cost` says.
    package init(
        _ place: ProfilePlace, cost: SealingCost = .moderate,
        files: [SealableFile] = PrivateFiles.sealable
    ) {
        self.place = place
        self.cost = cost
        self.files = files
    }

    /// The files of which there is only a sealed one.
    package var locked: [SealableFile] { files.filter { $0.isLocked(place) } }
    /// The files that are plain.
    package var plain: [SealableFile] { files.filter { $0.isPlain(place) } }

    // MARK: Locking

    /// Seals what is plain, and says what that was. Where something is locked already, the
    /// passphrase has to be the same. Throws `wrong-passphrase`, `file` and `failed`.
    package func lock(_ passphrase: [UInt8]) throws(UserError) -> [SealableFile] {
        try holding { () throws(UserError) in
            let (plain, first) = (self.plain, locked.first)
            guard !plain.isEmpty else { return [] }
            let (key, cost, salt): (SealingKey, SealingCost, [UInt8])
            if let first {
                let form = try form(first.sealedPath(place))
                (key, cost, salt) = (try self.key(passphrase, of: form), form.cost, form.salt)
                guard form.open(key, name: first.name) != nil else {
                    throw Self.wrong("seatagent lock")
                }
            } else {
                (cost, salt) = (self.cost, SodiumPrimitives.random(SealingKey.saltCount))
                key = try self.key(passphrase, salt: salt, cost)
            }
            func seal(_ bytes: [UInt8], _ name: String, at path: String) throws(UserError) {
                guard
                    let form = SealedForm(bytes, name: name, key: key, cost: cost, salt: salt)
                else { throw UserError(.failed, "\(path) cannot be sealed") }
                try PrivateFile.write(form.bytes, to: path, durably: true)
                guard try self.form(path).open(key, name: name) == bytes else {
                    throw UserError(
                        .file, "\(path) does not hold what was written to it",
                        why: "the disk may be damaged; the plain file is left as it is",
                        advice: "seatagent lock")
                }
            }
            try seal([], Self.passphrase, at: PrivateFiles.passphrasePath(place))
            try after(.passphraseKept)
            for file in plain {
                guard
                    let bytes = try PrivateFile.read(
                        file.path(place), limit: SealableFile.limit)
                else { continue }
                try seal(bytes, file.name, at: file.sealedPath(place))
                try after(.sealed)
                try PrivateFile.remove(file.path(place))
                try after(.plainRemoved)
            }
            return plain
        }
    }

    // MARK: Opening

    /// Opens what is locked, byte for byte, and says what that was. Opens nothing if one file
    /// cannot be opened. Throws `wrong-passphrase`, `file` and `failed`.
    package func unlock(_ passphrase: [UInt8]) throws(UserError) -> [SealableFile] {
        try holding { () throws(UserError) in
            let locked = self.locked
            var key: (key: SealingKey, salt: [UInt8], cost: SealingCost)?
            var contents: [[UInt8]] = []
            for file in locked {
                let form = try form(file.sealedPath(place))
                if key?.salt != form.salt || key?.cost != form.cost {
                    key = (try self.key(passphrase, of: form), form.salt, form.cost)
                }
                guard let content = key.flatMap({ form.open($0.key, name: file.name) }) else {
                    // The passphrase opened another file: so this one is not as it was.
                    throw contents.isEmpty
                        ? Self.wrong("seatagent unlock") : Self.damaged(file.sealedPath(place))
                }
                contents.append(content)
            }
            for (file, content) in zip(locked, contents) {
                try file.write(content, place)
                try after(.opened)
            }
            // Also a sealed one that a killed command left beside the plain one, which counts.
            for file in files where file.isPlain(place) {
                try PrivateFile.remove(file.sealedPath(place))
                try after(.done)
            }
            return locked
        }
    }

    /// Whether this is the passphrase of the last ``lock(_:)``; `nil` if there was none. Throws
    /// `file` and `failed`.
    package func isRight(_ passphrase: [UInt8]) throws(UserError) -> Bool? {
        let path = PrivateFiles.passphrasePath(place)
        guard access(path, F_OK) == 0 else { return nil }
        let form = try form(path)
        return form.open(try key(passphrase, of: form), name: Self.passphrase) != nil
    }

    /// Removes all private files, plain and sealed, and what the passphrase can be checked with;
    /// says which there were. Throws `file`.
    package func erase() throws(UserError) -> [SealableFile] {
        try holding { () throws(UserError) in
            let there = files.filter { $0.isPlain(place) || $0.isSealed(place) }
            for file in there {
                try PrivateFile.remove(file.path(place))
                try PrivateFile.remove(file.sealedPath(place))
            }
            try PrivateFile.remove(PrivateFiles.passphrasePath(place))
            return there
        }
    }

    // MARK: Parts

    private static let passphrase = "passphrase"

    /// The error for a passphrase that opens nothing; `advice` is the command that asked for it.
    package static func wrong(_ advice: String) -> UserError {
        UserError(
            .wrongPassphrase, "this is not the passphrase",
            why: "it does not open what was sealed, or somebody changed that", advice: advice)
    }

    private static func damaged(_ path: String) -> UserError {
        UserError(
            .file, "\(path) is damaged", why: "the passphrase is right and does not open it",
            advice: "ls -l \(ShellWord.quoted(path))")
    }

    /// Runs `body` while no other command reads for a change, changes, locks or unlocks a file, and
    /// removes what a killed one left half written: it may be plain.
    private func holding<T>(_ body: () throws(UserError) -> T) throws(UserError) -> T {
        var locks: [Int32] = []
        defer { for lock in locks { close(lock) } }
        for file in files { locks.append(try file.hold(place)) }
        for file in files {
            try PrivateFile.remove(file.path(place) + PrivateFile.draft)
            try PrivateFile.remove(file.sealedPath(place) + PrivateFile.draft)
        }
        return try body()
    }

    private func form(_ path: String) throws(UserError) -> SealedForm {
        guard let bytes = try PrivateFile.read(path, limit: SealedForm.fileLimit) else {
            throw PrivateFile.failed("read", path)
        }
        do throws(FormFault) {
            return try SealedForm(bytes)
        } catch {
            throw UserError(
                .file, "\(path) is damaged", why: error.sentence,
                advice: "ls -l \(ShellWord.quoted(path))")
        }
    }

    private func key(_ passphrase: [UInt8], of form: SealedForm) throws(UserError) -> SealingKey {
        try key(passphrase, salt: form.salt, form.cost)
    }

    private func key(
        _ passphrase: [UInt8], salt: [UInt8], _ cost: SealingCost
    ) throws(UserError) -> SealingKey {
        guard let key = SealingKey(passphrase: passphrase, salt: salt, cost: cost) else {
            throw UserError(
                .failed, "the key of the passphrase cannot be made",
                why: "\(max(1, cost.memory >> 10)) MiB of memory are missing")
        }
        return key
    }
}
