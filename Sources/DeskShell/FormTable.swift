// SPDX-License-Identifier: Apache-2.0
import Bookings
import CivilTime
package import Protocol
package import Text
package import Venues

/// A form that waits for the people at the desk, as a row of a table.
package struct FormRow: Hashable, Sendable {
    /// Its number in the list that is shown.
    package let number: Int
    /// Who sent it.
    package let key: PeerKey
    /// When.
    package let at: UTCTime
    /// What they said; `nil` for a form that no program of this venue sends.
    package let request: JoinRequest?
    /// What the desk would do; `nil` for such a form.
    package let decision: JoinDecision?

    /// A row.
    package init(
        number: Int, key: PeerKey, at: UTCTime, request: JoinRequest?, decision: JoinDecision?
    ) {
        self.number = number
        self.key = key
        self.at = at
        self.request = request
        self.decision = decision
    }

    /// What the people at the desk do: `admits as student`, `look at the card: student`.
    package func words(_ venue: Venue) -> String {
        switch decision {
        case nil: "nobody can read it"
        case .admit(let number): "admits as \(venue.memberClass(number).name)"
        case .look(let number): "look at the card: \(venue.memberClass(number).name)"
        case .known(let number): "is member \(number), with another key"
        }
    }

    /// For scripts at the desk.
    package func json(_ venue: Venue) -> JSON {
        var known: Int?
        var memberClass: String?
        switch decision {
        case .admit(let number), .look(let number): memberClass = venue.memberClass(number).name
        case .known(let number): known = number
        case nil: break
        }
        return .object(present: [
            "form": .int(number), "key": .string(key.hex), "tag": .string(key.shortTag),
            "at": .string(RFC3339.text(at)), "name": request.map { .string($0.name) },
            "mail": request.map { .string($0.mail) }, "number": request?.card.map(JSON.string),
            "suite": request?.answers[.suite].map(JSON.string),
            "class": memberClass.map(JSON.string), "member": known.map(JSON.int),
            "does": .string(words(venue)),
        ])
    }
}

/// The forms that wait, in a table.
package enum FormTable {
    /// A head and a line for each; what people typed is cut and safe for a terminal.
    package static func lines(_ rows: [FormRow], of venue: Venue) -> [String] {
        guard !rows.isEmpty else { return ["No form waits."] }
        let cells =
            [["form", "key", "name", "mail", "number", "what"]]
            + rows.map { row in
                [
                    String(row.number), row.key.shortTag,
                    visible(row.request?.name ?? "", cells: 24),
                    visible(row.request?.mail ?? "", cells: 40),
                    visible(row.request?.card ?? "", cells: 16), visible(row.words(venue)),
                ]
            }
        let widths = cells[0].indices.map { column in
            cells.map { cellWidth($0[column]) }.max() ?? 0
        }
        return cells.map { row in
            var line = row.indices.map { padded(row[$0], to: widths[$0]) }
                .joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
