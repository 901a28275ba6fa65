// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import Protocol
package import Text

/// The cars of those who visit a building: at the desk, and nowhere else.
extension MemberBook {
    /// Permits of one member that are kept: more than a suite has in a month.
    private static let mostCars = 100
    /// Days after which a permit is forgotten: a month, and thirty days behind it.
    private static let days: Int64 = 61

    /// Notes a car of whoever has that number in the ledger; what else is known of them stays.
    /// Somebody of whom nothing is known here is then known by `who`.
    package mutating func park(_ car: Car, of number: Int, who: String) {
        if member(number) == nil {
            guard member(who: who) == nil else { return }
            insert(
                Member(
                    number: number, who: who, name: "", mail: "", card: nil, suite: car.suite))
        }
        note(car, of: number)
    }

    /// Gives whoever `who` names a number, if they have none, and notes a car of theirs. Numbers up
    /// to `known` stand in ledgers. Throws `too-long` if there are no more numbers.
    @discardableResult
    package mutating func admit(
        _ car: Car, who: String, above known: Int = 0
    ) throws(UserError) -> Member {
        let number: Int
        if let member = member(who: who) {
            number = member.number
        } else {
            number = try append(above: known) { number in
                Member(number: number, who: who, name: "", mail: "", card: nil, suite: car.suite)
            }.number
        }
        note(car, of: number)
        guard let member = member(number) else { throw Self.unknown(number) }
        return member
    }

    private mutating func note(_ car: Car, of number: Int) {
        let oldest = car.since.seconds - Self.days * 86_400
        changeAll { member in
            member.cars.removeAll { $0.since.seconds < oldest }
            guard member.number == number else { return }
            member.cars.append(car)
            member.cars.removeFirst(max(member.cars.count - Self.mostCars, 0))
        }
    }

    /// The car for which a key of a member got something at a time: the one of its last permit
    /// before.
    package func car(of number: Int, key: String, at time: UTCTime) -> Car? {
        member(number)?.cars.last { $0.key == key && $0.since <= time }
    }

    /// Whose cars have that plate, each with its newest permit, by number.
    package func parked(_ plate: String) -> [(member: Member, car: Car)] {
        members.compactMap { member in
            member.cars.last { $0.plate == plate }.map { (member, $0) }
        }
    }
}

extension MemberBook {
    private static let carKeys = ["plate", "suite", "key", "since"]

    static func cars(_ form: FormReader) throws(FormFault) -> [Car] {
        var cars: [Car] = []
        for item in try form.objects("cars", carKeys, count: 0...mostCars) {
            guard let since = RFC3339.parse(try item.text("since", bytes: 40)) else {
                throw item.fault("since", "a date as 2026-11-21T10:02:00Z is wanted")
            }
            cars.append(
                Car(
                    plate: try item.text("plate", bytes: 8),
                    suite: try item.text("suite", bytes: 20),
                    key: try item.text("key", bytes: 64), since: since))
        }
        return cars
    }
}

extension MemberBook.Car {
    /// As it is stored, and as scripts at the desk read it.
    package var json: JSON {
        [
            "plate": .string(plate), "suite": .string(suite), "key": .string(key),
            "since": .string(RFC3339.text(since)),
        ]
    }
}
