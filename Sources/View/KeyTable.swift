// SPDX-License-Identifier: Apache-2.0
package import Terminal

/// What a key does. Every key is once in ``KeyTable``, from which the help screen is made too.
package enum KeyAction: Hashable, Sendable {
    // Anywhere
    case help, oldestRequest, doctor, silence, toCabin, toPeople, toPlans, redraw, suspend,
        interrupt
    case nextUnread, conversation(Int), nextConversation, previousConversation
    case scrollUp, scrollDown, newest, lineUp, lineDown, top
    // The line
    case send, complete, completeBack, newLine, writeInEditor, prefix
    case earlier, later, left, right, home, end, wordLeft, wordRight
    case deleteLeft, deleteRight, killToEnd, killToStart, killWordLeft, killWordRight, yank, undo
    case back
    // The cabin
    case move(SeatStep), ask, message, who, verify, offer, openness, nextPassenger
    case previousPassenger, jump
    // The places of a venue
    case turnPlan
    // What is booked there
    case waitFor, swapFor, longer, shorter, askDay
    // A page
    case command, before, after, lookAgain
    // The box of requests
    case accept, decline, nextRequest
    /// Only in a debug build that was started for it.
    case trap
}

/// A step on the map, as the map lies on the screen.
package enum SeatStep: Hashable, Sendable {
    case up, down, left, right
}

/// One key in one place.
package struct KeyBinding: Hashable, Sendable {
    /// Where it works.
    package enum Place: String, CaseIterable, Hashable, Sendable {
        case anywhere = "Anywhere"
        case input = "The line"
        case cabin = "The cabin"
        case places = "The places of a venue"
        case request = "The box of requests"
        case page = "A page of text"
        case people = "The page of people"
        case plans = "Swaps that were found"
    }

    package let place: Place
    /// The keys, any of them.
    package let keys: [Key]
    package let action: KeyAction
    /// What the help calls the keys; empty for an alternative that needs no line of its own.
    package var shown = ""
    /// What they do.
    package var summary = ""
}

/// All keys. A key that a place does not have may be in ``KeyBinding/Place/anywhere``.
package enum KeyTable {
    /// The binding of a key; `nil` if it does nothing.
    package static func action(_ key: Key, in place: KeyBinding.Place) -> KeyAction? {
        let found = bindings.first { $0.place == place && $0.keys.contains(key) }
        return (found ?? bindings.first { $0.place == .anywhere && $0.keys.contains(key) })?.action
    }

    /// Whether Alt and that letter do something in any place.
    static func hasAlt(_ letter: Character) -> Bool {
        bindings.contains { $0.keys.contains(.alt(letter)) }
    }

    /// All bindings in the order of the help.
    package static let bindings: [KeyBinding] =
        anywhere + line + cabin + places + box + page + people
        + plans

    private static let anywhere: [KeyBinding] =
        [
            KeyBinding(
                place: .anywhere, keys: [.function(1)], action: .help, shown: "F1",
                summary: "this help"),
            KeyBinding(
                place: .anywhere, keys: [.function(2)], action: .toCabin, shown: "F2",
                summary: "the cabin; also Tab on an empty line"),
            KeyBinding(
                place: .anywhere, keys: [.function(3)], action: .toPlans, shown: "F3",
                summary: "find swaps to sit together"),
            KeyBinding(
                place: .anywhere, keys: [.function(4)], action: .toPeople, shown: "F4",
                summary: "people aboard: typing filters them"),
            KeyBinding(
                place: .anywhere, keys: [.function(5)], action: .oldestRequest, shown: "F5",
                summary: "the oldest request that waits for you"),
            KeyBinding(
                place: .anywhere, keys: [.function(6)], action: .doctor, shown: "F6",
                summary: "what is wrong with the network"),
            KeyBinding(
                place: .anywhere, keys: [.function(7)], action: .silence, shown: "F7",
                summary: "silence whoever asks too often"),
            KeyBinding(
                place: .anywhere, keys: [.alt("a")], action: .nextUnread, shown: "Alt-a",
                summary: "the next unread conversation"),
        ] + numbers + [
            KeyBinding(
                place: .anywhere, keys: [.control("n")], action: .nextConversation,
                shown: "Ctrl-N, Ctrl-P", summary: "the next, the previous conversation"),
            KeyBinding(place: .anywhere, keys: [.control("p")], action: .previousConversation),
            KeyBinding(
                place: .anywhere, keys: [.pageUp, .wheel(up: true)], action: .scrollUp,
                shown: "PgUp, PgDn", summary: "scroll"),
            KeyBinding(
                place: .anywhere, keys: [.pageDown, .wheel(up: false)], action: .scrollDown),
            KeyBinding(
                place: .anywhere, keys: [.control("l")], action: .redraw, shown: "Ctrl-L",
                summary: "redraw the screen"),
            KeyBinding(
                place: .anywhere, keys: [.control("z")], action: .suspend, shown: "Ctrl-Z",
                summary: "go to the shell; fg returns"),
            KeyBinding(
                place: .anywhere, keys: [.control("c")], action: .interrupt, shown: "Ctrl-C",
                summary: "clear the line; twice leaves"),
            KeyBinding(place: .anywhere, keys: [.function(12)], action: .trap),
        ]

    private static let numbers = (1...9).map { number in
        KeyBinding(
            place: .anywhere, keys: [.alt(Character("\(number)"))],
            action: .conversation(number - 1), shown: number == 1 ? "Alt-1 to Alt-9" : "",
            summary: "a conversation by its number")
    }

    private static func line(
        _ key: Key, _ action: KeyAction, _ shown: String = "", _ summary: String = ""
    ) -> KeyBinding {
        KeyBinding(place: .input, keys: [key], action: action, shown: shown, summary: summary)
    }

    private static let line: [KeyBinding] = [
        line(.enter, .send, "Enter", "send, or do the /command"),
        line(.tab, .complete, "Tab", "complete a command, a name, a seat"),
        line(.backTab, .completeBack),
        line(.altEnter, .newLine, "Alt-Enter", "a new line"),
        line(.control("x"), .prefix, "Ctrl-X Ctrl-E", "write it in your editor ($VISUAL, $EDITOR)"),
        line(.up, .earlier, "Up, Down", "what you sent before"),
        line(.down, .later),
        line(.control("a"), .home, "Ctrl-A, Ctrl-E", "start, end of the line"),
        line(.control("e"), .end),
        line(.home, .home),
        line(.end, .newest, "End", "the newest line; with a text, its end"),
        line(.control("b"), .left, "Ctrl-B, Ctrl-F", "a letter left, right"),
        line(.control("f"), .right),
        line(.left, .left),
        line(.right, .right),
        line(.alt("b"), .wordLeft, "Alt-B, Alt-F", "a word left, right"),
        line(.alt("f"), .wordRight),
        line(.control("k"), .killToEnd, "Ctrl-K, Ctrl-U", "delete to the end, to the start"),
        line(.control("u"), .killToStart),
        line(.control("w"), .killWordLeft, "Ctrl-W, Alt-D", "delete the word before, after"),
        line(.alt("d"), .killWordRight),
        line(.control("y"), .yank, "Ctrl-Y", "put back what was deleted"),
        line(.control("_"), .undo, "Ctrl-_", "undo"),
        line(.backspace, .deleteLeft),
        line(.delete, .deleteRight),
        line(.control("d"), .deleteRight),
        line(.escape, .back),
    ]

    private static func cabin(
        _ keys: [Key], _ action: KeyAction, _ shown: String = "", _ summary: String = ""
    ) -> KeyBinding {
        KeyBinding(place: .cabin, keys: keys, action: action, shown: shown, summary: summary)
    }

    private static let cabin: [KeyBinding] = [
        cabin([.left, .letter("h")], .move(.left), "arrows, hjkl", "move"),
        cabin([.down, .letter("j")], .move(.down)),
        cabin([.up, .letter("k")], .move(.up)),
        cabin([.right, .letter("l")], .move(.right)),
        cabin([.letter("/")], .jump, "/ or 1 2 A", "go to a seat by row and letter"),
        cabin([.enter], .ask, "Enter", "ask for that seat"),
        cabin([.letter("m")], .message, "m", "write to whoever sits there"),
        cabin([.letter("i")], .who, "i", "who that is"),
        cabin([.letter("v")], .verify, "v", "compare codes with that passenger"),
        cabin([.letter("o")], .offer, "o", "offer your seat, or take your offer back"),
        cabin([.letter("x")], .openness, "x", "let nobody ask you for a swap, or everybody again"),
        cabin([.letter("n")], .nextPassenger, "n, N", "the next, the previous passenger"),
        cabin([.letter("N")], .previousPassenger),
        cabin([.letter("?")], .help, "?", "help"),
        cabin([.escape, .tab, .function(2)], .back, "Esc", "back to the line"),
    ]

    private static func places(
        _ keys: [Key], _ action: KeyAction, _ shown: String = "", _ summary: String = ""
    ) -> KeyBinding {
        KeyBinding(place: .places, keys: keys, action: action, shown: shown, summary: summary)
    }

    private static let places: [KeyBinding] = [
        places([.left, .letter("h")], .move(.left), "arrows, hjkl", "move"),
        places([.down, .letter("j")], .move(.down)),
        places([.up, .letter("k")], .move(.up)),
        places([.right, .letter("l")], .move(.right)),
        places([.enter], .ask, "Enter", "check in or out; book that time, or cancel yours"),
        places([.letter("i")], .who, "i", "all about that place"),
        places([.letter("[")], .before, "[ ]", "bookings: the day before, the day after"),
        places([.letter("]")], .after),
        places([.letter("g")], .askDay, "g", "bookings: another day, as a date"),
        places([.letter("+")], .longer, "+ -", "bookings: longer, shorter"),
        places([.letter("-")], .shorter),
        places([.letter("w")], .waitFor, "w", "bookings: wait for what others have"),
        places([.letter("s")], .swapFor, "s", "bookings: ask for a swap with yours"),
        places([.letter("p")], .turnPlan, "p", "the plan or the list, where one fits"),
        places([.letter("n")], .nextPassenger, "n, N", "the next, the previous: people, or yours"),
        places([.letter("N")], .previousPassenger),
        places([.letter("/")], .command, "/", "back to the line, to type a command"),
        places([.letter("?")], .help, "?", "help"),
        places([.escape, .tab, .function(2)], .back, "Esc", "back to the line"),
    ]

    private static let box: [KeyBinding] = [
        KeyBinding(
            place: .request, keys: [.letter("a")], action: .accept, shown: "a",
            summary: "accept, after y/n"),
        KeyBinding(
            place: .request, keys: [.letter("d")], action: .decline, shown: "d",
            summary: "decline, after y/n"),
        KeyBinding(
            place: .request, keys: [.function(5), .letter("n"), .down], action: .nextRequest,
            shown: "n", summary: "the next one"),
        KeyBinding(
            place: .request, keys: [.letter("l"), .escape], action: .back, shown: "l, Esc",
            summary: "later"),
    ]

    private static let page: [KeyBinding] = [
        KeyBinding(
            place: .page, keys: [.up, .letter("k")], action: .lineUp, shown: "Up, Down",
            summary: "a line up, down"),
        KeyBinding(place: .page, keys: [.down, .letter("j")], action: .lineDown),
        KeyBinding(
            place: .page, keys: [.home], action: .top, shown: "Home, End",
            summary: "the beginning, the end"),
        KeyBinding(place: .page, keys: [.end], action: .newest),
        KeyBinding(
            place: .page, keys: [.letter("/")], action: .command, shown: "/",
            summary: "close it and type a command"),
        KeyBinding(
            place: .page, keys: [.escape, .enter, .letter("q"), .function(1)], action: .back,
            shown: "Esc", summary: "close it"),
    ]

    private static let people: [KeyBinding] = [
        KeyBinding(
            place: .people, keys: [.up], action: .lineUp, shown: "Up, Down",
            summary: "the one above, the one below"),
        KeyBinding(place: .people, keys: [.down], action: .lineDown),
        KeyBinding(place: .people, keys: [.home], action: .top),
        KeyBinding(place: .people, keys: [.end], action: .newest),
        KeyBinding(
            place: .people, keys: [.enter], action: .message, shown: "Enter",
            summary: "talk to that passenger"),
        KeyBinding(
            place: .people, keys: [.escape], action: .back, shown: "Esc", summary: "close it"),
    ]

    private static let plans: [KeyBinding] = [
        KeyBinding(
            place: .plans, keys: [.up], action: .lineUp, shown: "Up, Down",
            summary: "the one before, the next one"),
        KeyBinding(place: .plans, keys: [.down], action: .lineDown),
        KeyBinding(
            place: .plans, keys: [.enter], action: .ask, shown: "Enter",
            summary: "propose it, after y/n"),
        KeyBinding(
            place: .plans, keys: [.left], action: .before, shown: "Left, Right",
            summary: "the cabin before it, after it"),
        KeyBinding(place: .plans, keys: [.right], action: .after),
        KeyBinding(
            place: .plans, keys: [.letter("r")], action: .lookAgain, shown: "r",
            summary: "look again"),
        KeyBinding(place: .plans, keys: [.letter("/")], action: .command),
        KeyBinding(
            place: .plans, keys: [.escape], action: .back, shown: "Esc", summary: "close it"),
    ]
}

extension Key {
    /// The keys meant by Escape and a letter that arrived together: Alt and that letter if it does
    /// something, else two keys typed in quick succession.
    package static func afterEscape(_ letter: Character) -> [Key] {
        KeyTable.hasAlt(letter) ? [.alt(letter)] : [.escape, .letter(letter)]
    }
}
