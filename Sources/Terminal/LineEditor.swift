// SPDX-License-Identifier: Apache-2.0
/// A line being typed, or a few after a paste: text, caret, history, undo. A value.
package struct LineEditor: Hashable, Sendable {
    /// What is typed, in letters as people count them.
    package private(set) var letters: [Character] = []
    /// How many letters stand before the caret.
    package private(set) var caret = 0
    private var killed: [Character] = []
    private var undone: [Step] = []
    private var past: [String] = []
    /// Which line of the history is shown; `nil` for the line being typed.
    private var place: Int?
    private var unsent = ""
    private var isTyping = false

    private struct Step: Hashable, Sendable {
        let letters: [Character]
        let caret: Int
    }

    private static let historyLimit = 200
    private static let undoLimit = 200
    private static let undoLetters = 64 * 1024
    /// A longer text could not be sent anyway.
    package static let limit = 8192

    /// The text.
    package var text: String { String(letters) }
    /// Whether nothing is typed.
    package var isEmpty: Bool { letters.isEmpty }
    /// How many lines the text has.
    package var lineCount: Int { letters.count(where: \.isNewline) + 1 }

    /// Empty, without history.
    package init() {}

    // MARK: Typing

    /// Inserts `text` at the caret, without controls other than line ends and tabs.
    package mutating func insert(_ text: String) {
        let scalars = text.unicodeScalars.filter {
            $0 == "\n" || $0 == "\t" || $0.properties.generalCategory != .control
        }
        guard !scalars.isEmpty else { return }
        let added = String(String.UnicodeScalarView(scalars))
        let isWord = added.count == 1 && added.first?.isWhitespace == false
        if !(isTyping && isWord) { remember() }
        isTyping = isWord
        // A mark typed after its letter joins that letter.
        let head = String(letters[..<caret]) + added
        let tail = letters[caret...]
        var all = Array(head)
        guard all.count + tail.count <= Self.limit else { return }
        caret = all.count
        all += tail
        letters = all
        leaveHistory()
    }

    /// Removes the whole text and returns it; the history keeps it.
    package mutating func take() -> String {
        let text = self.text
        keep(text)
        clear()
        return text
    }

    /// Adds a line to the history.
    package mutating func keep(_ text: String) {
        let isBlank = text.allSatisfy(\.isWhitespace)
        if !isBlank, past.last != text { past.append(text) }
        if past.count > Self.historyLimit { past.removeFirst() }
    }

    /// Discards the line; undo brings it back.
    package mutating func clear() {
        if !letters.isEmpty { remember() }
        letters = []
        caret = 0
        isTyping = false
        leaveHistory()
    }

    /// Replaces the text.
    package mutating func replace(with text: String) {
        remember()
        letters = Array(text)
        caret = letters.count
        isTyping = false
    }

    /// Replaces the letters from `start` up to the caret.
    package mutating func replace(from start: Int, with text: String) {
        guard 0...caret ~= start else { return }
        remember()
        let added = Array(text)
        letters.replaceSubrange(start..<caret, with: added)
        caret = start + added.count
        isTyping = false
    }

    // MARK: Moving

    /// One letter to the left.
    package mutating func left() { move(to: caret - 1) }
    /// One letter to the right.
    package mutating func right() { move(to: caret + 1) }
    /// To the start of the line.
    package mutating func home() { move(to: 0) }
    /// To its end.
    package mutating func end() { move(to: letters.count) }
    /// To the start of this word, or of the one before.
    package mutating func wordLeft() { move(to: startOfWord) }
    /// To the end of this word, or of the next.
    package mutating func wordRight() { move(to: endOfWord) }

    private mutating func move(to place: Int) {
        caret = min(max(place, 0), letters.count)
        isTyping = false
    }

    private var startOfWord: Int {
        var place = caret
        while place > 0, letters[place - 1].isWhitespace { place -= 1 }
        while place > 0, !letters[place - 1].isWhitespace { place -= 1 }
        return place
    }

    private var endOfWord: Int {
        var place = caret
        while place < letters.count, letters[place].isWhitespace { place += 1 }
        while place < letters.count, !letters[place].isWhitespace { place += 1 }
        return place
    }

    // MARK: Deleting

    /// Deletes the letter before the caret.
    package mutating func deleteLeft() { delete(caret - 1..<caret, keep: false) }
    /// Deletes the letter at the caret.
    package mutating func deleteRight() { delete(caret..<caret + 1, keep: false) }
    /// Cuts from the caret to the end; ``yank()`` puts it back.
    package mutating func killToEnd() { delete(caret..<letters.count, keep: true) }
    /// Cuts from the start to the caret.
    package mutating func killToStart() { delete(0..<caret, keep: true) }
    /// Cuts back to the start of the word.
    package mutating func killWordLeft() { delete(startOfWord..<caret, keep: true) }
    /// Cuts on to the end of the word.
    package mutating func killWordRight() { delete(caret..<endOfWord, keep: true) }

    /// Inserts what was killed last.
    package mutating func yank() { insert(String(killed)) }

    private mutating func delete(_ range: Range<Int>, keep: Bool) {
        let range = range.clamped(to: 0..<letters.count)
        guard !range.isEmpty else { return }
        remember()
        isTyping = false
        if keep { killed = Array(letters[range]) }
        letters.removeSubrange(range)
        caret = range.lowerBound
    }

    // MARK: Undo and history

    /// Undoes the last change.
    package mutating func undo() {
        guard let step = undone.popLast() else { return }
        letters = step.letters
        caret = step.caret
        isTyping = false
    }

    private mutating func remember() {
        undone.append(Step(letters: letters, caret: caret))
        var letters = undone.reduce(0) { $0 + $1.letters.count }
        while undone.count > Self.undoLimit || letters > Self.undoLetters {
            letters -= undone.removeFirst().letters.count
        }
    }

    /// The line before in the history.
    package mutating func earlier() {
        guard !past.isEmpty, place != 0 else { return }
        if place == nil { unsent = text }
        show((place ?? past.count) - 1)
    }

    /// The line after in the history; at its end, what was being typed.
    package mutating func later() {
        guard let place else { return }
        show(place + 1)
    }

    private mutating func show(_ index: Int) {
        let isPast = index < past.count
        replace(with: isPast ? past[index] : unsent)
        place = isPast ? index : nil
    }

    private mutating func leaveHistory() { place = nil }
}
