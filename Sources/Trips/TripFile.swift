// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Profile
package import Protocol
import System
package import Text

extension ProfilePlace {
    /// The file of the passenger's list of flights.
    package var tripsPath: String { dataDirectory + "/trips.json" }
    /// The lock for changing the list.
    var tripsLockPath: String { dataDirectory + "/trips.lock" }
}

/// The list of flights on disk: one file of the profile, mode 0600, always replaced as a whole.
extension TripBook {
    /// The version of the file's format.
    static let version = 1
    /// Bytes: more than a full list needs, and a limit in case the file is something else.
    static let fileLimit = 2 << 20

    /// The stored list, or an empty one if there is none. Throws `file` if it is damaged or a newer
    /// program wrote it.
    package static func read(_ place: ProfilePlace) throws(UserError) -> TripBook {
        guard let bytes = try PrivateFile.read(place.tripsPath) else { return TripBook() }
        return try TripBook(bytes, path: place.tripsPath)
    }

    /// Changes the list: reads it, lets `body` change it, and writes it whole and durably. Writes
    /// nothing if `body` throws or changes nothing.
    ///
    /// Waits up to `patience` for another process that changes it; then throws `file`.
    @discardableResult
    package static func change<T>(
        _ place: ProfilePlace, patience: TimeSpan = ChangeLock.patience,
        now: UTCTime = SystemClock.utc(),
        _ body: (inout TripBook) throws(UserError) -> T
    ) throws(UserError) -> T {
        try PrivateFile.makeDirectory(place.dataDirectory)
        let lock = try ChangeLock.take(
            place.tripsLockPath, patience, of: "your list of flights", advice: "seatagent flights")
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

    /// The list at `now`, with past trips in the history; stored in that form if it can be written.
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
}

extension TripBook {
    /// The JSON of the file.
    var json: JSON {
        [
            "version": .int(Self.version), "trips": .array(trips.map(\.json)),
            "history": .array(history.map(\.json)),
        ]
    }

    /// Reads the bytes of a file; `path` is for the error.
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
        // Anything beyond what this program writes would be lost with its next change.
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
