// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import System
import Text

/// Asks the host on the terminal whom to let in: a line each, answered with y or n.
final class HostPrompt {
    private let house: GuestHouse
    private var line: [UInt8] = []
    private let loop: EventLoop
    /// Whom the last question was about.
    private var asked: Bytes32?

    /// Asks for `house` on the terminal of this process. Throws what the kernel said.
    init(_ house: GuestHouse, loop: EventLoop) throws(SystemError) {
        self.house = house
        self.loop = loop
        // Whoever comes while a question stands is asked about after it.
        house.onAsk = { [weak self] in
            guard let self, house.waiting.first?.page != asked else { return }
            ask()
        }
        try loop.watch(0, .read) { [weak self] _ in self?.read() }
    }

    /// Asks again what stands, since something else was printed below it.
    func askAgain() {
        if asked != nil { ask() }
    }

    private func ask() {
        let waiting = house.waiting
        asked = waiting.first?.page
        guard let first = waiting.first?.wish else { return }
        let name = visible(first.name, cells: 40)
        let more = waiting.count - 1
        let others = more > 0 ? " (\(more) more wait)" : ""
        StandardStream.out("\(name) wants \(first.seat ?? "to come in")\(others): y/n")
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

    /// An answer is about whom the last question named, and about nobody who came in between.
    private func take(_ word: String) {
        guard let page = asked else { return }
        switch word.filter({ !$0.isWhitespace }) {
        case "y", "yes": answer(page, true)
        case "n", "no": answer(page, false)
        default: ask()
        }
    }

    private func answer(_ page: Bytes32, _ isWelcome: Bool) {
        if !house.answer(page, isWelcome) {
            StandardStream.out("They do not wait any more: their page is closed.")
        }
        ask()
    }
}
