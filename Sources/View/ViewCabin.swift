// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Protocol
package import Terminal
import Text
package import Wording

/// Moving around in the cabin, and acting on seats.
extension ViewState {
    /// Moves the focus to the cabin: to the last seat, or to the user's own.
    mutating func enterCabin() -> [ViewIntent] {
        guard ScreenLayout(self).map != .none else {
            let wants = venue == nil ? "The cabin wants" : "The places want"
            notice = "\(wants) a window of \(leastWindow)."
            return []
        }
        if focus == .cabin { return back() }
        page = nil
        boxed = nil
        focus = .cabin
        typedRow = ""
        if venue != nil { return enterPlaces() }
        if cursor.map({ !cabin.contains($0) }) ?? true {
            cursor = mySeats.first { cabin.contains($0) } ?? cabin.seats.first
            if let seat = mySeats.first, !cabin.contains(seat) {
                notice = "\(seat.text) is not in this layout: /cabins lists others."
            }
        }
        return []
    }

    private mutating func back() -> [ViewIntent] {
        focus = .input
        typedRow = ""
        return []
    }

    /// Moves the cursor one step on the screen; the direction in the cabin depends on how it is
    /// drawn.
    package mutating func move(_ step: SeatStep) {
        if venue != nil { return moveAmongPlaces(step) }
        guard let seat = cursor else { return }
        switch (ScreenLayout(self).map, step) {
        case (.none, _), (.places, _), (.courts, _): return
        case (.lying, .left), (.upright, .up): cursor = cabin.seat(seat, rowsOn: -1)
        case (.lying, .right), (.upright, .down): cursor = cabin.seat(seat, rowsOn: 1)
        case (.lying, .up), (.upright, .right): cursor = cabin.seat(seat, columnsOn: 1)
        case (.lying, .down), (.upright, .left): cursor = cabin.seat(seat, columnsOn: -1)
        }
    }

    /// Handles a seat that is typed on the map, digit by digit; `nil` for a key that means
    /// something else.
    mutating func typeSeat(_ key: Key) -> [ViewIntent]? {
        if venue != nil { return typePlace(key) }
        guard case .letter(let letter) = key else {
            typedRow = ""
            return nil
        }
        if letter == "/" {
            typedRow = ""
            notice = "Which seat? Its row and its letter."
            return []
        }
        if letter.isASCII, letter.isNumber {
            typedRow = String((typedRow + String(letter)).suffix(3))
            notice = "Row \(typedRow), which letter?"
            return []
        }
        guard !typedRow.isEmpty else { return nil }
        let text = typedRow + String(letter)
        typedRow = ""
        if let seat = Seat(text), cabin.contains(seat) {
            cursor = seat
        } else {
            notice =
                "\"\(visible(text, cells: 8))\" is not a seat here: \(cabin.extent)."
        }
        return []
    }

    /// Moves the cursor there; a second click on the same seat asks for it.
    package mutating func click(_ point: Grid.Point) -> [ViewIntent] {
        if venue != nil { return clickPlace(point) }
        let cabin = CabinPlane(layout: ScreenLayout(self)).plane { _ in ("", .plain) }
        guard let seat = cabin.key(at: point) else { return [] }
        if seat == cursor { return actOnSeat(.ask) }
        cursor = seat
        return []
    }

    /// Moves to the next or previous passenger, in the order of the seats.
    package mutating func step(_ by: Int) -> [ViewIntent] {
        if venue != nil { return stepAmongPlaces(by) }
        let taken = marks.filter { $0.value != .me }.map(\.key).filter(cabin.contains).sorted()
        guard !taken.isEmpty else {
            notice = "Nobody else has a seat here yet."
            return []
        }
        guard let seat = cursor else {
            cursor = taken[0]
            return []
        }
        cursor =
            by > 0
            ? taken.first { $0 > seat } ?? taken[0]
            : taken.last { $0 < seat } ?? taken[taken.count - 1]
        return []
    }

    // MARK: How it is drawn

    /// Puts the question whether to draw the cabin as others see it, and removes it if it is no
    /// longer asked.
    package mutating func askAboutCabin(_ asked: CabinAskText?) {
        guard asked?.hash != askedLayout else { return }
        askedLayout = asked?.hash
        following.removeAll { $0.layout != nil }
        if question?.layout != nil {
            question = nil
            _ = putFollowing()
        }
        guard let asked else { return }
        let answer = { (takes: Bool, words: String) -> ViewIntent in
            .ask(Op.AnswerCabin(hash: asked.hash, take: takes), .told(words))
        }
        putLater(
            Question(
                sentence: asked.sentence,
                intent: answer(
                    true, "It is drawn so for you alone. /cabin use standard takes that back."),
                otherwise: answer(
                    false,
                    "It is drawn as before."
                        + (asked.asked.bundled
                            ? " /cabin use \(asked.id) draws it so all the same." : "")
                ),
                layout: asked.hash))
    }

    // MARK: The seat under the cursor

    /// What a key does to the seat under the cursor, or to whoever sits there.
    mutating func actOnSeat(_ action: KeyAction) -> [ViewIntent] {
        if venue != nil { return actOnPlace(action) }
        guard let seat = cursor else { return [] }
        if action == .offer { return toggleOffer() }
        let holders = holders(seat)
        guard let holder = holders.first?.who else {
            notice = "Nobody is known in \(seat.text)."
            return []
        }
        if holders.count > 1 {
            notice = "\(seat.text) is claimed by two: verify one of them first."
            return action == .who ? run(["who", seat.text]) : []
        }
        if holder.me {
            notice = "That is you."
            return action == .who ? run(["who"]) : []
        }
        return act(action, on: holder, in: seat)
    }

    private mutating func act(
        _ action: KeyAction, on holder: Person, in seat: Seat
    ) -> [ViewIntent] {
        let key = holder.key
        switch action {
        case .ask:
            guard mySeats.count <= 1 else {
                let intents = back()
                editor.replace(with: "/swap \(seat.text) for ")
                notice = "Which of your seats do you give? Type it after the word for."
                return intents
            }
            return draftSwap(seat: seat.text, note: "")
        case .message:
            open(place(of: key, name: WhoText.short(holder)))
            return []
        case .who: return run(["who", key])
        case .verify:
            put(
                Question(
                    sentence: "Compare codes with \(WhoText.full(holder))? They are asked too. y/n",
                    intent: .ask(Op.Verify(who: key), .verify)))
            return []
        default: return []
        }
    }

    /// Lets nobody ask the user, or again whoever could before. It binds nobody and can be taken
    /// back with the same key, so there is no question.
    mutating func toggleAsks() -> [ViewIntent] {
        guard status?.asks == .known(.nothing) else {
            asksBefore = status?.asks?.known ?? .similar
            return [
                .ask(
                    Op.Wish(asks: Word(.nothing)),
                    .told("Nobody can ask you now: requests are met with silence. x ends that."))
            ]
        }
        return [.ask(Op.Wish(asks: Word(asksBefore)), .told("Others may ask you again."))]
    }

    private mutating func toggleOffer() -> [ViewIntent] {
        guard !mySeats.isEmpty else {
            notice = "You have no seat to offer."
            return []
        }
        let seats = mySeats.map { cabin.described($0.text) }.joined(separator: " and ")
        let intents =
            isOffering
            ? [
                ViewIntent.ask(Op.Withdraw(), .told("Your offer is taken back."))
            ] : offer([])
        guard let intent = intents.first else { return [] }
        put(
            Question(
                sentence: isOffering
                    ? "Take the offer of your \(seats) back? y/n"
                    : "Tell everyone that your \(seats) may be had for any seat? y/n",
                intent: intent))
        return []
    }
}
