// SPDX-License-Identifier: Apache-2.0
import FuzzKit
@testable import DeskShell
@testable import Text
@testable import Venues

/// Rosters: what is read is kept as a file that reads as the same, everybody on it is found by
/// address and number, and nothing of it acts on a terminal.
///
/// Input: the text.
enum RosterTarget {
    private static let venue = VenueExample.courts.venue

    static func run(_ input: [UInt8]) -> Verdict {
        guard let venue else { broken("no such venue") }
        let roster: Roster
        do throws(FormFault) {
            roster = try Roster(csv: input, of: venue)
        } catch {
            hold(error.sentence.unicodeScalars.allSatisfy(\.isSafeToPrint), "a fault that acts")
            hold(error.sentence.utf8.count < 1000, "a long complaint")
            return .refused
        }
        hold(!roster.entries.isEmpty, "nobody is somebody")
        hold((try? Roster(csv: Array(roster.csv.utf8), of: venue)) == roster, "another when kept")
        for entry in roster.entries {
            hold(roster.entry(mail: entry.mail, number: entry.number) == entry, "nobody finds them")
            hold(roster.entry(mail: entry.mail, number: entry.number + "0") == nil, "any number")
            let one = venue.classes.first { $0.name == entry.memberClass }
            hold(one?.fits(mail: entry.mail, number: entry.number) == true, "no such class")
        }
        return .accepted
    }
}
