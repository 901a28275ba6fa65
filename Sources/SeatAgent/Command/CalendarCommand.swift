// SPDX-License-Identifier: Apache-2.0
import Bookings
import CivilTime
import Glibc
import Keys
import Parking
import Protocol
import System
import Text
import Trips
import Venues

/// `seatagent calendar`: writes trips of the passenger's list, what they booked in venues, and
/// parked cars whose time runs, as a calendar file.
enum CalendarCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        guard let primitives = SodiumPrimitives() else {
            throw UserError(.failed, "this machine gives no random numbers")
        }
        let out = call.line.value("out").flatMap { $0 == "-" ? nil : $0 }
        // Before the list notes that something was written.
        if let out { try check(out) }
        let words = call.operands.joined(separator: " ")
        let page = try Page(call, words, primitives)
        guard !page.entries.isEmpty else {
            throw UserError(
                .noSuchFlight, "there is nothing to write", why: "your list of flights is empty",
                advice: "seatagent flights")
        }
        let text = page.text
        if let out { try PassengerFile.write(Array(text.utf8), to: out) }
        let code = finish(page.written, page.cars, page.booked, text, out, call)
        if let hidden = page.hidden {
            call.hint("What you booked is left out: \(hidden.why ?? hidden.what)")
        }
        if let fault = page.fault {
            call.hint("Your parked cars are left out: \(fault.why ?? fault.what)")
        }
        return code
    }

    /// All that a calendar file has, noted as written in the user's lists.
    struct Page {
        fileprivate let written: [Written]
        fileprivate let cars: [Car]
        fileprivate let booked: [Booked]
        /// Why bookings, or cars, are left out.
        fileprivate let hidden: UserError?
        fileprivate let fault: UserError?

        /// The trips that `words` name; without words all, with bookings and parked cars.
        init(
            _ call: Invocation, _ words: String, _ primitives: SodiumPrimitives
        ) throws(UserError) {
            written = try TripBook.change(call.place) { (book) throws(UserError) -> [Written] in
                let trips = words.isEmpty ? book.trips : [try book.find(words)]
                return trips.map { trip in
                    let written = Written(trip, primitives)
                    var kept = trip
                    kept.calendar = written.mark
                    book.put(kept)
                    return written
                }
            }
            (cars, fault) = words.isEmpty ? CalendarCommand.cars(call, primitives) : ([], nil)
            (booked, hidden) =
                words.isEmpty ? CalendarCommand.bookings(call, primitives) : ([], nil)
        }

        fileprivate var entries: [CalendarFile.Entry] {
            written.map(\.entry) + cars.map(\.entry) + booked.map(\.entry)
        }

        /// Why something is left out; `nil` where all of it is there.
        var leftOut: UserError? { hidden ?? fault }

        /// The file.
        var text: String { CalendarFile.text(entries, stamp: SystemClock.utc()) }
    }

    /// A parked car whose time runs.
    fileprivate typealias Car = (number: Int, entry: CalendarFile.Entry)

    /// The cars whose time runs, the newest first; none of them keeps flights from being written.
    fileprivate static func cars(
        _ call: Invocation, _ primitives: SodiumPrimitives
    ) -> (cars: [Car], fault: UserError?) {
        let now = SystemClock.utc()
        do throws(UserError) {
            guard try ParkingBook.read(call.place).records.contains(where: { $0.ends > now })
            else { return ([], nil) }
            let cars = try ParkingBook.change(call.place) { (book) throws(UserError) -> [Car] in
                book.records.filter { $0.ends > now }.map { record in
                    var kept = record
                    let (entry, mark) = record.calendarEntry(
                        uid: hexadecimal(SodiumPrimitives.random(16))
                    ) { digest($0, primitives) }
                    kept.calendar = mark
                    book.put(kept)
                    return (record.number, entry)
                }
            }
            return (cars, nil)
        } catch {
            return ([], error)
        }
    }

    /// A booking that a calendar has to know of, also one that was cancelled since.
    fileprivate typealias Booked = (number: Int, entry: CalendarFile.Entry)

    /// What is booked and not over, and what was written before and has ended since, brought up to
    /// date with the agents that run. None of it keeps flights from being written.
    fileprivate static func bookings(
        _ call: Invocation, _ primitives: SodiumPrimitives
    ) -> (bookings: [Booked], fault: UserError?) {
        let now = SystemClock.utc()
        do throws(UserError) {
            guard try !BookingHistory.read(call.place).items.isEmpty else { return ([], nil) }
            _ = try BookingsCommand.synced(call)
            let venues = try KnownVenues.read(call.place).venues
            var found: [Booked] = []
            try BookingHistory.change(call.place) { list in
                for item in list.items where item.end > now {
                    let venue = venues.first { $0.slug == item.venue }?.signed?.venue
                    let uid = hexadecimal(SodiumPrimitives.random(16))
                    guard
                        let (entry, mark) = BookingCalendar(item, of: venue).entry(
                            uid: uid, digest: { digest($0, primitives) })
                    else { continue }
                    list.mark(item.number) { $0.calendar = mark }
                    found.append((item.number, entry))
                }
            }
            return (found, nil)
        } catch {
            return ([], error)
        }
    }

    private static func digest(_ text: String, _ primitives: SodiumPrimitives) -> String {
        hexadecimal(primitives.sha256(Array(text.utf8)).bytes.prefix(16))
    }

    /// The result for a trip.
    fileprivate struct Written {
        let trip: Trip
        let times: TripTimes
        let entry: CalendarFile.Entry
        let mark: Trip.CalendarMark

        init(_ trip: Trip, _ primitives: SodiumPrimitives) {
            self.trip = trip
            times = TripTimes(trip)
            let uid = hexadecimal(SodiumPrimitives.random(16))
            (entry, mark) = trip.calendarEntry(times, uid: uid) { digest($0, primitives) }
        }

        var json: JSON {
            [
                "flight": .string(trip.flight.text), "uid": .string(mark.uid),
                "sequence": .int(mark.sequence), "events": .int(entry.events.count),
                "opens": times.opens.map { .string(RFC3339.text($0)) } ?? .null,
            ]
        }

        /// What is missing, for people.
        var hint: String? {
            switch times.departure {
            case .known: nil
            case .unknown(.time):
                "\(trip.sentence): the time of departure is not known, so it takes the whole day."
            case .unknown(.airport(let code)):
                "\(trip.sentence): nobody here knows the time zone of \(code), "
                    + "so it takes the whole day."
            case .unknown(.zone(let zone)):
                "\(trip.sentence): this machine does not know the time zone \(zone), so it "
                    + "takes the whole day. Debian's package tzdata has it."
            }
        }
    }

    private static func finish(
        _ written: [Written], _ cars: [Car], _ booked: [Booked], _ text: String, _ out: String?,
        _ call: Invocation
    ) -> ExitCode {
        let members: [String: JSON] = [
            "flights": .array(written.map(\.json)),
            "cars": .array(cars.map { .int($0.number) }),
            "bookings": .array(booked.map { .int($0.number) }),
            "file": out.map(JSON.string) ?? .null,
            "calendar": out == nil ? .string(text) : .null,
        ]
        // The console adds the last line end.
        let lines = out == nil ? [String(decoding: text.utf8.dropLast(), as: UTF8.self)] : []
        let code = call.finish(.object(members), lines)
        for hint in written.compactMap(\.hint) { call.hint(hint) }
        if let out {
            let flights = written.count == 1 ? "1 flight" : "\(written.count) flights"
            let parked = cars.count == 1 ? "1 parked car" : "\(cars.count) parked cars"
            let places = booked.count == 1 ? "1 booking" : "\(booked.count) bookings"
            let parts = [
                written.isEmpty ? nil : flights, booked.isEmpty ? nil : places,
                cars.isEmpty ? nil : parked,
            ]
            let all = parts.compactMap(\.self).joined(separator: " and ")
            call.say("\(visible(out)) has \(all). Open it with your calendar.")
            call.hint("After a change, such as a swap: write it again, and open it again.")
        }
        return code
    }

    /// Throws if a file would be overwritten that this program did not write.
    static func check(_ path: String) throws(UserError) {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return }
        var why = "it is there and is not a file"
        if facts.st_mode & S_IFMT == S_IFREG {
            // No list is that long; a longer file is not read.
            let isSmall = facts.st_size <= 16 << 20
            let bytes = isSmall ? try PrivateFile.read(path) ?? [] : [0]
            if bytes.isEmpty || CalendarFile.isOurs(bytes) { return }
            why = "it is there and was not written by seatagent"
        }
        throw UserError(
            .file, "\(visible(path)) is not written over", why: why,
            advice: "seatagent calendar --out flights.ics")
    }
}
