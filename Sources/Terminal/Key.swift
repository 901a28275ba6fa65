// SPDX-License-Identifier: Apache-2.0
/// What a person does at the terminal, independent of the bytes that report it.
package enum Key: Hashable, Sendable {
    /// A letter, or part of one.
    case letter(Character)
    /// Ctrl and a letter in lower case, `_` for Ctrl-_.
    case control(Character)
    /// Alt and a letter or digit.
    case alt(Character)
    case enter, altEnter, tab, backTab, escape
    case backspace, delete
    case up, down, left, right, home, end, pageUp, pageDown
    /// F1 is 1.
    case function(Int)
    /// The left button at a place.
    case click(Grid.Point)
    /// The wheel, up or down.
    case wheel(up: Bool)
    /// A whole pasted text.
    case paste(String)
    /// The terminal got or lost the focus.
    case focus(Bool)
    /// The window's new size.
    case resize(width: Int, height: Int)
}
