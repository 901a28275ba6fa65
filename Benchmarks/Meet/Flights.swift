// SPDX-License-Identifier: Apache-2.0
import Protocol
import System

/// All flights and their passengers, and what these do: open and close computers, and say things.
final class Flights {
    let world: World
    private(set) var passengers: [Passenger] = []
    private let size: Int
    private var random = SeededRandom(seed: 9)

    /// Entries in a log at the start: half of those that its author says in the flight's life.
    private static let entriesBefore = 6

    /// `count` flights of `size` passengers each, all with logs and none connected.
    init?(_ world: World, count: Int, size: Int) {
        self.world = world
        self.size = size
        for flight in 0..<count {
            let auth = world.primitives.sha256(Array("flight \(flight)".utf8))
            let keys = FlightKey(auth: auth, primitives: world.primitives)
            for place in 0..<size {
                let number = flight * size + place
                guard
                    let one = Passenger(world, number: number, flight: flight, keys)
                else { return nil }
                passengers.append(one)
                _ = one.say(.genesis(name: "passenger \(number)", agent: "meetload"))
                for _ in 1..<Self.entriesBefore { _ = say(by: one) }
                one.tellOwn()
            }
        }
    }

    /// Those of one flight.
    func aboard(_ flight: Int) -> ArraySlice<Passenger> {
        passengers[flight * size..<(flight + 1) * size]
    }

    /// Who is connected.
    var open: [Passenger] { passengers.filter(\.isOpen) }

    /// Somebody who is connected says something, and all others of their flight who are wait for
    /// it.
    func speak() {
        guard let one = passengers.filter(\.isAboard).randomElement(using: &random),
            let entry = say(by: one)
        else { return }
        let readers = aboard(one.flight).filter { $0.isAboard && $0 !== one }.map(\.number)
        world.await(entry, at: Set(readers))
        one.tellOwn()
    }

    /// One computer is closed, and another one of the same flight opened.
    func change() {
        guard let one = passengers.filter(\.isAboard).randomElement(using: &random),
            let other = aboard(one.flight).filter({ !$0.isOpen }).randomElement(using: &random)
        else { return }
        close(one)
        other.open()
    }

    /// Closes computers until so many of each flight are open.
    func close(downTo count: Int) {
        for number in 0..<passengers.count / size {
            for one in aboard(number).filter(\.isOpen).dropFirst(count) { close(one) }
        }
    }

    private func close(_ one: Passenger) {
        one.close()
        world.left(one.number)
    }

    /// What people say: two claims, a wish, a line.
    private func say(by one: Passenger) -> Entry? {
        let seat = Seat(row: Int.random(in: 1...40, using: &random), column: 1)
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
            guard let seat else { return nil }
            return one.say(.claim(seat: seat, dependant: true))
        case 2:
            guard let claim = one.claim, let seat else { return chat(one) }
            let wish = Wish(
                offered: [claim.id.token], ranks: [SeatSet(seat)],
                tag: ThreadID(random: &random), note: "a window, if anybody would rather not")
            return one.say(.wish(wish))
        default: return chat(one)
        }
    }

    private func chat(_ one: Passenger) -> Entry? {
        let text = "is anybody at a window who would rather sit at the aisle, near the front?"
        return one.say(
            .chat(ChatLine(text: text, replyTo: nil, time: world.utc, after: [])))
    }
}
