// SPDX-License-Identifier: Apache-2.0
package import Aviation
import CivilTime
import Protocol
import Text

/// How long before departure a flight's seats can be chosen, and the source for that.
package struct SeatOpening: Hashable, Sendable {
    /// The source.
    package enum Source: Hashable, Sendable {
        /// The passenger.
        case own
        /// What the program knows about the airline.
        case airline(Airline, CheckIn)
        /// No source: the program knows this airline by name only, or not at all.
        case standard(Airline?)
    }

    /// Exact seconds before the scheduled departure.
    package let lead: Int64
    /// The source.
    package let source: Source

    /// The opening for a flight of `carrier`; `own` is the passenger's own setting, in seconds.
    ///
    /// If an airline opens at different times, the earliest counts, because some passengers have
    /// seats then.
    package init(own: Int64?, carrier: String) {
        let airline = Airlines.named(carrier)
        if let own {
            (lead, source) = (own, .own)
        } else if let airline, let checkIn = airline.checkIn {
            (lead, source) = (Int64(checkIn.opens.upperBound) * 3600, .airline(airline, checkIn))
        } else {
            (lead, source) = (SelectionWindow.standardLead, .standard(airline))
        }
    }

    /// `24 h before departure: Ryanair, as of 2026-11, stated by help.ryanair.com`.
    package var words: String {
        switch source {
        case .own: "\(Self.span(lead)) before departure, as you set it"
        case .airline(let airline, let checkIn):
            "\(Self.span(checkIn)) before departure: \(airline.name), as of \(CheckIn.asOf), "
                + Self.trust(checkIn)
        case .standard(let airline):
            "\(Self.span(lead)) before departure, the default: nothing is known of "
                + (airline?.name ?? "this airline")
        }
    }

    /// For the control socket.
    package var facts: OpeningFacts {
        switch source {
        case .own: OpeningFacts(seconds: Int(lead), source: Word(.own), words: words)
        case .standard: OpeningFacts(seconds: Int(lead), source: Word(.standard), words: words)
        case .airline(let airline, let checkIn):
            OpeningFacts(
                seconds: Int(lead), source: Word(.airline), words: words, airline: airline.name,
                asOf: CheckIn.asOf, sure: Word(text: checkIn.sure.rawValue),
                from: checkIn.source.isEmpty ? nil : checkIn.source,
                note: checkIn.note.isEmpty ? nil : checkIn.note)
        }
    }

    private static func trust(_ checkIn: CheckIn) -> String {
        let from = checkIn.source.isEmpty ? "" : " by \(checkIn.source)"
        return switch checkIn.sure {
        case .stated: "stated" + from
        case .conflicting: "but sources disagree" + note(": ", checkIn)
        case .weak: "by one weak source" + note("; ", checkIn)
        case .general: "as most airlines of its country"
        }
    }

    private static func note(_ mark: String, _ checkIn: CheckIn) -> String {
        checkIn.note.isEmpty ? "" : mark + checkIn.note
    }

    private static func span(_ checkIn: CheckIn) -> String {
        let (latest, earliest) = (checkIn.opens.lowerBound, checkIn.opens.upperBound)
        let first = span(Int64(earliest) * 3600)
        return latest == earliest ? first : "\(first) to \(span(Int64(latest) * 3600))"
    }

    /// `24 h`, `7 d`, `90 min`, the way airlines say it.
    private static func span(_ seconds: Int64) -> String {
        if seconds > 72 * 3600, seconds % 86_400 == 0 { return "\(seconds / 86_400) d" }
        return seconds % 3600 == 0 ? "\(seconds / 3600) h" : SpanText.words(seconds)
    }
}
