// SPDX-License-Identifier: Apache-2.0
import Glibc
import Text

/// A line that is typed without being shown.
struct SecretLine {
    /// What a key did to the line.
    enum Step: Equatable { case goesOn, ended, interrupted }

    /// What was typed so far.
    private(set) var bytes: [UInt8] = []

    /// A line that goes on past this is cut, and refused for its length later.
    static let limit = 4096

    /// Takes a byte of the terminal.
    mutating func take(_ byte: UInt8) -> Step {
        switch byte {
        case 10, 13: return .ended
        // Ctrl-D ends the line, as it ends input.
        case 4: return .ended
        case 3: return .interrupted
        // Backspace takes a whole character of UTF-8 away.
        case 8, 127:
            while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
        // Ctrl-U takes everything away.
        case 21: bytes = []
        default: if bytes.count < Self.limit { bytes.append(byte) }
        }
        return .goesOn
    }
}

extension Console {
    /// Asks for a line that is not shown; `nil` at the end of input. On a terminal, Ctrl-C ends the
    /// process as ever, and what was typed before the question does not count.
    func readSecret(_ prompt: String) -> [UInt8]? {
        guard isTyped, let descriptor else {
            self.prompt(prompt)
            return readLine().map { Array($0.utf8) }
        }
        var before = termios()
        guard tcgetattr(descriptor, &before) == 0 else { return nil }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        silent.c_cc.6 = 1  // VMIN: each key at once
        silent.c_cc.5 = 0  // VTIME: however long it takes
        guard tcsetattr(descriptor, TCSAFLUSH, &silent) == 0 else { return nil }
        self.prompt(prompt)
        let (line, step) = Self.type(descriptor)
        tcsetattr(descriptor, TCSANOW, &before)
        err("")
        if step == .interrupted { raise(SIGINT) }
        return step == .ended ? line : nil
    }

    private static func type(_ descriptor: Int32) -> (line: [UInt8], step: SecretLine.Step) {
        var line = SecretLine()
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return ([], .goesOn) }
            let step = line.take(byte)
            if step != .goesOn { return (line.bytes, step) }
        }
    }
}
