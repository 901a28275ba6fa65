// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Protocol

/// What is offered, and for how much, at the bounds (docs/protocol.md section 33).
@Suite("The desk: what it offers") struct DeskOfferTests {
    private let midnight = 1440 * DeskHall.first

    private func refusal(
        _ place: DeskPolicy.Place, _ day: Int, _ hour: Int, _ minutes: Int,
        in ledger: Range<Int>? = nil
    ) throws -> DeskReason? {
        let period = try #require(DeskHall.period(day, hour, minutes))
        return place.refusal(of: period, in: ledger, try DeskHall.clock())
    }

    @Test("Spans that touch or overlap are one, in whatever order they come")
    func spans() {
        func hours(_ spans: [Range<Int>], isByDay: Bool = false) -> [Range<Int>] {
            DeskPolicy.Place(number: 1, grain: 1, hours: spans, isByDay: isByDay).hours
        }
        #expect(hours([30..<40, 12..<14, 8..<12, 13..<16]) == [8..<16, 30..<40])
        #expect(hours([8..<20, 9..<10, 20..<21]) == [8..<21])
        #expect(hours([8..<12, 13..<14]) == [8..<12, 13..<14])
        #expect(hours([5..<5]).isEmpty)
        // Days are told apart by where spans begin.
        #expect(hours([12..<14, 8..<12], isByDay: true) == [8..<12, 12..<14])
    }

    @Test("Of two places with one number the first stays, and others are found beside it")
    func places() {
        let policy = DeskPolicy(
            places: [(7, 60), (2, 30), (7, 10)].map {
                DeskPolicy.Place(number: $0.0, grain: $0.1, hours: [])
            })
        #expect(policy.places.map(\.number) == [2, 7] && policy.place(7)?.grain == 60)
        #expect(policy.place(2)?.grain == 30)
        for number in [1, 3, 8] { #expect(policy.place(number) == nil) }
    }

    @Test("By the day: a span that begins at midnight is of the day that begins")
    func byDay() throws {
        let place = DeskPolicy.Place(
            number: 5, grain: 1440, hours: [midnight + 1440..<midnight + 2000], isByDay: true)
        #expect(try refusal(place, 0, 0, 1440) == .hours)
        #expect(try refusal(place, 1, 0, 1440) == nil)
        #expect(try refusal(place, 2, 0, 1440) == .hours)
    }

    @Test("Nothing is offered before the first hours of all, or from one span into the next")
    func beforeTheFirst() throws {
        let place = DeskPolicy.Place(
            number: 1, grain: 60,
            hours: [midnight + 480..<midnight + 600, midnight + 660..<midnight + 720])
        #expect(try refusal(place, 0, 7, 60) == .hours)
        #expect(try refusal(place, 0, 8, 120) == nil)
        #expect(try refusal(place, 0, 9, 180) == .hours)
        #expect(try refusal(place, 0, 11, 60) == nil)
    }

    @Test("The longest part at a border is the longest period, whatever the step is")
    func longestPart() throws {
        let ledger = midnight..<midnight + 1440
        let place = DeskPolicy.Place(
            number: 1, grain: 60, most: 90, hours: [midnight - 1440..<midnight + 2880])
        #expect(try refusal(place, 0, 0, 90, in: ledger) == nil)
        #expect(try refusal(place, 0, 0, 91, in: ledger) == .length)
        #expect(try refusal(place, 0, 2, 90, in: ledger) == .length)
    }

    @Test("Nothing costs nothing, and what cannot be written costs the most that can")
    func prices() throws {
        var policy = try DeskHall.policy()
        policy.currency = "EUR"
        let day = try #require(DeskHall.period(0, 0, 1440))
        func due(_ price: DeskPolicy.Price, _ count: Int = 1) -> Int? {
            policy.prices = [price]
            return policy.due(of: day, count: count, class: 0)?.amount
        }
        #expect(due(.hour(0)) == nil && due(.day(0)) == nil && due(.day(1)) == 1)
        #expect(due(.day(Limits.money - 1)) == Limits.money - 1)
        #expect(due(.day(Limits.money + 1)) == Limits.money)
        // Four times this is nothing, in 64 bits.
        #expect(due(.day(1 << 62), 4) == Limits.money)
    }
}
