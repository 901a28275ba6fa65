// SPDX-License-Identifier: Apache-2.0
package import Profile

/// How a passenger wants to be alerted (docs/guide/view.md).
package struct NotifySettings: Hashable, Sendable {
    /// What calls at all.
    package enum Level: String, CaseIterable, Hashable, Sendable {
        /// Everything of the table.
        case on
        /// Nothing.
        case off
        /// Requests, messages to them, their name or seat; not other talk in the cabin.
        case mentions
    }

    /// Whether the terminal itself is asked to show notices.
    enum Sequences: String, Hashable, Sendable {
        case off
        /// Yes, if there is no tmux in between.
        case on
        /// Yes, also through tmux, wrapped so that it passes them on.
        case tmux
    }

    /// `notify`.
    package var level = Level.on
    /// `notify.bell`.
    package var bell = true
    /// `notify.desktop`, decided: whether ``command`` is run.
    package var desktop = false
    /// `notify.preview`: whether notices contain the text of a message.
    var preview = false
    /// `notify.osc`.
    var sequences = Sequences.off
    /// `notify.command` as words, or `notify-send`; title and text follow it.
    package var command = NotifySettings.standardCommand

    /// The program for the desktop's own notices. After `--`, everything is text.
    static let standardCommand = ["notify-send", "--app-name=seatagent", "--"]

    /// Whether notices go anywhere besides the bell.
    var hasDesktop: Bool { desktop || sequences != .off }

    /// The default settings.
    package init() {}

    /// The settings in `config`, for that environment. `isThere` says whether a program can be
    /// found.
    package init(_ config: Config, environment: [String: String], isThere: (String) -> Bool) {
        level = Level(rawValue: config.value(.notify)) ?? .on
        bell = config.isOn(.notifyBell)
        preview = config.isOn(.notifyPreview)
        sequences = Sequences(rawValue: config.value(.notifyOSC)) ?? .off
        let own = config.value(.notifyCommand).split(whereSeparator: \.isWhitespace).map(
            String.init)
        if !own.isEmpty { command = own }
        switch config.notifyDesktop {
        case .off: desktop = false
        case .on: desktop = true
        case .auto:
            let hasBus = !environment["DBUS_SESSION_BUS_ADDRESS", default: ""].isEmpty
            desktop = (hasBus || !own.isEmpty) && isThere(command[0])
        }
    }

    /// The settings in `config`; looks for programs on this machine.
    package init(_ config: Config, environment: [String: String]) {
        self.init(config, environment: environment) { NotifyRunner.find($0, environment) != nil }
    }
}
