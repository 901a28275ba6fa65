// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import Protocol
import System

/// Keeps the computer from sleeping while a swap binds its passenger: systemd's program asks for
/// it, and holds it as long as the pipe to it is open. So a dead agent keeps no computer awake.
///
/// Where there is no such program, or it is refused, nothing is said and everything goes on.
final class KeepAwake {
    /// How far it is. The program answers once it holds the computer.
    private enum State {
        case free
        case asked(Child)
        case held(Child)
        /// The program ended by itself: it is not asked again before the next time.
        case refused
    }

    private struct Child {
        let process: pid_t
        /// Where its input is written, and its output read.
        let input: Int32
        let output: Int32
    }

    /// It is held from now on, or not any more.
    var onChange: () -> Void = {}
    private let loop: EventLoop
    private let environment: [String: String]
    private var state = State.free
    /// Programs that were told to end and have not.
    private var leaving: [pid_t] = []

    /// Nothing is held yet. The program is looked for in the `PATH` of `environment`.
    init(loop: EventLoop, environment: [String: String]) {
        self.loop = loop
        self.environment = environment
    }

    /// Whether the computer is kept awake.
    var isHeld: Bool {
        if case .held = state { return true }
        return false
    }

    /// Whether it shall be.
    func want(_ isWanted: Bool) {
        reap()
        switch (state, isWanted) {
        case (.free, true): ask()
        case (.free, false), (.asked, true), (.held, true), (.refused, true): break
        case (.refused, false): state = .free
        case (.asked(let child), false): release(child)
        case (.held(let child), false):
            release(child)
            onChange()
        }
    }

    // What it runs only copies its input: the first byte that comes back says that it began.
    private static let words = [
        "systemd-inhibit", "--what=sleep:idle", "--who=seatagent",
        "--why=a seat swap is being decided", "--mode=block", "cat",
    ]

    private func ask() {
        state = .refused
        guard
            let path = ProgramOutput.find(Self.words[0], path: environment["PATH", default: ""])
        else { return }
        var input: [Int32] = [-1, -1]
        var output: [Int32] = [-1, -1]
        guard pipe2(&input, O_CLOEXEC) == 0 else { return }
        guard pipe2(&output, O_CLOEXEC | O_NONBLOCK) == 0 else {
            for end in input { close(end) }
            return
        }
        // The program's end of it waits as programs expect.
        _ = fcntl(output[1], F_SETFL, 0)
        var program = ChildProcess(path: path, arguments: Self.words)
        program.environment = environment.map { "\($0.key)=\($0.value)" }.sorted()
        program.input = .descriptor(input[0])
        program.output = .descriptor(output[1])
        program.errors = .nowhere
        program.group = .own
        let process = try? program.start()
        // While this end is open too nobody is killed by writing.
        if process != nil { _ = write(input[1], "\n", 1) }
        close(input[0])
        close(output[1])
        guard let process else {
            close(input[1])
            close(output[0])
            return
        }
        let child = Child(process: process, input: input[1], output: output[0])
        do throws(SystemError) {
            try loop.watch(child.output, .read) { [unowned self] _ in heard(child) }
            state = .asked(child)
        } catch {
            release(child)
        }
    }

    /// It says that it began, or it ends.
    private func heard(_ child: Child) {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(child.output, &bytes, bytes.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        let wasHeld = isHeld
        if count > 0 {
            state = .held(child)
        } else {
            release(child)
            state = .refused
        }
        if isHeld != wasHeld { onChange() }
    }

    private func release(_ child: Child) {
        loop.unwatch(child.output)
        close(child.input)
        close(child.output)
        leaving.append(child.process)
        state = .free
        reap()
    }

    /// Takes the ends of programs that have ended, without waiting for the others.
    private func reap() {
        leaving.removeAll { child in
            var status: Int32 = 0
            let result = waitpid(child, &status, WNOHANG)
            return result == child || result < 0 && errno == ECHILD
        }
    }
}

extension SwapRecord {
    /// Whether its outcome needs this computer now: it was agreed a moment ago, or its
    /// passenger's yes is signed. Whoever is waited for so long may have gone for good, and a
    /// battery is worth more then.
    func keepsAwake(_ me: PeerKey, at now: UTCTime) -> Bool {
        let age = now.seconds - updated.seconds
        return switch RequestFacts(self, me: me).state {
        case .stranded: age < KeepAwakeTime.signed
        case .agreed: age < (stage == .prepared ? KeepAwakeTime.signed : KeepAwakeTime.agreed)
        case .open, .final, .declined, .withdrawn, .expired, .failed: false
        }
    }
}

/// How long a swap without outcome keeps a computer awake, in seconds.
enum KeepAwakeTime {
    /// After both said yes, and nothing is signed yet.
    static let agreed: Int64 = 120
    /// After the own yes was signed.
    static let signed: Int64 = 30 * 60
}
