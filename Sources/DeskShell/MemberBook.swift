// SPDX-License-Identifier: Apache-2.0
package import Bookings
import CivilTime
package import Protocol
package import Text

/// The people whom a desk has given a number, beyond one volume: what they said of themselves. No
/// ledger and no other agent has it. A pure value; ``MemberBook/read(_:)`` and
/// ``MemberBook/change(_:_:)`` store it.
package struct MemberBook: Hashable, Sendable {
    /// One of them.
    package struct Member: Hashable, Sendable {
        /// 1...65535; nobody else ever gets it.
        package let number: Int
        /// What makes them one person: their address in small letters, or the suite that they
        /// visit.
        package internal(set) var who: String
        /// What they are called; empty for somebody of whom the desk knows a suite alone.
        package var name: String
        /// Their address; empty for the same.
        package var mail: String
        /// The number on their card, if they have one.
        package var card: String?
        /// The suite that they visit, where the venue asks for it.
        package var suite: String?
        /// The cars for which they had a permit, the newest last.
        package internal(set) var cars: [Car] = []
    }

    /// A car that somebody parks.
    package struct Car: Hashable, Sendable {
        /// Its plate.
        package let plate: String
        /// The suite that it visits.
        package let suite: String
        /// The key that asked for it, in hexadecimal digits.
        package let key: String
        /// When its permit was asked for.
        package let since: UTCTime

        /// A car.
        package init(_ answers: PermitAnswers, key: String, since: UTCTime) {
            self.init(plate: answers.plate, suite: answers.suite, key: key, since: since)
        }

        init(plate: String, suite: String, key: String, since: UTCTime) {
            self.plate = plate
            self.suite = suite
            self.key = key
            self.since = since
        }
    }

    /// By number.
    package private(set) var members: [Member] = []
    /// The number of the next one.
    package private(set) var next = 1

    /// As many as there are numbers would take a file of 16 MiB.
    package static let limit = 30_000
    /// The highest number.
    private static let highest = 65_535

    /// Nobody yet.
    package init() {}

    /// The member with that number.
    package func member(_ number: Int) -> Member? {
        let place = members.partitionPoint { $0.number < number }
        return members.indices.contains(place) && members[place].number == number
            ? members[place] : nil
    }

    /// The member who is that person.
    package func member(who: String) -> Member? { members.first { $0.who == who } }

    /// The member with the number on a card, in either case.
    package func member(card: String) -> Member? {
        members.first { $0.card?.lowercased() == card.lowercased() }
    }

    // MARK: Changing

    /// Gives somebody a number, or notes what is new of who has one. Numbers up to `known` stand in
    /// ledgers, so that nobody else gets one of them. Throws `too-long` if there are no more.
    @discardableResult
    package mutating func admit(
        who: String, name: String, mail: String, card: String?, suite: String?, above known: Int = 0
    ) throws(UserError) -> Member {
        if let place = members.firstIndex(where: { $0.who == who }) {
            members[place].name = name
            members[place].mail = mail
            members[place].card = card ?? members[place].card
            members[place].suite = suite ?? members[place].suite
            return members[place]
        }
        return try append(above: known) { number in
            Member(number: number, who: who, name: name, mail: mail, card: card, suite: suite)
        }
    }

    /// Puts somebody behind all others, with the next number.
    mutating func append(
        above known: Int, _ make: (Int) -> Member
    ) throws(UserError) -> Member {
        let number = max(next, known + 1)
        guard members.count < Self.limit, number <= Self.highest else {
            throw UserError(
                .tooLong, "the desk has no more numbers for members",
                why: "it keeps \(Self.limit), and gives numbers up to \(Self.highest) once",
                advice: BookingLines.members)
        }
        let member = make(number)
        members.append(member)
        next = number + 1
        return member
    }

    /// Puts somebody at their number, which stands in a ledger and is nobody's here.
    mutating func insert(_ member: Member) {
        members.insert(member, at: members.partitionPoint { $0.number < member.number })
        next = max(next, member.number + 1)
    }

    /// Changes each of them.
    mutating func changeAll(_ body: (inout Member) -> Void) {
        for place in members.indices { body(&members[place]) }
    }

    /// Changes what somebody said of themselves: the desk alone may. Throws `no-such-record`.
    package mutating func change(
        _ number: Int, _ body: (inout Member) -> Void
    ) throws(UserError) {
        guard let place = members.firstIndex(where: { $0.number == number }) else {
            throw Self.unknown(number)
        }
        body(&members[place])
    }

    /// Notes another address of somebody; one by which the desk knows them names them from now on.
    /// Throws `no-such-record`, and `already-so` if somebody else is known by it.
    package mutating func move(_ number: Int, to mail: String) throws(UserError) {
        let new = mail.lowercased()
        if let other = member(who: new), other.number != number {
            throw UserError(
                .alreadySo, "member \(other.number) has that address",
                why: "it makes one person of a member", advice: BookingLines.members)
        }
        try change(number) { member in
            if member.who == member.mail.lowercased() { member.who = new }
            member.mail = mail
        }
    }

    /// Forgets what somebody said of themselves; their number stays theirs in the ledger. Throws
    /// `no-such-record`.
    package mutating func forget(_ number: Int) throws(UserError) {
        guard members.contains(where: { $0.number == number }) else { throw Self.unknown(number) }
        members.removeAll { $0.number == number }
    }

    static func unknown(_ number: Int) -> UserError {
        UserError(
            .noSuchRecord, "there is no member \(number)", advice: BookingLines.members)
    }
}

// MARK: The file

extension MemberBook {
    private static let version = 1
    private static let keys = ["version", "next", "members"]
    private static let memberKeys = ["number", "who", "name", "mail", "card", "suite", "cars"]

    /// As it is stored.
    package var json: JSON {
        [
            "version": .int(Self.version), "next": .int(next),
            "members": .array(members.map(\.json)),
        ]
    }

    /// Reads what was stored. Throws ``FormFault`` for the first fault.
    package init(json: JSON) throws(FormFault) {
        let form = try FormReader(json, Self.keys, whole: "the list")
        _ = try form.number("version", Self.version...Self.version)
        next = try form.number("next", 1...Self.highest + 1)
        var known: Set<String> = []
        for item in try form.objects("members", Self.memberKeys, count: 0...Self.limit) {
            let member = Member(
                number: try item.number("number", 1...Self.highest),
                who: try item.text("who", bytes: MailAddress.longest),
                name: try item.optionalText("name", bytes: 120) ?? "",
                mail: try item.optionalText("mail", bytes: MailAddress.longest) ?? "",
                card: try item.optionalText("card", bytes: 80),
                suite: try item.optionalText("suite", bytes: 20), cars: try Self.cars(item))
            guard member.number < next, members.last.map({ $0.number < member.number }) ?? true
            else {
                throw item.fault("number", "\(member.number) is out of order, or not below next")
            }
            guard known.insert(member.who).inserted else {
                throw item.fault("who", "somebody else is that person")
            }
            members.append(member)
        }
    }
}

extension MemberBook.Member {
    /// As it is stored, and as scripts at the desk read it.
    package var json: JSON {
        .object(present: [
            "number": .int(number), "who": .string(who),
            "name": name.isEmpty ? nil : .string(name), "mail": mail.isEmpty ? nil : .string(mail),
            "card": card.map(JSON.string), "suite": suite.map(JSON.string),
            "cars": cars.isEmpty ? nil : .array(cars.map(\.json)),
        ])
    }
}
