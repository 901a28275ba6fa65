// SPDX-License-Identifier: Apache-2.0
package import ControlAPI
import Protocol
import Text

/// Who sits in their new seat after a swap, in words.
package enum SeatedText {
    /// `tom #k7q2 sits in 14C now; not moved yet: bo #c2d9, you`.
    package static func event(_ news: SeatedNews) -> String {
        let seats = news.seats.map(\.text).joined(separator: " and ")
        guard news.sits else {
            let verb = news.who.me ? "you do" : name(news.who) + " does"
            return "\(verb) not sit in \(seats) after all"
        }
        let verb = news.who.me ? "you sit" : name(news.who) + " sits"
        return "\(verb) in \(seats) now; "
            + (news.missing.isEmpty
                ? "everybody of swap \(news.number) sits"
                : "not moved yet: \(names(news.missing))")
    }

    /// The same as the answer to the user: a sentence.
    package static func answer(_ news: SeatedNews) -> String {
        let text = event(news)
        return text.prefix(1).uppercased() + text.dropFirst() + "."
    }

    /// What a receipt says; nothing before the swap is final.
    package static func lines(_ receipt: SwapReceipt) -> [String] {
        guard let seated = receipt.seated, let missing = receipt.missing else { return [] }
        if missing.isEmpty { return ["Everybody sits in their new seat."] }
        if seated.isEmpty { return ["Not moved yet: everybody."] }
        return ["Sits already: \(names(seated)).", "Not moved yet: \(names(missing))."]
    }

    private static func names(_ people: [Person]) -> String {
        people.map(name).joined(separator: ", ")
    }

    private static func name(_ who: Person) -> String { who.me ? "you" : WhoText.tagged(who) }
}
