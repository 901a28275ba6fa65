// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text

/// What is wrong with a swap, or should be known before a yes, for this passenger's own seats.
package struct RuleFinding: Hashable, Sendable {
    /// What a finding is about; scripts get the name.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        // What stops a swap
        case stale, standby, exit, child, helper
        case missing = "not-in-layout"
        case compartment, moved, several
        // What is only told
        case apart, infant, wall, paid, better, row, layout, belongings, pass, crew, airline
    }

    /// What it is about.
    package let kind: Kind
    /// Whether a yes is refused.
    package let isBlock: Bool
    /// What is wrong: a whole sentence for a warning, without a full stop for a block.
    package let what: String
    /// Why, for a block.
    package var why: String?
    /// A command line that may help.
    package var advice: String?

    /// A warning, or with `isBlock` a reason to refuse a yes.
    package init(
        kind: Kind, isBlock: Bool, what: String, why: String? = nil, advice: String? = nil
    ) {
        self.kind = kind
        self.isBlock = isBlock
        self.what = what
        self.why = why
        self.advice = advice
    }

    /// A block as an error.
    package var error: UserError {
        UserError(kind == .stale ? .changed : .againstRules, what, why: why, advice: advice)
    }

    /// The object in `warnings` of a request.
    package var json: JSON { ["code": .string(kind.rawValue), "what": .string(what)] }
}

/// The rules that need the cabin and what is said of the people in the own seats (exits, children,
/// helpers, money, the crew). Pure.
///
/// Each agent judges the seats that its own passengers would get, by facts that it tells nobody.
package struct SeatRules {
    /// What somebody beside an exit confirms about themselves.
    package static let exitWords =
        "16 or older, fit, without a belt extension, in charge of nobody else, able to speak "
        + "with the crew, and willing to help"

    /// The layout of the cabin; if it is `nil`, nothing is said about seats.
    package var cabin: CabinLayout?
    /// Whether the passenger chose the layout. A layout that others suggest only warns: somebody
    /// who suggests nonsense must not be able to stop everybody's swaps.
    package var isChosen = false
    /// What the passenger says of the people in their seats.
    package var needs = Needs()
    /// Seats held now, sorted.
    package var mine: [Seat] = []
    /// Seats that ``needs`` names and that are no longer own seats, sorted.
    package var lost: [Seat] = []

    /// Rules for the seats `mine` and the people in them; without a cabin, nothing is said about
    /// seats.
    package init(
        cabin: CabinLayout?, isChosen: Bool = false, needs: Needs = Needs(), mine: [Seat] = [],
        lost: [Seat] = []
    ) {
        self.cabin = cabin
        self.isChosen = isChosen
        self.needs = needs
        self.mine = mine
        self.lost = lost
    }

    /// Somebody in an own seat, before and after a swap.
    private struct Mover {
        let person: Needs.Person
        let from: Seat
        let to: Seat
        var moves: Bool { from != to }
    }

    /// Where the passenger of each seat goes: in the order of seats, if several move.
    package static func places(give: [Seat], take: [Seat]) -> [Seat: Seat] {
        Dictionary(zip(give.sorted(), take.sorted()).map { ($0, $1) }, uniquingKeysWith: { $1 })
    }

    /// The findings about giving the seats `give` for as many seats `take`; blocks first.
    package func findings(give: [Seat], take: [Seat]) -> [RuleFinding] {
        findings(Self.places(give: give, take: take))
    }

    /// The findings, if it is known which seat replaces which.
    package func findings(_ places: [Seat: Seat]) -> [RuleFinding] {
        let movers = Set(mine + places.keys).sorted().map { seat in
            Mover(
                person: needs.person(in: seat, of: mine), from: seat, to: places[seat] ?? seat)
        }
        var all = places.isEmpty ? [] : [moved].compactMap(\.self)
        for mover in movers where mover.moves {
            all += [standby(mover), missing(mover), compartment(mover), exit(mover, movers)]
                .compactMap(\.self)
        }
        all += movers.compactMap { together($0, movers, places) }
        for mover in movers where mover.moves {
            all += told(from: mover.from, to: mover.to, person: mover.person)
        }
        if cabin == nil, movers.contains(where: \.moves) { all.append(Self.unknown) }
        all += Self.always(places.keys.sorted())
        return all.filter(\.isBlock) + all.filter { !$0.isBlock }
    }

    // MARK: What stops a swap

    /// A warning about facts of somebody who sits elsewhere by now: it may be a child.
    private var moved: RuleFinding? {
        guard let seat = lost.first else { return nil }
        let isMember = needs.people.contains { $0.seat == seat }
        let other = needs.people.first { $0.with == seat }?.seat ?? seat
        return RuleFinding(
            kind: .moved, isBlock: true,
            what: isMember
                ? "you said something of the passenger in \(seat.text), which is no longer yours"
                : "nobody is known any more in \(seat.text), beside \(other.text)",
            why: "say it of the new seat, and take it back from \(other.text)",
            advice: "seatagent needs \(other.text) --remove")
    }

    private func standby(_ mover: Mover) -> RuleFinding? {
        guard mover.person.has(.standby) else { return nil }
        return RuleFinding(
            kind: .standby, isBlock: true,
            what: "\(mover.from.text) is not sure to be yours",
            why: "you said that you are on standby or not checked in",
            advice: "seatagent needs \(mover.from.text) standby --remove")
    }

    private func missing(_ mover: Mover) -> RuleFinding? {
        guard let cabin, !cabin.contains(mover.to) else { return nil }
        guard isChosen else {
            return RuleFinding(
                kind: .missing, isBlock: false,
                what: "\(mover.to.text) is not in the layout that others suggest.")
        }
        return RuleFinding(
            kind: .missing, isBlock: true,
            what: "\(mover.to.text) is not in the layout that you chose",
            why: "in \(visible(cabin.id)) \(cabin.extent)", advice: "seatagent cabins")
    }

    private func compartment(_ mover: Mover) -> RuleFinding? {
        guard let cabin, let old = cabin.kind(of: mover.from).compartment,
            let new = cabin.kind(of: mover.to).compartment, old != new
        else { return nil }
        let what = "\(mover.from.text) is in \(old.words), \(mover.to.text) in \(new.words)"
        guard isChosen else {
            return RuleFinding(
                kind: .compartment, isBlock: false,
                what: "\(what), by what others suggest: the crew may send you back.")
        }
        return RuleFinding(
            kind: .compartment, isBlock: true, what: what,
            why: "passengers of different classes cannot swap seats", advice: "seatagent seats")
    }

    private func exit(_ mover: Mover, _ movers: [Mover]) -> RuleFinding? {
        guard let cabin, cabin.kind(of: mover.to).exit else { return nil }
        let person = mover.person
        var why: String?
        if person.has(.child) { why = "whoever sits in \(mover.from.text) is under twelve" }
        if person.has(.helped) { why = "whoever sits in \(mover.from.text) needs help" }
        if person.has(.infant) { why = "whoever sits in \(mover.from.text) has an infant" }
        let charges = movers.filter { charge in
            charge.person.isCaredFor && charge.from != mover.from
                && (charge.person.with.map { $0 == mover.from }
                    ?? beside(charge.from, mover.from))
        }
        if let charge = charges.first {
            why = "whoever sits in \(mover.from.text) looks after \(charge.from.text)"
        }
        guard why != nil || !person.has(.exit) else { return nil }
        guard isChosen else {
            return RuleFinding(
                kind: .exit, isBlock: false,
                what: "\(mover.to.text) is in an exit row, by what others suggest: who "
                    + "sits there is \(Self.exitWords).")
        }
        if let why {
            return RuleFinding(
                kind: .exit, isBlock: true, what: "\(mover.to.text) is in an exit row",
                why: "\(why), which is not allowed there", advice: "seatagent needs")
        }
        return RuleFinding(
            kind: .exit, isBlock: true,
            what: "\(mover.to.text) is in an exit row, and you did not say that you may sit there",
            why: "who sits there is \(Self.exitWords)",
            advice: "seatagent needs \(mover.from.text) exit")
    }

    /// Whether a child, or somebody who needs help, stays beside whoever looks after them.
    private func together(
        _ mover: Mover, _ movers: [Mover], _ places: [Seat: Seat]
    ) -> RuleFinding? {
        guard mover.person.isCaredFor else { return nil }
        var carers = movers.filter { other in
            other.from != mover.from
                && (mover.person.with.map { $0 == other.from } ?? !other.person.isCaredFor)
        }
        if carers.isEmpty, let with = mover.person.with, with != mover.from {
            // Another passenger, who stays or changes seats with one of the own.
            let to = places.keys.sorted().first { places[$0] == with } ?? with
            carers = [Mover(person: Needs.Person(seat: with, facts: []), from: with, to: to)]
        }
        guard mover.moves || carers.contains(where: \.moves) else { return nil }
        let isBeside = carers.contains { beside(mover.to, $0.to) }
        guard !isBeside else { return nil }
        let isChild = mover.person.has(.child)
        guard !carers.isEmpty else { return alone(mover) }
        guard carers.contains(where: { beside(mover.from, $0.from) }) else {
            return RuleFinding(
                kind: .apart, isBlock: false,
                what: isChild
                    ? "Nobody of yours sits beside the child of \(mover.from.text) yet."
                    : "Nobody of yours sits beside \(mover.from.text) to help yet.")
        }
        return RuleFinding(
            kind: isChild ? .child : .helper, isBlock: true,
            what: isChild
                ? "nobody of yours would sit beside the child of \(mover.from.text) any more"
                : "nobody of yours would sit beside \(mover.from.text) to help any more",
            why: isChild
                ? "a child under twelve sits in one row with an adult of yours, no aisle between"
                : "a passenger who needs help and their helper sit together",
            advice: "seatagent needs")
    }

    /// A warning about a person who needs care, if it is unknown whose.
    private func alone(_ mover: Mover) -> RuleFinding {
        let isChild = mover.person.has(.child)
        guard isChild, mover.from.row != mover.to.row else {
            return RuleFinding(
                kind: .apart, isBlock: false,
                what: "It is not known who has to sit beside "
                    + (isChild ? "the child of " : "") + "\(mover.from.text).")
        }
        return RuleFinding(
            kind: .child, isBlock: true,
            what: "it is not known who sits beside the child of \(mover.from.text)",
            why: "a child under twelve sits in one row with an adult of yours, no aisle between",
            advice: "seatagent help needs")
    }

    /// Whether two seats are in one row without an aisle between them. Uses the layout that the
    /// passenger chose, or else the standard cabin, whose aisle is where most have one; beyond
    /// that, at most two letters apart.
    private func beside(_ one: Seat, _ other: Seat) -> Bool {
        let known = isChosen ? cabin ?? .standard : .standard
        if known.contains(one), known.contains(other) {
            return known.neighbours(of: one).contains(other)
        }
        return one.row == other.row && abs(Int(one.column) - Int(other.column)) <= 2
    }
}
