// SPDX-License-Identifier: Apache-2.0
import Text

/// Notifications as bytes for a terminal. Everything in them has been through
/// ``visible(_:cells:)``.
struct TerminalCall: Hashable, Sendable {
    /// The escape sequences that show a notice.
    private enum Dialect: Hashable, Sendable {
        /// OSC 777, of rxvt, foot and the terminals made with VTE.
        case rxvt
        /// OSC 9, of iTerm2, WezTerm, kitty, Ghostty and Windows Terminal.
        case plain
    }

    private let sequences: NotifySettings.Sequences
    private let dialect: Dialect
    private let isInTmux: Bool

    /// The sequences for the terminal that `environment` describes.
    init(_ settings: NotifySettings, environment: [String: String]) {
        sequences = settings.sequences
        isInTmux = !environment["TMUX", default: ""].isEmpty
        let terminal = environment["TERM", default: ""]
        let isRxvt =
            ["rxvt", "foot"].contains { terminal.hasPrefix($0) }
            || environment["VTE_VERSION"] != nil
        dialect = isRxvt ? .rxvt : .plain
    }

    /// The bytes for `notification`; empty if there are none.
    func bytes(_ notification: Notification) -> [UInt8] {
        switch notification {
        case .bell: [7]
        case .title(let title): Self.control("2;" + visible(title, cells: 80))
        case .desktop(let title, let body): notice(title, body)
        }
    }

    private func notice(_ title: String, _ body: String) -> [UInt8] {
        switch sequences {
        case .off: return []
        case .on where isInTmux: return []
        case .on, .tmux: break
        }
        let body = visible(body, cells: 200)
        // A semicolon would end the title, and a number before one would be another command.
        let title = visible(title, cells: 40).replacing([";": ","])
        let bytes =
            switch dialect {
            case .rxvt: Self.control("777;notify;\(title);\(body)")
            case .plain: Self.control("9;\(title): \(body)")
            }
        return isInTmux ? Self.throughTmux(bytes) : bytes
    }

    /// An operating system command (ECMA-48 8.3.89), ended by ST.
    private static func control(_ text: String) -> [UInt8] {
        [0x1B, 0x5D] + Array(text.utf8) + [0x1B, 0x5C]
    }

    /// tmux passes on the content of a device control string, in which every ESC is doubled.
    private static func throughTmux(_ bytes: [UInt8]) -> [UInt8] {
        let doubled = bytes.flatMap { $0 == 0x1B ? [0x1B, 0x1B] : [$0] }
        return [0x1B, 0x50] + Array("tmux;".utf8) + doubled + [0x1B, 0x5C]
    }
}
