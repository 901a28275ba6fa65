// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import Protocol
import System

/// Keeps the computer from sleeping while a swap binds its passenger. systemd's program does it as
/// long as the pipe to it is open, so a dead agent keeps no computer awake.
///
/// If there is no such program, or it is refused, nothing is said and everything goes on.
final class KeepAwake {
    /// The state. The program answers once it holds the computer.
    private enum State {
        case free
        /// It is wanted for less than ``patience``.
        case soon(TimerToken)
        case asked(Child)
        case held(Child)
        /// The program ended by itself; it is not started again before the next time.
        case refused
    }

    private struct Child {
        let process: pid_t
        /// The descriptors for its input and its output.
        let input: Int32
        let output: Int32
    }

    /// Called when the computer begins or stops to be kept awake.
    var onChange: () -> Void = {}
    private let loop: EventLoop
    private let environment: [String: String]
    private var state = State.free
    /// Programs that were told to end and have not ended yet.
    private var leaving: [pid_t] = []

    /// Keeps nothing awake yet. Looks for the program in the `PATH` of `environment`.
    init(loop: EventLoop, environment: [String: String]) {
        self.loop = loop
        self.environment = environment
    }

    /// Whether the computer is kept awake.
    var isHeld: Bool {
        if case .held = state { return true }
        return false
    }

    /// Says whether the computer should be kept awake.
    func want(_ isWanted: Bool) {
        reap()
        switch (state, isWanted) {
        case (.free, true):
            state = .soon(
                loop.schedule(at: loop.clock() + Self.patience) { [weak self] in self?.ask() })
        case (.soon(let timer), false):
            loop.cancel(timer)
            state = .free
        case (.free, false), (.soon, true), (.asked, true), (.held, true), (.refused, true): break
        case (.refused, false): state = .free
        case (.asked(let child), false): release(child)
        case (.held(let child), false):
            release(child)
            onChange()
        }
    }

    /// Most swaps are over sooner, and the start of a program took half of their time.
    private static let patience = TimeSpan.milliseconds(300)

    // The program only copies its input: the first byte that comes back shows that it began.
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
        // The program's end blocks, as programs expect.
        _ = fcntl(output[1], F_SETFL, 0)
        var program = ChildProcess(path: path, arguments: Self.words)
        program.environment = environment.map { "\($0.key)=\($0.value)" }.sorted()
        program.input = .descriptor(input[0])
        program.output = .descriptor(output[1])
        program.errors = .nowhere
        program.group = .own
        let process = try? program.start()
        // While this end is open too, writing kills nobody.
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

    /// The program reports that it began, or it ended.
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

    /// Collects programs that have ended, without waiting for others.
    private func reap() {
        leaving.removeAll { child in
            var status: Int32 = 0
            let result = waitpid(child, &status, WNOHANG)
            return result == child || result < 0 && errno == ECHILD
        }
    }
}

extension SwapRecord {
    /// Whether this computer is needed for its outcome: it was just agreed, or its passenger's yes
    /// is signed. A passenger who has been waited for longer may have gone for good, and then the
    /// battery is worth more.
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
