// SPDX-License-Identifier: Apache-2.0
import Protocol
import Text
import Venues

/// What is told where words are no booking, with a line that is one.
extension BookingReader {
    /// The complaint about a slip; `text` are the words that it is about.
    func complaint(
        _ slip: BookingDraft.Slip, _ text: String, _ draft: BookingDraft
    ) -> UserError {
        let quoted = "\"\(visible(text, cells: 40))\""
        let (code, what, why) = words(slip, quoted, text)
        var places = draft.places
        if case .several(let meanings) = slip { places = meanings.flatMap(names.places) }
        return UserError(
            code, what, why: why,
            advice: line(
                places.isEmpty ? names.places : places, start: draft.wanted,
                minutes: draft.minutes))
    }

    private func words(
        _ slip: BookingDraft.Slip, _ quoted: String, _ text: String
    ) -> (ErrorCode, String, String?) {
        let venue = offered.venue
        switch slip {
        case .unknown: return (.usage, unknown(quoted), near(text))
        case .several(let meanings):
            return (.ambiguous, "\(quoted) is part of several names", list(meanings))
        case .notBooked(let place): return notBooked(place)
        case .tooManyPlaces:
            return (.tooLong, "that are too many places", "\(Self.most) are booked at once")
        case .count(let number):
            return (
                .usage, "x\(number) belongs to no place",
                "2 x before a name, or x2 behind it, is two of it; at most "
                    + "\(Limits.bookingCount.upperBound)"
            )
        case .missing(let needs): return (.usage, missing(needs), needed(needs))
        case .noSuchDay:
            return (.usage, "there is no such day in \(quoted)", "the calendar does not have it")
        case .weekday(let day):
            return (
                .usage, "\(DayText.words(day).drop { $0 != " " }.dropFirst()) is no such day",
                "it is a \(Weekday.allCases[day.weekday].name)"
            )
        case .order: return (.usage, "it ends before it begins, in \(quoted)", nil)
        case .noTime(let place):
            return (
                .usage, "\(visible(place.name, cells: 40)) is had by the day",
                "it is had for whole days: sat, 12 jun, 12-14 jun, 3 days"
            )
        case .twoLengths:
            return (
                .usage, "two lengths are said in \(quoted)", "from a time to another, or 2h behind"
            )
        case .tooLong:
            return (.usage, "nobody books \(visible(venue.name, cells: 40)) for so long", nil)
        case .noToday:
            return (.failed, "this computer's clock shows a year that nobody means", nil)
        }
    }

    private func unknown(_ quoted: String) -> String {
        "\(quoted) is no place of \(visible(offered.venue.name, cells: 40)), no day and no time"
    }

    /// The nearest name or word; else the places.
    private func near(_ text: String) -> String {
        let small = String(text.lowercased().prefix(40))
        if let near = Suggestions.nearest(to: small, among: names.all + DateWords.known) {
            return "the nearest is \(visible(near, cells: 40))"
        }
        return "there are " + names.list(offered.venue)
    }

    private func list(_ meanings: [BookingNames.Meaning]) -> String {
        let shown = meanings.prefix(6).map { meaning in
            switch meaning {
            case .place(let place), .notBooked(let place): "#\(place.id) \(place.name)"
            case .group(let group): group.name
            }
        }
        return shown.joined(separator: ", ") + (meanings.count > 6 ? " and more" : "")
    }

    private func notBooked(_ place: VenuePlace) -> (ErrorCode, String, String?) {
        let name = visible(place.name, cells: 40)
        let how =
            place.mode == .counted
            ? "whoever is there is counted: seatagent checkin \(ShellWord.quoted(place.name))"
            : "people note it for themselves"
        return (.noSuchPlace, "nobody books \(name)", how)
    }

    private func missing(_ needs: [BookingDraft.Need]) -> String {
        let words = needs.map { need in
            switch need {
            case .place: "the place"
            case .day: "the day"
            case .time: "the time"
            }
        }
        let list =
            words.count < 3
            ? words.joined(separator: " and ") : "\(words[0]), \(words[1]) and \(words[2])"
        return "\(list) \(words.count == 1 ? "is" : "are") missing"
    }

    private func needed(_ needs: [BookingDraft.Need]) -> String {
        needs.map { need in
            switch need {
            case .place: "there are " + names.list(offered.venue)
            case .day: "a day is sat, tomorrow, 5 dec or 2026-12-05"
            case .time: "a time is 18:00, or 18-20"
            }
        }.joined(separator: "; ")
    }
}
