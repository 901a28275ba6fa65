// SPDX-License-Identifier: Apache-2.0
package import ControlAPI
import Text

/// The words of the question whether to draw the cabin as others see it (docs/control.md:
/// `status`).
package struct CabinAskText {
    /// `cabin_asked` of the status, or the event.
    package let asked: LayoutQuestion

    /// The words; `nil` if nothing is asked.
    package init?(_ asked: LayoutQuestion?) {
        guard let asked else { return nil }
        self.asked = asked
    }

    /// The layout's name for commands.
    package var id: String { visible(asked.id, cells: 40) }

    /// What distinguishes it from others of that name.
    package var hash: String { asked.hash }

    /// The layout's name for people.
    package var name: String { visible(asked.name, cells: 60) }

    /// `bo and cy see the cabin as Ryanair 737-800, 189 seats (2 of the 3 who suggest a layout)`.
    package var fact: String {
        let names = asked.by.prefix(2).map { WhoText.short($0) }
        let others = asked.by.count - names.count
        let who =
            others > 0
            ? names.joined(separator: ", ") + " and \(others) more"
            : names.joined(separator: " and ")
        return "\(who) see the cabin as \(name) (\(asked.by.count) of the "
            + "\(asked.voices) who suggest a layout)"
    }

    /// The question before the cabin is drawn that way.
    package var sentence: String {
        let origin = asked.bundled ? "" : "It does not come with seatagent. "
        return "\(fact). \(origin)Draw it so here? y/n"
    }

    /// The question, and what to type.
    package func line(slash: Bool) -> String {
        let start = slash ? "/" : "seatagent "
        return
            "\(fact): \(start)cabin accept \(id) draws it so here, \(start)cabin decline \(id) "
            + "does not"
    }
}
