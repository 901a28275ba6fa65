// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Glibc
import System
import Text

/// Standard input, output and error of a command; in tests, texts.
final class Console {
    /// Whether standard input is a terminal.
    let readsTerminal: Bool
    /// Whether standard output is a terminal.
    let writesTerminal: Bool
    /// What was written, if this is not a real console.
    private(set) var captured: (out: String, err: String) = ("", "")
    private let isReal: Bool
    private var input: LineBuffer
    private var inputEnded: Bool

    /// The process's own console.
    init() {
        isReal = true
        readsTerminal = isatty(0) == 1
        writesTerminal = isatty(1) == 1
        input = LineBuffer(limit: requestLineLimit)
        inputEnded = false
    }

    /// A console with text instead of a terminal.
    init(input text: String, readsTerminal: Bool = false) {
        isReal = false
        self.readsTerminal = readsTerminal
        writesTerminal = false
        input = LineBuffer(limit: requestLineLimit)
        input.append(text.utf8)
        inputEnded = true
    }

    /// One line on standard output.
    func out(_ line: String) { write(line + "\n", to: 1) }

    /// Bytes on standard output, as they are.
    func out(_ bytes: [UInt8]) { write(bytes[...], to: 1) }

    /// One line on standard error.
    func err(_ line: String) { write(line + "\n", to: 2) }

    /// The start of a line on standard error, for a question.
    func prompt(_ text: String) { write(text, to: 2) }

    /// Reads all of standard input as text, without carriage returns and its last line end. Throws
    /// like ``readBytes(upTo:)``.
    func readAll() throws(UserError) -> String {
        var lines = try readBytes(upTo: requestLineLimit)
            .split(separator: 10, omittingEmptySubsequences: false)
            .map { $0.last == 13 ? $0.dropLast() : $0 }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    }

    /// Reads all of standard input. Throws `file` if there is more than `limit` bytes: a pipe may
    /// never end.
    func readBytes(upTo limit: Int) throws(UserError) -> [UInt8] {
        var bytes = input.takeRest()
        while bytes.count <= limit, fill() { bytes += input.takeRest() }
        guard bytes.count <= limit else {
            throw PrivateFile.tooLong(PrivateFile.standardInput, limit)
        }
        return bytes
    }

    /// The descriptor of standard input, if it is one.
    var descriptor: Int32? { isReal ? 0 : nil }

    /// Reads the first `limit` bytes of standard input, or all, into the only copy of them.
    func readBytes(limit: Int) -> [UInt8] {
        guard isReal else { return Array(input.takeRest().prefix(limit)) }
        return PrivateFile.readBytes(limit: limit, from: 0) ?? []
    }

    /// Waits for the next line of standard input; `nil` at its end.
    func readLine() -> String? {
        while true {
            if let line = nextWaitingLine() { return line }
            if !fill() { return nextWaitingLine() }
        }
    }

    /// A line that has arrived already; after the end of input, also one without a line end. A line
    /// that never ends is returned in pieces, so that it cannot fill the memory.
    func nextWaitingLine() -> String? {
        if let line = input.nextLine() { return String(decoding: line, as: UTF8.self) }
        guard inputEnded || input.isOverfull, !input.isEmpty else { return nil }
        return String(decoding: input.takeRest(), as: UTF8.self)
    }

    /// Reads what there is, waiting for something; `false` at the end of input.
    @discardableResult
    func fill() -> Bool {
        guard !inputEnded else { return false }
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        let count = read(0, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return true }
        guard count > 0 else {
            inputEnded = true
            return false
        }
        input.append(bytes[0..<count])
        return true
    }

    /// Runs `body` without the input typed before it, which is kept for afterwards.
    func later<T>(_ body: () -> T) -> T {
        guard isReal, readsTerminal else { return body() }
        var request = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        while !inputEnded, poll(&request, 1, 0) > 0, fill() {}
        var before = input
        input = LineBuffer(limit: requestLineLimit)
        let result = body()
        before.append(input.takeRest())
        input = before
        return result
    }

    /// Whether a person types: an answer that comes sooner than a question can be read does not
    /// count.
    var isTyped: Bool { isReal && readsTerminal }

    /// Whether standard input has ended.
    var hasEnded: Bool { inputEnded }

    private func write(_ text: String, to descriptor: Int32) {
        write(Array(text.utf8)[...], to: descriptor)
    }

    private func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
        guard isReal else {
            let text = String(decoding: bytes, as: UTF8.self)
            if descriptor == 1 { captured.out += text } else { captured.err += text }
            return
        }
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { end(errno, descriptor) }
            rest = rest.dropFirst(count)
        }
    }

    /// Ends the process if its output cannot be written.
    private func end(_ code: Int32, _ descriptor: Int32) -> Never {
        guard descriptor == 1 else { exit(ExitCode.failed.rawValue) }
        // Whoever read the output has had enough, so end as other programs in a pipe do.
        if code == EPIPE { exit(ExitCode.done.rawValue) }
        let error = UserError(
            .file, "standard output cannot be written", why: String(cString: strerror(code)))
        for line in error.lines { err(line) }
        exit(error.code.exit.rawValue)
    }
}
