// SPDX-License-Identifier: Apache-2.0
/// Finds the bodies of a Swift file: functions, initialisers, computed properties, closures that
/// properties begin with. What stands inside a body belongs to it.
struct SwiftBodies {
    /// A body with the lines from its declaration, without attributes, to its last brace.
    struct Body: Equatable {
        let first: Int
        let last: Int

        var count: Int { last - first + 1 }
    }

    /// A brace that is open.
    private enum Brace {
        case type(parentheses: Int)
        case body(parentheses: Int, first: Int)
        /// Inside a body.
        case inner(parentheses: Int)
    }

    /// A string that is open: how many `#` and quotes end it, and the parentheses around its
    /// interpolation, where one is open.
    private struct Text {
        let hashes: Int
        let quotes: Int
        var parentheses: Int?
    }

    private(set) var bodies: [Body] = []
    /// Braces, strings or comments that nothing closed, or that closed nothing: read wrongly.
    private(set) var isTangled = false

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var parentheses = 0
    private var braces: [Brace] = []
    private var texts: [Text] = []
    /// The declaration that the next brace belongs to.
    private var declaration: (line: Int, isType: Bool)?

    private static let types = Set(["struct", "enum", "class", "actor", "protocol", "extension"])
    private static let others = Set(["func", "init", "deinit", "subscript", "var", "let"])

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        while index < bytes.count { step() }
        isTangled = isTangled || !braces.isEmpty || !texts.isEmpty || parentheses != 0
    }

    private func at(_ offset: Int) -> UInt8 {
        index + offset < bytes.count ? bytes[index + offset] : 0
    }

    /// Whether the next braces are those of declarations.
    private var isOutside: Bool {
        switch braces.last {
        case nil, .type: true
        case .body, .inner: false
        }
    }

    private mutating func step() {
        if let text = texts.last, text.parentheses == nil { return readText(text) }
        switch bytes[index] {
        case UInt8(ascii: "\n"): line += 1
        case UInt8(ascii: "/") where at(1) == UInt8(ascii: "/"): return skipLine()
        case UInt8(ascii: "/") where at(1) == UInt8(ascii: "*"): return skipComment()
        case UInt8(ascii: "\""), UInt8(ascii: "#"): return openText()
        case UInt8(ascii: "("), UInt8(ascii: "["): parentheses += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"): return closeParenthesis()
        case UInt8(ascii: "{"): openBrace()
        case UInt8(ascii: "}"): closeBrace()
        case let byte where Self.isName(byte): return readName()
        default: break
        }
        index += 1
    }

    // MARK: Names and braces

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte | 0x20 {
        case 97...122, 48...57: byte | 0x20 == byte || byte > 64
        default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: "`")
        }
    }

    private mutating func readName() {
        let start = index
        while index < bytes.count, Self.isName(bytes[index]) { index += 1 }
        guard isOutside, parentheses == depth, start == 0 || bytes[start - 1] != UInt8(ascii: ".")
        else { return }
        // The longest of the words is extension.
        guard index - start <= 9 else { return }
        let name = String(decoding: bytes[start..<index], as: UTF8.self)
        if Self.others.contains(name) {
            declaration = (line, false)
        } else if Self.types.contains(name) {
            declaration = (line, true)
        }
    }

    /// Parentheses that were open where the last open brace began.
    private var depth: Int {
        switch braces.last {
        case nil: 0
        case .type(let count), .body(let count, _), .inner(let count): count
        }
    }

    private mutating func openBrace() {
        if !isOutside {
            braces.append(.inner(parentheses: parentheses))
        } else if parentheses == depth, let open = declaration {
            declaration = nil
            braces.append(
                open.isType
                    ? .type(parentheses: parentheses)
                    : .body(parentheses: parentheses, first: open.line))
        } else {
            // A closure among the arguments of a declaration, or a statement of a script.
            braces.append(.body(parentheses: parentheses, first: line))
        }
    }

    private mutating func closeBrace() {
        guard let brace = braces.popLast() else { return isTangled = true }
        let before = depthOf(brace)
        if before != parentheses { isTangled = true }
        if case .body(_, let first) = brace { bodies.append(Body(first: first, last: line)) }
    }

    private func depthOf(_ brace: Brace) -> Int {
        switch brace {
        case .type(let count), .body(let count, _), .inner(let count): count
        }
    }

    private mutating func closeParenthesis() {
        parentheses -= 1
        index += 1
        // The end of an interpolation: the string goes on.
        if let text = texts.last, text.parentheses == parentheses {
            texts[texts.count - 1].parentheses = nil
        }
    }

    // MARK: Comments and strings

    private mutating func skipLine() {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
    }

    private mutating func skipComment() {
        var open = 0
        while index < bytes.count {
            if at(0) == UInt8(ascii: "/"), at(1) == UInt8(ascii: "*") {
                open += 1
                index += 2
            } else if at(0) == UInt8(ascii: "*"), at(1) == UInt8(ascii: "/") {
                open -= 1
                index += 2
                if open == 0 { return }
            } else {
                if at(0) == UInt8(ascii: "\n") { line += 1 }
                index += 1
            }
        }
        isTangled = true
    }

    /// A quote, or `#` before one.
    private mutating func openText() {
        var hashes = 0
        while at(hashes) == UInt8(ascii: "#") { hashes += 1 }
        guard at(hashes) == UInt8(ascii: "\"") else { return index += max(hashes, 1) }
        let isLong = at(hashes + 1) == UInt8(ascii: "\"") && at(hashes + 2) == UInt8(ascii: "\"")
        texts.append(Text(hashes: hashes, quotes: isLong ? 3 : 1, parentheses: nil))
        index += hashes + (isLong ? 3 : 1)
    }

    private mutating func readText(_ text: Text) {
        let byte = bytes[index]
        if byte == UInt8(ascii: "\\"), (0..<text.hashes).allSatisfy({ at(1 + $0) == 35 }) {
            index += 1 + text.hashes
            guard at(0) == UInt8(ascii: "(") else {
                if at(0) == UInt8(ascii: "\n") { line += 1 }
                return index += 1
            }
            texts[texts.count - 1].parentheses = parentheses
            parentheses += 1
        } else if byte == UInt8(ascii: "\""), ends(text) {
            texts.removeLast()
            return index += text.quotes + text.hashes
        } else if byte == UInt8(ascii: "\n") {
            line += 1
            if text.quotes == 1 { isTangled = true }
        }
        index += 1
    }

    private func ends(_ text: Text) -> Bool {
        (0..<text.quotes).allSatisfy { at($0) == UInt8(ascii: "\"") }
            && (0..<text.hashes).allSatisfy { at(text.quotes + $0) == UInt8(ascii: "#") }
    }
}
