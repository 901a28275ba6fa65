// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Profile
import Protocol
import Text

/// Passengers as the control socket names them, and who is meant by a word.
struct PeopleBook {
    /// Everybody known.
    let passengers: [Passenger]
    private let namesakes: Set<String>
    /// Skeletons that the names of several active passengers share.
    private let lookAlikes: Set<NameSkeleton>
    /// Whose claims to a seat have the most evidence.
    private let foremost: (Seat) -> [PeerKey]
    /// Names and seats at the time of this book; `nil` for now.
    private var then: (PeerKey) -> Standing? = { _ in nil }
    /// Who is at the meeting point now.
    private var there: Set<PeerKey> = []

    /// A book of everybody whom a core knows, with the evidence for their seats.
    ///
    /// `there` are those who are at the meeting point now.
    init(_ node: any NodeReading, there: Set<PeerKey> = []) {
        let (fold, trust) = (node.fold, node.trust)
        self.init(node.passengers) { fold.foremost(on: $0, trust).map(\.holder) }
        self.there = there
    }

    /// A book of `passengers`, and of whose claims to a seat weigh most.
    init(_ passengers: [Passenger], foremost: @escaping (Seat) -> [PeerKey]) {
        self.passengers = passengers
        self.foremost = foremost
        var seen: Set<String> = []
        var twice: Set<String> = []
        for passenger in passengers where !seen.insert(Self.folded(passenger.name)).inserted {
            twice.insert(Self.folded(passenger.name))
        }
        namesakes = twice
        var looks: Set<NameSkeleton> = []
        var again: Set<NameSkeleton> = []
        for passenger in passengers where !passenger.hasLeft && Self.isOwn(passenger.name) {
            let look = NameSkeleton(passenger.name)
            if !looks.insert(look).inserted { again.insert(look) }
        }
        lookAlikes = again
    }

    /// Whether the name identifies somebody: the default name does not.
    private static func isOwn(_ name: String) -> Bool {
        !visible(name).allSatisfy(\.isWhitespace) && name != PassengerName.standard
    }

    /// Somebody else aboard whose name looks like `name`.
    func lookAlike(of name: String) -> Passenger? {
        guard Self.isOwn(name) else { return nil }
        let look = NameSkeleton(name)
        return passengers.first { other in
            !other.isMe && !other.hasLeft && Self.isOwn(other.name)
                && NameSkeleton(other.name) == look
        }
    }

    /// A verified passenger whose name is also used with another key, so that one could be taken
    /// for the other.
    func verifiedNamesake(of passenger: Passenger) -> Passenger? {
        guard !passenger.isMe, passenger.assurance != .verified, Self.isOwn(passenger.name) else {
            return nil
        }
        let look = NameSkeleton(passenger.name)
        return passengers.first {
            $0.assurance == .verified && $0.key != passenger.key && NameSkeleton($0.name) == look
        }
    }

    private func isConfusable(_ name: String) -> Bool {
        !lookAlikes.isEmpty && Self.isOwn(name) && lookAlikes.contains(NameSkeleton(name))
    }

    /// The name as people see it: hidden characters or another case make no other name.
    private static func folded(_ name: String) -> String { visible(name).lowercased() }

    /// The passenger with that key.
    subscript(key: PeerKey) -> Passenger? { passengers.first { $0.key == key } }

    /// Whether a passenger's seat rests on nothing but their own claim.
    func isClaimed(_ key: PeerKey) -> Bool {
        self[key].map { !$0.isMe && $0.assurance == .claimed } ?? true
    }

    // MARK: Objects

    /// The passenger with that key, as the socket names them.
    func person(_ key: PeerKey) -> Person { person(key, then: then(key)) }

    /// The same book with names and seats from an earlier time.
    func at(_ time: UTCTime, _ past: PastStandings) -> PeopleBook {
        var book = self
        book.then = { past.standing(of: $0, at: time) }
        return book
    }

    /// The same book with names and seats from when a request was made, if the request is over;
    /// otherwise with those of now.
    func of(
        _ facts: RequestFacts, _ fold: SeatFold, _ past: @autoclosure () -> PastStandings
    ) -> PeopleBook {
        guard facts.record.stage.isOver else { return self }
        let (past, moves) = (past(), facts.moves(fold))
        let (made, isDone) = (facts.record.created, facts.record.stage == .committed)
        var book = self
        book.then = { key in
            let given = moves.filter { $0.from == key }.map(\.seat)
            return past.standing(of: key, at: made, with: given)
                ?? (isDone ? self[key].map { $0.standing(before: moves) } : nil)
        }
        return book
    }

    private func current(_ key: PeerKey) -> Person {
        let passenger = self[key]
        let name = passenger?.name ?? ""
        return Person(
            key: key.hex, tag: key.shortTag, name: name, seats: passenger?.seats ?? [],
            evidence: passenger.flatMap { $0.isMe ? nil : Self.evidence($0.assurance) },
            host: passenger?.host.map(host), me: passenger?.isMe == true,
            away: passenger.map(isAway) ?? false,
            awaySince: passenger.flatMap(since), remote: passenger.map(isRemote) ?? false,
            ambiguous: namesakes.contains(Self.folded(name)),
            confusable: passenger?.hasLeft == false && isConfusable(name),
            alarming: AlarmingName.word(in: name) != nil,
            reserved: ReservedName.isReserved(name))
    }

    private func host(_ key: PeerKey) -> HostPerson {
        let passenger = self[key]
        let name = passenger?.name ?? ""
        return HostPerson(
            key: key.hex, tag: key.shortTag, name: name, me: passenger?.isMe == true,
            ambiguous: namesakes.contains(Self.folded(name)) || isConfusable(name)
                || ReservedName.isReserved(name) || AlarmingName.word(in: name) != nil)
    }

    /// The same with the name and the seats of an earlier time; a former name is shown with the
    /// tag.
    func person(_ key: PeerKey, then standing: Standing?) -> Person {
        var person = current(key)
        guard let standing else { return person }
        if let seats = standing.seats { person.seats = seats }
        guard !standing.name.isEmpty else { return person }
        person.name = standing.name
        guard standing.name != self[key]?.name else { return person }
        person.ambiguous = true
        if AlarmingName.word(in: standing.name) != nil { person.alarming = true }
        if ReservedName.isReserved(standing.name) { person.reserved = true }
        return person
    }

    private func since(_ passenger: Passenger) -> Stamp? {
        isAway(passenger) ? passenger.awaySince.map { Stamp($0) } : nil
    }

    /// Whether nothing but the meeting point leads to them, where they are now.
    func isRemote(_ passenger: Passenger) -> Bool {
        passenger.isAway && there.contains(passenger.key)
    }

    /// Whether nothing leads to them.
    func isAway(_ passenger: Passenger) -> Bool { passenger.isAway && !isRemote(passenger) }

    /// The evidence for a claim; `nil` for a mere claim.
    static func evidence(_ assurance: Assurance) -> Evidence? {
        switch assurance {
        case .claimed: nil
        case .vouched(let count): .vouched(count)
        case .party: .party
        case .verified: .verified
        }
    }

    /// `'#c2d9'` for a shell: as much of the tag as makes it unique.
    func naming(_ key: PeerKey) -> String { "'\(word(key))'" }

    /// The same without quotes, for an operation.
    func word(_ key: PeerKey) -> String {
        let isOnly = passengers.count { $0.key.shortTag == key.shortTag } < 2
        return isOnly ? key.shortTag : "#" + key.tag
    }

    /// `bo #c2d9 in 12A`, for the words of an error.
    func described(_ key: PeerKey) -> String {
        let seats = (then(key)?.seats ?? self[key]?.seats ?? []).map(\.text)
            .joined(separator: " and ")
        return tagged(key) + (seats.isEmpty ? "" : " in \(seats)")
    }

    /// `bo #c2d9`.
    func tagged(_ key: PeerKey) -> String {
        let past = then(key)?.name ?? ""
        let name = visible(past.isEmpty ? self[key]?.name ?? "" : past, cells: 24)
        return name.isEmpty ? key.shortTag : "\(name) \(key.shortTag)"
    }

    // MARK: Who is meant

    /// The passenger meant by a seat, a key tag, a whole key or a name.
    ///
    /// `line` makes a command from a word that names one passenger. Throws `no-such-passenger`,
    /// `empty-seat` or `ambiguous`.
    func find(_ word: String, line: (String) -> String) throws(UserError) -> Passenger {
        if let key = bytes(hexadecimal: word).flatMap({ PeerKey($0) }) {
            if let passenger = self[key] { return passenger }
            throw unknown("no passenger has that key")
        }
        if word.hasPrefix("#") {
            return try only(tagged(String(word.dropFirst())), line: line) {
                $0 == 0
                    ? "no passenger has the tag \(word)" : "several passengers have the tag \(word)"
            }
        }
        if let seat = Seat(word) {
            let holders = passengers.filter { $0.seats.contains(seat) }
            guard !holders.isEmpty else {
                throw UserError(
                    .emptySeat, "nobody is known in \(seat.text)", advice: "seatagent seats")
            }
            // A claim with less evidence is a remark on the seat and names nobody.
            let first = holders.count > 1 ? foremost(seat) : []
            let meant = holders.filter { first.contains($0.key) }
            let found = meant.isEmpty ? holders : meant
            // Another seat of one of them, or of the user, is not what was asked for.
            let advice = found.first { !$0.isMe }.map { line(naming($0.key)) }
            return try only(found, line: line, advice: advice) { _ in
                "several passengers claim \(seat.text)"
            }
        }
        let named = passengers.filter { Self.folded($0.name) == Self.folded(word) }
        if ReservedName.isReserved(word), let first = named.first(where: { !$0.isMe }) {
            throw UserError(
                .ambiguous, "\"\(visible(word, cells: 24))\" cannot be used as a name here",
                why: "\(described(first.key)) is called so, and others may be meant by it",
                advice: line(naming(first.key)))
        }
        // A tag without # needs no quotes in a shell.
        let found = named.isEmpty && word.utf8.count >= 4 ? tagged(word) : named
        return try only(found, line: line) { count in
            count == 0
                ? "no passenger is called \(word)"
                : "\(Self.number(count)) passengers are called \(word)"
        }
    }

    private func tagged(_ tag: String) -> [Passenger] {
        let wanted = tag.lowercased().filter { $0 != "-" }
        guard !wanted.isEmpty else { return [] }
        return passengers.filter { $0.key.tag.filter { $0 != "-" }.hasPrefix(wanted) }
    }

    private func only(
        _ found: [Passenger], line: (String) -> String, advice: String? = nil,
        what: (Int) -> String
    ) throws(UserError) -> Passenger {
        guard found.count != 1 else { return found[0] }
        // The verified passenger is most likely meant, so they come first, also in the advice.
        let found =
            found.filter { $0.assurance == .verified } + found.filter { $0.assurance != .verified }
        guard let first = found.first else { throw unknown(what(0)) }
        // A seat that only one passenger holds is the shortest word for them.
        let seat = first.seats.first { seat in
            passengers.count { $0.seats.contains(seat) } == 1
        }
        throw UserError(
            .ambiguous, what(found.count),
            why: found.prefix(8).map {
                described($0.key) + ($0.assurance == .verified ? " (verified)" : "")
            }.joined(separator: ", "),
            advice: advice ?? line(seat?.text ?? first.key.tag))
    }

    private func unknown(_ what: String) -> UserError {
        UserError(
            .noSuchPassenger, what, why: passengers.count < 2 ? "no one else is known yet" : nil,
            advice: "seatagent peers")
    }

    private static func number(_ count: Int) -> String {
        count == 2 ? "two" : count == 3 ? "three" : "\(count)"
    }
}
