// SPDX-License-Identifier: Apache-2.0
import Protocol

/// Row 3: one line to everybody in a cabin of 192, over the overlay; checked
/// and stored once by each.
enum ChatRow {
    static let passengers = 192
    /// Lines of one sample, and how long each may take until nobody speaks of it any more.
    private static let lines = 8
    private static let span = Hall.second / 2

    static func measure(folder: String, rounds: Int) {
        let cabin = Core.cabin(passengers)
        let place = Folder(folder)
        defer { place.remove() }
        let hall = Hall(cabin, in: place)
        let bare = cabin.authors.indices.map { index -> BareStore in
            guard let store = try? BareStore(path: place.file("bare-\(index).db")) else {
                fail("no store")
            }
            return store
        }
        // The links find their shape, and the first lines which of them are quick.
        _ = hall.run(for: 40 * Hall.second)
        for line in 0..<16 { say(line, hall) }
        Sample.print("chat.links", hall.links.mean, "links")
        Sample.print("chat.fewest", Double(hall.links.least), "links")
        let limit = Limit(bare)
        hall.onKept = limit.take
        for round in 0..<rounds { measure(round, hall, limit) }
    }

    /// Some lines one after the other, and as long without one: upkeep is not the lines'.
    private static func measure(_ round: Int, _ hall: Hall, _ limit: Limit) {
        var (said, quiet) = (Hall.Cost(), Hall.Cost())
        limit.begin()
        let verified = hall.tally.verified
        for line in 0..<lines {
            quiet += hall.run(for: span)
            said += say(16 + round * lines + line, hall)
        }
        let each = lines * (passengers - 1)
        guard limit.count == each else { fail("\(limit.count) lines were kept, not \(each)") }
        let times = Double(hall.tally.verified - verified) / Double(each)
        Sample.print("chat.verified", times, "times")
        Sample.print("chat.stored", Double(said.commits - lines) / Double(each), "times")
        Sample.print("chat.core", said.core - quiet.core, per: each, "us", 1e3)
        Sample.print("chat.store", said.disk, per: each, "us", 1e3)
        Sample.print("chat.quiet", quiet.core, per: each, "us", 1e3)
        Sample.print("chat.turns", Double(said.turns - quiet.turns) / Double(each), "turns")
        Sample.print("chat.verify", limit.verify, per: each, "us", 1e3)
        Sample.print("chat.commit", limit.commit, per: each, "us", 1e3)
    }

    /// One line and the time after it.
    @discardableResult
    private static func say(_ line: Int, _ hall: Hall) -> Hall.Cost {
        let author = line * 37 % passengers
        let before = hall.lengths(of: author)
        hall.say("line \(line): is anybody near the front who would rather sit behind?", by: author)
        let cost = hall.run(for: span)
        guard zip(before, hall.lengths(of: author)).allSatisfy({ $0 + 1 == $1 }) else {
            fail("not everybody has line \(line)")
        }
        return cost
    }

    /// One check by libsodium and one commit of one row by SQLite, for each receiver in a file of
    /// their own, right behind what their agent did: the same caches and the same disk.
    private final class Limit {
        private(set) var verify = Clock()
        private(set) var commit = Clock()
        private(set) var count = 0
        private let stores: [BareStore]

        init(_ stores: [BareStore]) {
            self.stores = stores
        }

        func begin() {
            (verify, commit, count) = (Clock(), Clock(), 0)
        }

        func take(_ agent: Int, _ entry: Entry) {
            let signed = SignedBytes(entry)
            let (check, isGood) = Clock.measure { signed.isSigned }
            guard isGood else { fail("a signature is wrong") }
            let (kept, isDone) = Clock.measure { (try? stores[agent].keep(entry.bytes)) != nil }
            guard isDone else { fail("disk refused") }
            verify += check
            commit += kept
            count += 1
        }
    }
}
