// SPDX-License-Identifier: Apache-2.0
import Text
package import Venues

/// What somebody is told who joins a venue.
package enum JoinText {
    /// `Welcome to Northwest Rec Center, member 217, student: 4 h and 1 booking a day`.
    package static func welcome(_ venue: Venue, member: Int, memberClass: Int?) -> String {
        let one = venue.memberClass(memberClass)
        let quota = one.quota.map { $0.words(in: venue) }.joined(separator: "; ")
        return "Welcome to \(visible(venue.name, cells: 60)), member \(member), "
            + visible(one.name, cells: 30) + (quota.isEmpty ? "" : ": \(quota)")
    }

    /// `Welcome back to Northwest Rec Center, member 217`.
    package static func welcomeBack(_ venue: Venue, member: Int) -> String {
        "Welcome back to \(visible(venue.name, cells: 60)), member \(member)"
    }

    /// What is said before a form is sent: who reads it, and how long.
    package static func consent(_ venue: Venue) -> String {
        "Your answers go to the desk of \(visible(venue.name, cells: 60)) alone, sealed; nobody "
            + "else's agent gets them."
    }
}
