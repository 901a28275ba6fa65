// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Profile
package import Protocol
import System
package import Text

extension ProfilePlace {
    /// The passenger's list of flights.
    var tripsPath: String { dataDirectory + "/trips.json" }
    /// Locked while the list is changed.
    var tripsLockPath: String { dataDirectory + "/trips.lock" }
}

/// The list of flights on disk: one file of the profile, mode 0600, replaced as one step.
extension TripBook {
    /// The layout of the file.
    static let version = 1
    /// Bytes: more than a full list has, and a limit for a file that is something else.
    static let fileLimit = 2 << 20
    /// How long a command waits for another one to finish its change.
    package static let patience = TimeSpan.seconds(5)

    /// The list as it is kept; an empty one where none is. Throws `file` for one that is damaged
    /// or that a newer program wrote.
    package static func read(_ place: ProfilePlace) throws(UserError) -> TripBook {
        guard let bytes = try PrivateFile.read(place.tripsPath) else { return TripBook() }
        return try TripBook(bytes, path: place.tripsPath)
    }

    /// Changes the list: reads it, lets `body` change it, writes it whole and durably. Nothing is
    /// written where `body` throws or changes nothing.
    ///
    /// Waits for another process that changes it, for at most `patience`; then throws `file`.
    @discardableResult
    package static func change<T>(
        _ place: ProfilePlace, patience: TimeSpan = patience, now: UTCTime = SystemClock.utc(),
        _ body: (inout TripBook) throws(UserError) -> T
    ) throws(UserError) -> T {
        try PrivateFile.makeDirectory(place.dataDirectory)
        let lock = try lock(place, patience)
        defer { close(lock) }
        let before = try read(place)
        var book = before
        book.tidy(at: now)
        let result = try body(&book)
        if book != before {
            let bytes = Array((book.json.line + "\n").utf8)
            try PrivateFile.write(bytes, to: place.tripsPath, durably: true)
        }
        return result
    }

    /// The list as it is at `now`, what is over in the history; kept so where that can be written.
    package static func current(
        _ place: ProfilePlace, now: UTCTime = SystemClock.utc()
    ) throws(UserError) -> TripBook {
        let kept = try read(place)
        var book = kept
        book.tidy(at: now)
        // Looking at a list must not fail because it cannot be changed.
        if book != kept { _ = try? change(place, patience: .zero, now: now) { _ in } }
        return book
    }

    private static func lock(
        _ place: ProfilePlace, _ patience: TimeSpan
    ) throws(UserError) -> Int32 {
        let path = place.tripsLockPath
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw UserError(
                .file, "your list of flights cannot be changed",
                why: "\(path): \(String(cString: strerror(errno)))")
        }
        let end = SystemClock.now() + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard SystemClock.now() < end else {
                close(descriptor)
                throw UserError(
                    .file, "your list of flights cannot be changed",
                    why: "another command is at it: \(path) is locked",
                    advice: "seatagent flights")
            }
            usleep(10_000)
        }
        return descriptor
    }
}

extension TripBook {
    /// As it stands in the file.
    var json: JSON {
        [
            "version": .int(Self.version), "trips": .array(trips.map(\.json)),
            "history": .array(history.map(\.json)),
        ]
    }

    /// Reads a file's bytes; `path` is for the error.
    init(_ bytes: [UInt8], path: String) throws(UserError) {
        func refusal(_ why: String) -> UserError {
            UserError(
                .file, "your list of flights cannot be read",
                why: "\(path): \(why); it is left as it is",
                advice: "mv \(ShellWord.quoted(path)) \(ShellWord.quoted(path + ".old"))")
        }
        guard bytes.count <= Self.fileLimit else { throw refusal("it is too large") }
        let json: JSON
        do throws(JSONError) {
            json = try JSON(line: bytes)
        } catch {
            throw refusal("at byte \(error.offset) \(error.reason)")
        }
        guard let version = json["version"]?.number else { throw refusal("it has no version") }
        guard version <= Self.version else {
            throw UserError(
                .file, "your list of flights was written by a newer seatagent",
                why: "\(path) has version \(version), this program knows \(Self.version)",
                advice: "seatagent --version")
        }
        guard let trips = json["trips"]?.list, let history = json["history"]?.list else {
            throw refusal("trips or history are missing")
        }
        // More than this program writes would be lost with its next change.
        guard trips.count <= Self.tripLimit, history.count <= Self.historyLimit else {
            throw refusal(
                "it has more than \(Self.tripLimit) flights or \(Self.historyLimit) events")
        }
        do throws(TripFault) {
            var known: [Trip] = []
            for json in trips {
                let trip = try Trip(json: json)
                guard !known.contains(where: { $0.flight == trip.flight }) else {
                    throw TripFault(why: "\(trip.flight.text) is there twice")
                }
                known.append(trip)
            }
            var items: [HistoryItem] = []
            for item in history { items.append(try HistoryItem(json: item)) }
            self.init(trips: known, history: items)
        } catch {
            throw refusal(error.why)
        }
    }
}
