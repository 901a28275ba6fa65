// SPDX-License-Identifier: Apache-2.0
import Protocol
package import Text

/// The question whether the cabin shall be drawn as others see it, in words
/// (docs/control.md: `status`).
package struct CabinAskText {
    /// `cabin_asked` of the status, or the event.
    package let asked: JSON

    /// What is asked; `nil` for nothing.
    package init?(_ asked: JSON?) {
        guard let asked, asked["hash"] != nil else { return nil }
        self.asked = asked
    }

    /// The layout's name for commands.
    package var id: String { visible(asked["id"]?.text ?? "?", cells: 40) }

    /// What tells it from others of that name.
    package var hash: String { asked["hash"]?.text ?? "" }

    /// The layout's name for people.
    package var name: String { visible(asked["name"]?.text ?? "?", cells: 60) }

    /// Whether it is the one of that name that comes with seatagent.
    package var isBundled: Bool { asked["bundled"] == true }

    /// `bo and cy see the cabin as Ryanair 737-800, 189 seats (2 of the 3 who suggest a layout)`.
    package var fact: String {
        let by = asked["by"]?.list ?? []
        let names = by.prefix(2).map(WhoText.short)
        let others = by.count - names.count
        let who =
            others > 0
            ? names.joined(separator: ", ") + " and \(others) more"
            : names.joined(separator: " and ")
        return "\(who) see the cabin as \(name) (\(by.count) of the "
            + "\(asked["voices"]?.number ?? by.count) who suggest a layout)"
    }

    /// The question before it is drawn so.
    package var sentence: String {
        let origin = isBundled ? "" : "It does not come with seatagent. "
        return "\(fact). \(origin)Draw it so here? y/n"
    }

    /// What to type.
    package func line(slash: Bool) -> String {
        let start = slash ? "/" : "seatagent "
        return
            "\(fact): \(start)cabin accept \(id) draws it so here, \(start)cabin decline \(id) "
            + "does not"
    }
}
