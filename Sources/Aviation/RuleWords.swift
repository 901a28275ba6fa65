// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What people are told with an offer, and once a swap is final.
extension SeatRules {
    private static func tell(_ kind: RuleFinding.Kind, _ what: String) -> RuleFinding {
        RuleFinding(kind: kind, isBlock: false, what: what)
    }

    /// What somebody who moves between these seats should know.
    func told(from: Seat, to: Seat, person: Needs.Person) -> [RuleFinding] {
        let (old, new) = (cabin?.kind(of: from), cabin?.kind(of: to))
        var all: [RuleFinding] = []
        if person.has(.infant) {
            all.append(
                Self.tell(
                    .infant,
                    "Ask the crew whether there is an oxygen mask for the infant at \(to.text)."))
            if new?.bulkhead == true {
                all.append(
                    Self.tell(.wall, "\(to.text) is behind a wall: not all infants may be there."))
            }
        }
        if person.has(.paid) {
            all.append(
                Self.tell(
                    .paid,
                    "You give up \(from.text), which you paid for: there is no refund. Do not "
                        + "trade money through this program."))
        }
        let isBetter = new?.extraLegroom == true && old?.extraLegroom != true
        if isBetter || new?.exit == true && old?.exit != true {
            let kind = new?.exit == true ? "in an exit row" : "one with extra legroom"
            all.append(
                Self.tell(
                    .better,
                    "\(to.text) is \(kind): the crew has to agree, and may send you back."))
        }
        if from.row != to.row {
            all.append(
                Self.tell(
                    .row, "\(to.text) is in another row: before take-off ask the crew first."))
        }
        return all
    }

    /// The finding if nobody said what the cabin looks like.
    static let unknown = tell(
        .layout,
        "Exit rows and classes are not known here: nobody chose a layout (seatagent cabins).")

    /// What is true of every swap.
    static func always(_ give: [Seat]) -> [RuleFinding] {
        let seats = give.map(\.text).joined(separator: " and ")
        return [
            tell(
                .belongings,
                "Meal, special service and power socket stay with \(seats); take your bag along."),
            tell(
                .pass,
                "Your boarding pass still shows \(seats): board with it, sit down, then tell the "
                    + "crew."),
        ]
    }

    /// What people are told once all `count` of them said yes and the swap is final.
    package static func closing(_ count: Int) -> [RuleFinding] {
        [
            tell(
                .crew,
                "\(count == 2 ? "Both" : "All \(count)") of you said yes. Ask the crew before you "
                    + "move: their word is final. Not while the belt sign is on, and not during "
                    + "taxi, take-off and landing."),
            tell(.airline, "The airline's own system does not know of it."),
        ]
    }

    /// The finding for a negotiation that names a seat which has gone elsewhere.
    package static func stale(_ contract: Contract, _ fold: SeatFold) -> RuleFinding? {
        for leg in contract.legs {
            // What is not known here yet may still arrive.
            guard let token = fold.token(leg.token) else { continue }
            guard token.ended || token.holder != leg.from else { continue }
            return RuleFinding(
                kind: .stale, isBlock: true,
                what: "\(token.seat.text) has changed hands since this was asked",
                why: "it was given up, or went to somebody else", advice: "seatagent seats")
        }
        return nil
    }
}
