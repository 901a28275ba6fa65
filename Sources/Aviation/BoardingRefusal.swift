// SPDX-License-Identifier: Apache-2.0
import Text

/// Why a text is not a boarding pass: which field, where, and what is wrong with it.
///
/// Never quotes the text: if it is shifted, any field may contain a name.
struct BoardingRefusal: Error, Hashable, Sendable {
    /// The fields that are checked, in a passenger's words.
    enum Field: String, Sendable {
        case text = "the whole text"
        case format = "the format code"
        case count = "the number of flights"
        case leg = "the part"
        case from = "the airport of departure"
        case to = "the airport of arrival"
        case day = "the day of the year"
        case size = "the size of the optional part"
    }

    /// The field that is wrong.
    let field: Field
    /// Which flight of the pass it belongs to, from 1; `nil` before the first flight.
    var leg: Int?
    /// The position in the text, in characters from 0.
    var place: Range<Int>?
    /// What is wrong, as the end of a sentence.
    let reason: String

    /// The error for people and scripts.
    var error: UserError {
        var why = field.rawValue
        if let leg { why += " of flight \(leg)" }
        if let place, !place.isEmpty {
            // People count from 1.
            why +=
                place.count == 1
                ? " (character \(place.upperBound))"
                : " (characters \(place.lowerBound + 1) to \(place.upperBound))"
        }
        return UserError(
            .badPass, "this boarding pass cannot be read", why: "\(why) \(reason)",
            advice: "seatagent help board")
    }
}

/// What is odd about a pass that is still accepted.
package enum BoardingWarning: String, Hashable, Sendable {
    /// A scanner put `]Q3` or similar in front.
    case symbologyPrefix
    /// It ends inside the fields that every flight has.
    case truncatedMandatory
    /// It ends before the optional part that it announces.
    case shortVariableField
    /// A flight is not where the sizes before it say.
    case shiftedLeg
    /// A flight after the first cannot be read.
    case missingLeg
    /// Something follows the end.
    case trailing

    /// The same for people.
    package var sentence: String {
        switch self {
        case .symbologyPrefix: "a scanner put a mark in front of the text"
        case .truncatedMandatory: "the text ends early, as codes from before check-in do"
        case .shortVariableField: "the text is shorter than it says"
        case .shiftedLeg: "a flight is elsewhere in the text than the text says: check it"
        case .missingLeg: "it has more flights, which cannot be read"
        case .trailing: "more text follows the end of the pass"
        }
    }
}
