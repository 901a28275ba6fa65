// SPDX-License-Identifier: Apache-2.0
import CNCurses
import Glibc
import Protocol
import System

/// The terminal: paints grids and reads keys. The only file that uses ncurses.
///
/// Belongs to the thread of the view's loop. ``close()`` gives the terminal back.
package final class Terminal {
    /// How many colours it can show.
    let depth: ColourDepth
    /// Which keys are meant when Escape and a letter arrive together.
    private let escaped: (Character) -> [Key]
    private var screen: OpaquePointer?
    private var painted: Grid?
    private var isPasting = false
    private var pasted: [Unicode.Scalar] = []
    private var pastedAt = Instant(nanoseconds: 0)
    private var pairs: [Style: Int16] = [:]
    /// What was read after Escape and is a separate key.
    private var held: Code?
    private var isMouseOn = false
    private var isHere = true

    /// Codes above those of ncurses.
    private static let (pasteStart, pasteEnd): (Int32, Int32) = (2000, 2001)
    private static let (focusIn, focusOut): (Int32, Int32) = (2002, 2003)
    /// A longer paste is cut here; the line accepts less.
    private static let pasteLimit = 64 * 1024

    /// Whether a screen is possible: terminals on both sides. Does not ask ncurses.
    package static func isThere(environment: [String: String]) -> Bool {
        isatty(0) == 1 && isatty(1) == 1 && !environment["TERM", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }

    /// Whether a full screen can be drawn: a terminal whose cursor moves.
    package static func isCapable(environment: [String: String]) -> Bool {
        isThere(environment: environment) && nc_can_move() != 0
    }

    /// The ncurses library, with its version at run time.
    package static var library: String { String(cString: curses_version()) }

    /// ncurses does not know what `TERM` names.
    package struct Unknown: Error {}

    /// Takes the terminal over.
    ///
    /// `escaped` says which keys are meant when Escape and a letter arrive together: Alt and that
    /// letter, or two keys.
    package init(colour: Bool, escaped: @escaping (Character) -> [Key]) throws(Unknown) {
        self.escaped = escaped
        setlocale(LC_ALL, "")
        // Output is UTF-8 in every language.
        if String(cString: nl_langinfo(Int32(CODESET))) != "UTF-8" {
            setlocale(LC_CTYPE, "C.UTF-8")
        }
        guard let opened = nc_open() else { throw Unknown() }
        screen = opened
        raw()
        noecho()
        nonl()
        keypad(nc_screen(), true)
        meta(nc_screen(), true)
        nodelay(nc_screen(), true)
        set_escdelay(25)
        mouseinterval(0)
        define_key("\u{1B}[200~", Self.pasteStart)
        define_key("\u{1B}[201~", Self.pasteEnd)
        define_key("\u{1B}[I", Self.focusIn)
        define_key("\u{1B}[O", Self.focusOut)
        depth = Self.startColours(colour)
        makePairs()
        CrashReset.arm(Self.farewell)
        enter()
    }

    deinit { close() }

    private static func startColours(_ wanted: Bool) -> ColourDepth {
        guard wanted, has_colors(), start_color() == OK else { return .none }
        use_default_colors()
        let count = nc_colours()
        return count >= 256 ? .many : count >= 8 ? .eight : .none
    }

    private func makePairs() {
        var next: Int16 = 1
        for style in Style.allCases {
            guard let pair = Palette.pair(style, depth) else { continue }
            init_pair(next, pair.text, pair.background)
            pairs[style] = next
            next += 1
        }
    }

    // MARK: Coming and going

    /// Saves the title; turns on bracketed paste and focus reports.
    private func enter() { send("\u{1B}[22;0t\u{1B}[?2004h\u{1B}[?1004h") }

    /// Turns off all modes except those of ncurses.
    private static let modesOff =
        "\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1006l\u{1B}[?2004l\u{1B}[?1004l\u{1B}[23;0t"

    /// What restores the terminal if the program ends without warning.
    private static var farewell: [UInt8] {
        let words = ["rmkx", "sgr0", "cnorm", "rmcup"].map { (name: String) in
            String(cString: nc_capability(name))
        }
        return Array((modesOff + words.joined() + "\r\n").utf8)
    }

    /// Gives the terminal back for good.
    package func close() {
        guard isHere else { return }
        leave()
        CrashReset.disarm()
        if let screen { delscreen(screen) }
        screen = nil
    }

    /// Gives the terminal back until ``comeBack()``.
    package func leave() {
        guard isHere else { return }
        isHere = false
        def_prog_mode()
        mousemask(0, nil)
        endwin()
        send(Self.modesOff)
    }

    /// Takes the terminal over again.
    package func comeBack() {
        guard !isHere else { return }
        isHere = true
        reset_prog_mode()
        enter()
        if isMouseOn { mousemask(nc_mouse, nil) }
        redraw()
    }

    // MARK: Painting

    /// Shows `grid`. Unchanged lines cost nothing.
    package func paint(_ grid: Grid) {
        guard isHere else { return }
        let isSame = painted.map { $0.width == grid.width && $0.height == grid.height } ?? false
        if !isSame { werase(nc_screen()) }
        for y in 0..<grid.height {
            if isSame, painted?.row(y) == grid.row(y) { continue }
            paint(grid.row(y), y)
        }
        painted = grid
        if let caret = grid.caret {
            wmove(nc_screen(), Int32(caret.y), Int32(caret.x))
            curs_set(1)
        } else {
            curs_set(0)
        }
        wrefresh(nc_screen())
    }

    private func paint(_ row: ArraySlice<Grid.Cell>, _ y: Int) {
        let cells = Array(row)
        wmove(nc_screen(), Int32(y), 0)
        wattrset(.plain)
        wclrtoeol(nc_screen())
        var x = 0
        while x < cells.count {
            var run = cells[x].text
            var end = x + 1
            // A letter that is not ASCII ends a run: terminals disagree about widths, and the next
            // run is put at its column.
            var isPlain = run.utf8.count == 1
            while isPlain, end < cells.count, cells[end].style == cells[x].style {
                guard cells[end].text.utf8.count == 1 else { break }
                run += cells[end].text
                end += 1
            }
            isPlain = cells[x].style == .plain && run.utf8.allSatisfy { $0 == 32 }
            if !isPlain, !run.isEmpty {
                wattrset(cells[x].style)
                mvwaddstr(nc_screen(), Int32(y), Int32(x), run)
            }
            x = end
        }
    }

    private func wattrset(_ style: Style) {
        let look = Palette.look(style, depth)
        var attributes: attr_t = 0
        if look.contains(.bold) { attributes |= nc_bold }
        if look.contains(.dim) { attributes |= nc_dim }
        if look.contains(.reverse) { attributes |= nc_reverse }
        if look.contains(.underline) { attributes |= nc_underline }
        wattr_set(nc_screen(), attributes, pairs[style] ?? 0, nil)
    }

    /// Makes the next ``paint(_:)`` paint everything, whatever the terminal shows.
    package func redraw() {
        painted = nil
        clearok(nc_screen(), true)
    }

    /// Asks the kernel for the window's size.
    package func measure() -> Grid.Point {
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return Grid.Point(x: 80, y: 24)
        }
        resizeterm(Int32(size.ws_row), Int32(size.ws_col))
        redraw()
        return Grid.Point(x: Int(size.ws_col), y: Int(size.ws_row))
    }

    // MARK: Beside the picture

    /// Turns reports of the mouse on or off.
    package func mouse(_ isOn: Bool) {
        guard isOn != isMouseOn else { return }
        isMouseOn = isOn
        if isHere { mousemask(isOn ? nc_mouse : 0, nil) }
    }

    /// Sets the window's title; `text` has been through ``visible(_:cells:)``.
    package func title(_ text: String) { send("\u{1B}]2;\(text)\u{07}") }

    /// Writes text that does not change the picture.
    func send(_ text: String) { send(Array(text.utf8)) }

    /// Writes bytes that do not change the picture.
    package func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    // MARK: Keys

    /// All keys that have arrived, without waiting. `nil` once the terminal has gone.
    package func keys() -> [Key] {
        var keys: [Key] = []
        while let code = next() {
            if let key = paste(code) { keys.append(key) } else { keys += self.keys(of: code) }
            if keys.count >= 256, held == nil { break }
        }
        return keys
    }

    private enum Code {
        case scalar(Unicode.Scalar)
        case special(Int32)
    }

    private func next() -> Code? {
        if let code = held {
            held = nil
            return code
        }
        var value = wint_t()
        switch wget_wch(nc_screen(), &value) {
        case OK: return Unicode.Scalar(UInt32(value)).map { .scalar($0) } ?? .special(0)
        case KEY_CODE_YES: return .special(Int32(bitPattern: UInt32(value)))
        default: return nil
        }
    }

    /// Collects a pasted text and returns it at its end; `nil` for a part of it.
    private func paste(_ code: Code) -> Key? {
        switch code {
        case .special(Self.pasteStart):
            isPasting = true
            pasted = []
            pastedAt = SystemClock.now()
            return nil
        case .special(Self.pasteEnd): return isPasting ? endPaste(dropping: 0) : nil
        case .scalar(let scalar): return isPasting ? paste(scalar) : nil
        case .special: return nil
        }
    }

    /// Adds a letter to the paste. Its end may arrive in pieces that ncurses does not recognise,
    /// and Ctrl-C after a pause ends a paste whose end never comes.
    private func paste(_ scalar: Unicode.Scalar) -> Key? {
        let now = SystemClock.now()
        let hasPaused = now - pastedAt > .seconds(1)
        pastedAt = now
        if scalar == "\u{03}", hasPaused { return endPaste(dropping: 0) }
        if pasted.count >= Self.pasteLimit { pasted.removeLast(Self.tail.count) }
        pasted.append(scalar)
        let isOver = scalar == "~" && pasted.suffix(Self.tail.count).elementsEqual(Self.tail)
        return isOver ? endPaste(dropping: Self.tail.count) : nil
    }

    private func endPaste(dropping count: Int) -> Key {
        let text = pasted.dropLast(count)
        pasted = []
        isPasting = false
        return .paste(String(String.UnicodeScalarView(text)))
    }

    private static let tail = Array("\u{1B}[201~".unicodeScalars)

    private func keys(of code: Code) -> [Key] {
        guard !isPasting else { return [] }
        switch code {
        case .special(let number): return special(number).map { [$0] } ?? []
        case .scalar("\u{1B}"): return afterEscape()
        case .scalar(let scalar): return Self.key(scalar).map { [$0] } ?? []
        }
    }

    /// Escape alone, Alt with the letter that followed at once, or Escape and another key together.
    private func afterEscape() -> [Key] {
        let code = next()
        switch code {
        case nil: return [.escape]
        case .scalar("\r"): return [.altEnter]
        case .scalar(let scalar) where "[O]P_^X".unicodeScalars.contains(scalar):
            return skipSequence(scalar)
        case .scalar(let scalar) where scalar.value >= 32 && scalar.value != 127:
            return escaped(Character(scalar))
        case .scalar, .special:
            held = code
            return [.escape]
        }
    }

    /// Skips a sequence that ncurses does not know: its letters are not keys.
    private func skipSequence(_ kind: Unicode.Scalar) -> [Key] {
        let isString = kind != "[" && kind != "O"
        var isFirst = true
        while case .scalar(let scalar) = next() {
            isFirst = false
            let isEnd =
                isString ? ["\u{07}", "\\"].contains(scalar) : (0x40...0x7E) ~= scalar.value
            if isEnd { return [] }
        }
        return isFirst ? escaped(Character(kind)) : []
    }

    private static func key(_ scalar: Unicode.Scalar) -> Key? {
        switch scalar.value {
        case 13: return .enter
        case 9: return .tab
        case 8, 127: return .backspace
        case 31: return .control("_")
        case 1...26:
            return .control(Character(Unicode.Scalar(UInt8(scalar.value + 96))))
        case 0...31, 0x80...0x9F: return nil
        default: return .letter(Character(scalar))
        }
    }

    private func special(_ number: Int32) -> Key? {
        switch number {
        case KEY_ENTER: .enter
        case KEY_BACKSPACE: .backspace
        case KEY_DC: .delete
        case KEY_BTAB: .backTab
        case KEY_UP: .up
        case KEY_DOWN: .down
        case KEY_LEFT: .left
        case KEY_RIGHT: .right
        case KEY_HOME: .home
        case KEY_END: .end
        case KEY_PPAGE: .pageUp
        case KEY_NPAGE: .pageDown
        case KEY_MOUSE: mouseKey()
        case Self.focusIn: .focus(true)
        case Self.focusOut: .focus(false)
        case KEY_F0 + 1...KEY_F0 + 12: .function(Int(number - KEY_F0))
        default: nil
        }
    }

    private func mouseKey() -> Key? {
        var event = MEVENT()
        guard getmouse(&event) == OK else { return nil }
        if event.bstate & nc_wheel_up != 0 { return .wheel(up: true) }
        if event.bstate & nc_wheel_down != 0 { return .wheel(up: false) }
        // Releasing the button is not a second click.
        guard event.bstate & nc_press != 0 else { return nil }
        return .click(Grid.Point(x: Int(event.x), y: Int(event.y)))
    }
}
