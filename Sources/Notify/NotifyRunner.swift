// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Protocol
import System
import Text

/// Delivers notifications: bytes for the view to write, and a program for notices of the desktop.
///
/// The program is started without a shell: passengers' words are an argument and nothing else.
package final class NotifyRunner {
    /// How many programs may run at once; more are not started. Programs that hang because no
    /// notification service answers must not pile up.
    package static let limit = 2
    /// How long a program may run.
    package static let patience = TimeSpan.seconds(30)

    /// The settings; a view changes them with `/notify`.
    package var settings: NotifySettings
    private let environment: [String: String]
    private var running: [(child: pid_t, since: Instant)] = []

    /// A runner for the terminal and session in `environment`.
    package init(_ settings: NotifySettings, environment: [String: String]) {
        self.settings = settings
        self.environment = environment
    }

    deinit { reap() }

    /// Starts the programs, and returns what the view writes to its terminal.
    package func carryOut(_ notifications: [Notification]) -> [UInt8] {
        reap()
        let terminal = TerminalCall(settings, environment: environment)
        for case .desktop(let title, let body) in notifications where settings.desktop {
            start(title, body)
        }
        return notifications.flatMap(terminal.bytes)
    }

    /// How many programs run.
    package var count: Int { running.count }

    /// The words with which the program is started.
    package static func arguments(_ command: [String], _ title: String, _ body: String) -> [String]
    {
        let isStandard = command.first?.split(separator: "/").last == "notify-send"
        let hasEnd = command.contains("--")
        var texts = [visible(title, cells: 80), visible(body, cells: 200)]
        // A desktop's service interprets the text as markup, and notify-send interprets backslashes
        // before that. The user's own program does neither, but may take a word with a dash for an
        // option.
        if isStandard { texts[1] = escaped(texts[1]) }
        return command + texts.map { !hasEnd && $0.hasPrefix("-") ? " " + $0 : $0 }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\\": "\\\\"])
    }

    private func start(_ title: String, _ body: String) {
        guard running.count < Self.limit, let program = settings.command.first,
            let path = Self.find(program, environment)
        else { return }
        let arguments = Self.arguments(settings.command, title, body)
        var child = ChildProcess(path: path, arguments: arguments)
        child.environment = environment.map { "\($0.key)=\($0.value)" }.sorted()
        child.input = .nowhere
        child.output = .nowhere
        child.errors = .nowhere
        child.group = .own
        if let started = try? child.start() {
            running.append((started, SystemClock.now()))
        }
    }

    /// The path of a program; a word with a slash is a path.
    package static func find(_ program: String, _ environment: [String: String]) -> String? {
        if program.contains("/") { return access(program, X_OK) == 0 ? program : nil }
        return ProgramOutput.find(program, path: environment["PATH", default: ""])
    }

    /// Collects programs that have ended, without waiting for others.
    private func reap() {
        let now = SystemClock.now()
        running.removeAll { child, since in
            var status: Int32 = 0
            // A program that hangs must not keep all later ones from running.
            if now - since > Self.patience { kill(-child, SIGKILL) }
            let result = waitpid(child, &status, WNOHANG)
            return result == child || result < 0 && errno == ECHILD
        }
    }
}
