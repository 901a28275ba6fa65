import Protocol

/// Row 3: one line to everybody in a cabin of 192, over the overlay; checked and stored once by each.
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
        for line in 0..<16 { _ = say(line, hall) }
        Sample.print("chat.links", hall.links.mean, "links")
        Sample.print("chat.fewest", Double(hall.links.least), "links")
        for round in 0..<rounds { measure(round, hall, bare) }
    }

    /// Some lines one after the other, and as long without one: upkeep is not the lines'.
    private static func measure(_ round: Int, _ hall: Hall, _ bare: [BareStore]) {
        var (said, quiet) = (Hall.Cost(), Hall.Cost())
        var (verify, commit) = (Clock(), Clock())
        let verified = hall.tally.verified
        for line in 0..<lines {
            quiet += hall.run(for: span)
            let (author, cost) = say(16 + round * lines + line, hall)
            said += cost
            guard let entry = hall.last(of: author) else { fail("nobody has the line") }
            let limit = limits(entry, bare)
            verify += limit.verify
            commit += limit.commit
        }
        let each = lines * (passengers - 1)
        let times = Double(hall.tally.verified - verified) / Double(each)
        Sample.print("chat.verified", times, "times")
        Sample.print("chat.stored", Double(said.commits - lines) / Double(each), "times")
        Sample.print("chat.core", said.core - quiet.core, per: each, "us", 1e3)
        Sample.print("chat.store", said.disk, per: each, "us", 1e3)
        Sample.print("chat.quiet", quiet.core, per: each, "us", 1e3)
        Sample.print("chat.turns", Double(said.turns - quiet.turns) / Double(each), "turns")
        Sample.print("chat.verify", verify, per: each, "us", 1e3)
        Sample.print("chat.commit", commit, per: each, "us", 1e3)
    }

    /// One line and the time after it.
    private static func say(_ line: Int, _ hall: Hall) -> (author: Int, cost: Hall.Cost) {
        let author = line * 37 % passengers
        let before = hall.lengths(of: author)
        hall.say("line \(line): is anybody near the front who would rather sit behind?", by: author)
        let cost = hall.run(for: span)
        guard zip(before, hall.lengths(of: author)).allSatisfy({ $0 + 1 == $1 }) else {
            fail("not everybody has line \(line)")
        }
        return (author, cost)
    }

    /// One check by libsodium, one commit of one row by SQLite; each in as many files as there are agents.
    private static func limits(
        _ entry: Entry, _ stores: [BareStore]
    ) -> (verify: Clock, commit: Clock) {
        let signed = SignedBytes(entry)
        let (verify, good) = Clock.measure {
            (1..<passengers).count { _ in signed.isSigned }
        }
        guard good == passengers - 1 else { fail("a signature is wrong") }
        let (commit, _) = Clock.measure {
            for store in stores.dropFirst() {
                guard (try? store.keep(entry.bytes)) != nil else { fail("disk refused") }
            }
        }
        return (verify, commit)
    }
}
