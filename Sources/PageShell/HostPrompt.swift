// SPDX-License-Identifier: Apache-2.0
import Glibc
import System
import Text

/// Asks the host on the terminal whom to let in: a line each, answered with y or n.
final class HostPrompt {
    private let house: GuestHouse
    private var line: [UInt8] = []
    private let loop: EventLoop

    /// Asks for `house` on the terminal of this process. Throws what the kernel said.
    init(_ house: GuestHouse, loop: EventLoop) throws(SystemError) {
        self.house = house
        self.loop = loop
        house.onAsk = { [weak self] in self?.ask() }
        try loop.watch(0, .read) { [weak self] _ in self?.read() }
    }

    private func ask() {
        let waiting = house.waiting
        guard let first = waiting.first else { return }
        let name = visible(first.name, cells: 40)
        let more = waiting.count - 1
        let others = more > 0 ? " (\(more) more wait)" : ""
        StandardStream.out("\(name) wants \(first.seat)\(others): y/n")
    }

    private func read() {
        var piece = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(0, &piece, piece.count)
        // ctrl-D says nothing; a terminal that has gone says nothing any more.
        guard count > 0 else { return count < 0 ? loop.unwatch(0) : () }
        for byte in piece[..<count] {
            if byte == 10 {
                take(String(decoding: line, as: UTF8.self).lowercased())
                line.removeAll()
            } else if line.count < 64 {
                line.append(byte)
            }
        }
    }

    private func take(_ word: String) {
        guard !house.waiting.isEmpty else { return }
        switch word.filter({ !$0.isWhitespace }) {
        case "y", "yes": house.answer(true)
        case "n", "no": house.answer(false)
        default: ask()
        }
    }
}
