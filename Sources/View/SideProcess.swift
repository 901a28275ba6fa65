// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import System
import Terminal
import Text

/// A command of this program that runs beside the view, with its output collected.
final class SideProcess {
    private let loop: EventLoop
    private let finished: ([String], Bool) -> Void
    private var descriptor: Int32
    private var child: pid_t = 0
    private var output: [UInt8] = []

    /// More is cut off: nobody reads it on a screen.
    private static let limit = 256 * 1024

    /// Runs `seatagent ARGUMENTS`; `finished` gets its lines, from standard output and error in the
    /// order in which they come, and whether it succeeded. `nil` if no process can be started.
    init?(
        loop: EventLoop, arguments: [String], finished: @escaping ([String], Bool) -> Void
    ) {
        self.loop = loop
        self.finished = finished
        descriptor = -1
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var program = ChildProcess(
            path: ChildProcess.itself, arguments: ["seatagent", "--no-input"] + arguments)
        program.input = .nowhere
        program.output = .descriptor(ends[1])
        program.errors = .descriptor(ends[1])
        let started = try? program.start()
        close(ends[1])
        descriptor = ends[0]
        guard let started else {
            close(ends[0])
            return nil
        }
        child = started
        do throws(SystemError) {
            try loop.watch(descriptor, .read) { [unowned self] _ in read() }
        } catch {
            stop()
            return nil
        }
    }

    private func read() {
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        if count > 0 {
            output.append(contentsOf: bytes[0..<count])
            guard output.count > Self.limit else { return }
        }
        // Who says more than that is ended; everybody else has closed their output to end.
        let isDone = output.count > Self.limit ? false : waitForEnd()
        stop()
        var lines = String(decoding: output.prefix(Self.limit), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        finished(lines, isDone)
    }

    /// Whether the command, which has closed its output, ends well.
    private func waitForEnd() -> Bool {
        let status = ChildProcess.wait(for: child)
        child = 0
        return status == 0
    }

    /// Lets the command go on by itself: it changes something, and nobody waits for its words.
    func leave() {
        guard descriptor >= 0 else { return }
        loop.unwatch(descriptor)
        close(descriptor)
        descriptor = -1
    }

    /// Ends the command, if it still runs.
    func stop() {
        guard descriptor >= 0 else { return }
        loop.unwatch(descriptor)
        close(descriptor)
        descriptor = -1
        guard child > 0 else { return }
        // It only asks and prints, so nothing has to be cleaned up.
        kill(child, SIGKILL)
        _ = ChildProcess.wait(for: child)
    }
}

/// The user's own editor, for a longer text.
package enum DraftEditor {
    /// The result.
    package enum Outcome: Hashable, Sendable {
        case text(String)
        /// The editor did not run, or failed: the line stays as it was.
        case failed(String)
    }

    /// Runs `$VISUAL` or `$EDITOR` on `text` and waits for its end.
    static func edit(_ text: String, environment: [String: String]) -> Outcome {
        let folder = environment["XDG_RUNTIME_DIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var path = Array("\(folder)/seatagent-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { return .failed("no file can be made in \(folder)") }
        close(descriptor)
        let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unlink(name) }
        do throws(UserError) {
            try PrivateFile.write(Array((text + "\n").utf8), to: name)
        } catch {
            return .failed(error.what)
        }
        let editor = Editor(environment: environment)
        do throws(UserError) {
            try editor.open(name, advice: "seatagent")
        } catch {
            return .failed("\(editor.command) failed; EDITOR names the editor")
        }
        guard let bytes = (try? PrivateFile.read(name)) ?? nil else {
            return .failed("the text cannot be read")
        }
        var edited = String(decoding: bytes.prefix(64 * 1024), as: UTF8.self)
        while edited.hasSuffix("\n") { edited.removeLast() }
        return .text(edited)
    }
}
