// SPDX-License-Identifier: Apache-2.0
package import Profile
package import Protocol
package import Text
import Venues

/// The user's own bookings, which they keep beyond the volume of a venue; nobody else reads them. A
/// pure value; its file is one of the profile's sealable ones.
package struct BookingHistory: Hashable, Sendable {
    /// Newest first.
    package private(set) var items: [BookingItem] = []
    /// The number of the next one.
    package private(set) var next = 1

    /// More than anybody looks through.
    package static let limit = 500

    /// Nothing yet.
    package init() {}

    // MARK: Changing

    /// Notes a booking, or what is new of it. Returns its number.
    @discardableResult
    package mutating func note(_ news: BookingItem) -> Int {
        var item = news
        if let old = items.first(where: { $0.isSame(as: news) }) {
            item.number = old.number
            item.ask = news.ask ?? old.ask
            item.token = news.token ?? old.token
            item.calendar = news.calendar ?? old.calendar
        } else {
            item.number = next
            next += 1
        }
        // An ask and a token that were told of one after the other are one booking.
        items.removeAll { $0.isSame(as: item) }
        items.append(item)
        items.sort(by: Self.isNewer)
        if items.count > Self.limit { drop() }
        return item.number
    }

    /// The oldest that is over goes; if nothing is over, the oldest of all.
    private mutating func drop() {
        let last = items.lastIndex { !$0.state.isLive } ?? items.indices.last
        if let last { items.remove(at: last) }
    }

    /// Notes what was last written of one to a calendar file.
    package mutating func mark(_ number: Int, _ change: (inout BookingItem) -> Void) {
        guard let place = items.firstIndex(where: { $0.number == number }) else { return }
        change(&items[place])
    }

    private static func isNewer(_ left: BookingItem, _ right: BookingItem) -> Bool {
        left.since != right.since ? left.since > right.since : left.number > right.number
    }

    // MARK: Finding

    /// What may still be used at `now`, or come to be: newest first too.
    package func live(at now: UTCTime) -> [BookingItem] {
        items.filter { $0.state.isLive && now < $0.end }
    }

    /// The next booking that has not ended, of one venue or of all; `nil` for none.
    package func upcoming(at now: UTCTime, of venue: String? = nil) -> BookingItem? {
        items.filter { item in
            item.state == .booked && now < item.end && item.venue == venue ?? item.venue
        }.min { $0.begin < $1.begin }
    }

    /// The booking of a number or a code. Throws `no-such-booking` and `ambiguous`.
    package func find(_ word: String) throws(UserError) -> BookingItem {
        let list = BookingLines.bookings
        let number = DateWords.digits(word)
        if let number, let item = items.first(where: { $0.number == number }) { return item }
        let tokens = items.compactMap(\.token)
        do throws(UserError) {
            let token = try BookingCode.find(word, among: tokens, list: list)
            if let item = items.first(where: { $0.token == token }) { return item }
        } catch {
            guard number != nil, error.code == .noSuchBooking else { throw error }
        }
        let numbers = items.prefix(8).map { String($0.number) }.joined(separator: ", ")
        throw UserError(
            .noSuchBooking, "there is no booking \(visible(word, cells: 20))",
            why: items.isEmpty ? "your list is empty" : "there are \(numbers)", advice: list)
    }
}

extension BookingHistory: PrivateList {
    package static var file: SealableFile { .bookings }

    private static let version = 1
    private static let keys = ["version", "next", "bookings"]

    /// As it is stored.
    package var json: JSON {
        [
            "version": .int(Self.version), "next": .int(next),
            "bookings": .array(items.map(\.stored)),
        ]
    }

    /// Reads what was stored. Throws ``FormFault`` for the first fault.
    package init(json: JSON) throws(FormFault) {
        let form = try FormReader(json, Self.keys, whole: "the list")
        _ = try form.number("version", Self.version...Self.version)
        next = try form.number("next", 1...Int(Int32.max))
        let list = try FormReader.list(try form.needed("bookings"), "bookings")
        guard list.count <= Self.limit else {
            throw form.fault("bookings", "more than \(Self.limit) are not kept")
        }
        for (index, one) in list.enumerated() {
            let item = try BookingItem(one, at: "bookings[\(index)]")
            guard item.number < next,
                !items.contains(where: { $0.number == item.number || $0.isSame(as: item) })
            else {
                throw FormFault(
                    place: "bookings[\(index)]", why: "it is there twice, or not below next")
            }
            items.append(item)
        }
        items.sort(by: Self.isNewer)
    }
}
