// SPDX-License-Identifier: Apache-2.0
import Text

/// What `color` is set to.
package enum ColorSetting: String, CaseIterable, Sendable {
    /// On a terminal, unless `NO_COLOR` is set.
    case auto
    case always, never
}

/// What `notify.desktop` is set to.
package enum DesktopSetting: String, CaseIterable, Sendable {
    case on, off
    /// If there is a session bus.
    case auto
}

/// A setting: everything that the config file may contain, with its meaning.
///
/// The command `config`, the man page, the example file and completion are made from this.
package enum ConfigKey: String, CaseIterable, Sendable {
    case name
    case interface
    case color
    case ascii
    case mouse
    case notify
    case notifyBell = "notify.bell"
    case notifyDesktop = "notify.desktop"
    case notifyPreview = "notify.preview"
    case notifyOSC = "notify.osc"
    case notifyCommand = "notify.command"
    case notifyParking = "notify.parking"
    case lookupKey = "lookup.key"
    case lookupURL = "lookup.url"
    case calendarFeed = "calendar.feed"
    case confirmCommand = "confirm.command"
    case locationCommand = "location.command"
    case geocodeURL = "geocode.url"
    case rendezvousURL = "rendezvous.url"
    case rendezvousCA = "rendezvous.ca"
    case rendezvousUser = "rendezvous.user"
    case rendezvousPassword = "rendezvous.password-file"
    case rendezvousMailbox = "rendezvous.mailbox"
    case rendezvousHours = "rendezvous.hours"

    /// What may stand after the equals sign.
    package enum Values: Hashable, Sendable {
        /// One of these words.
        case words([String])
        /// Any text; the default is no text. With its name in the manual, and an example that
        /// works.
        case text(String, sample: String)
    }

    /// What may stand after the equals sign.
    package var values: Values {
        switch self {
        case .name: .text("NAME", sample: "ada")
        case .interface: .text("NAME", sample: "wlp2s0")
        case .color: .words(ColorSetting.allCases.map(\.rawValue))
        case .ascii, .mouse, .notifyBell, .notifyPreview, .notifyParking, .rendezvousMailbox:
            .words(["on", "off"])
        case .notify: .words(["on", "off", "mentions"])
        case .notifyDesktop: .words(DesktopSetting.allCases.map(\.rawValue))
        case .notifyOSC: .words(["off", "on", "tmux"])
        case .notifyCommand: .text("COMMAND", sample: "notify-send -a seatagent")
        case .lookupKey: .text("KEY", sample: "0a1b2c-3d4e5f")
        case .lookupURL: .text("URL", sample: "http://127.0.0.1:8080")
        case .calendarFeed: .text("FILE", sample: "~/seatagent.ics")
        case .confirmCommand: .text("COMMAND", sample: "fprintd-verify")
        case .locationCommand: .text("COMMAND", sample: "cat /run/position")
        case .geocodeURL: .text("URL", sample: "https://nominatim.openstreetmap.org")
        case .rendezvousURL: .text("URL", sample: "mqtts://meet.example.org")
        case .rendezvousCA: .text("FILE", sample: "/etc/ssl/certs/meet.pem")
        case .rendezvousUser: .text("NAME", sample: "ada")
        case .rendezvousPassword: .text("FILE", sample: "~/.meet-password")
        case .rendezvousHours: .text("HOURS", sample: "24")
        }
    }

    /// The default; empty for texts.
    package var standard: String {
        switch self {
        case .name, .interface, .notifyCommand, .lookupKey, .calendarFeed, .confirmCommand,
            .locationCommand, .geocodeURL, .rendezvousURL, .rendezvousCA, .rendezvousUser,
            .rendezvousPassword:
            ""
        case .lookupURL: "https://aviation-edge.com/v2/public"
        case .color, .notifyDesktop: "auto"
        case .ascii, .notifyPreview, .notifyOSC: "off"
        case .mouse, .notify, .notifyBell, .notifyParking, .rendezvousMailbox: "on"
        case .rendezvousHours: "48"
        }
    }

    /// What the setting does, in one line.
    package var meaning: String {
        switch self {
        case .name: "the name others see, unless up says otherwise; default: passenger"
        case .interface: "the network interface, unless up says otherwise; default: all"
        case .color: "colours; auto: on a terminal, unless NO_COLOR is set"
        case .ascii: "use ASCII characters only"
        case .mouse: "use the mouse on the seat map of the view"
        case .notify: "notices; mentions: only requests, messages to you, your name or seat"
        case .notifyBell: "ring the bell of the terminal"
        case .notifyDesktop: "desktop notices; auto: if there is a session bus"
        case .notifyPreview: "notices show the text of a message, not only its sender"
        case .notifyOSC: "notices by escape sequences of the terminal; tmux: also through tmux"
        case .notifyCommand:
            "program for desktop notices, run with title and text; default: notify-send"
        case .notifyParking: "notices before and when the time of a parked car is up"
        case .lookupKey:
            "key of a schedule service, for seatagent lookup; without it nobody is asked"
        case .lookupURL: "address of a schedule service with the interface of AviationEdge"
        case .calendarFeed:
            "calendar file, written again when flights, bookings or parked cars change"
        case .confirmCommand:
            "program run before unlock, profile delete and bookings; its exit code 0 is a yes"
        case .locationCommand:
            "program that prints where you are, as 45.5017,-73.5673, in place of GeoClue"
        case .geocodeURL:
            "address of a geocoder with the interface of Nominatim; without it nobody is asked"
        case .rendezvousURL:
            "meeting point for before a flight, an MQTT broker; without it there is none"
        case .rendezvousCA:
            "file of the authorities that sign its certificate; default: the system's"
        case .rendezvousUser: "user name there, if the meeting point wants one"
        case .rendezvousPassword: "file with the password for it"
        case .rendezvousMailbox: "leave your records there; off: others see them once you write"
        case .rendezvousHours: "hours before departure at which your agent goes there"
        }
    }

    /// The environment variable that overrides the file: `SEATAGENT_NOTIFY_BELL`.
    package var variable: String {
        "SEATAGENT_" + rawValue.uppercased().split(separator: ".").joined(separator: "_")
    }

    /// `on, off or mentions`, or the kind of text.
    package var choice: String {
        switch values {
        case .words(let words):
            words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
        case .text(let name, _): name
        }
    }

    /// A valid value, and not the default if there is another.
    package var sample: String {
        switch values {
        case .words(let words): words.first { $0 != standard } ?? standard
        case .text(_, let sample): sample
        }
    }

    /// A command line that sets it, quoted for a shell.
    var sampleLine: String {
        "seatagent config set \(rawValue) "
            + (sample.contains(" ") ? "\"\(sample)\"" : sample)
    }

    /// The key with that name. Throws ``ConfigFault`` with the nearest one.
    package init(text: String) throws(ConfigFault) {
        if let key = Self(rawValue: text) {
            self = key
            return
        }
        let nearest = Suggestions.nearest(to: text, among: Self.allCases.map(\.rawValue))
        throw ConfigFault(
            why: "\"\(text)\" is not a setting" + (nearest.map { "; \($0) is" } ?? ""))
    }

    /// `text` in the form in which it is stored. Throws ``ConfigFault`` if it is not a valid value.
    func check(_ text: String) throws(ConfigFault) -> String {
        switch values {
        case .words(let words):
            if words.contains(text) { return text }
            throw ConfigFault(why: "\(rawValue) is \(choice), not \"\(text)\"")
        case .text:
            if text.isEmpty { return text }
            guard text.unicodeScalars.allSatisfy({ $0.isSafeToPrint || $0 == "\t" }) else {
                throw ConfigFault(why: "\(rawValue) has characters that cannot be seen")
            }
        }
        switch self {
        case .name:
            do throws(UserError) {
                return try PassengerName.check(text, advice: "")
            } catch {
                throw ConfigFault(why: "name: \(error.what)")
            }
        case .interface:
            // IFNAMSIZ of Linux, including the final zero.
            guard text.utf8.count < 16, !text.contains(where: { $0 == "/" || $0.isWhitespace })
            else {
                throw ConfigFault(why: "\"\(text)\" cannot be the name of a network interface")
            }
            return text
        case .lookupKey:
            guard LookupSetting.isKey(text) else {
                throw ConfigFault(why: "lookup.key has letters, digits and - . _ only")
            }
            return text
        case .lookupURL, .geocodeURL:
            guard LookupSetting.isBase(text) else {
                throw ConfigFault(
                    why: "\(rawValue) begins with https://, or is on this machine, and has no / at "
                        + "its end")
            }
            return text
        case .rendezvousURL:
            do throws(UserError) {
                _ = try MeetAddress(parsing: text)
                return text
            } catch {
                throw ConfigFault(
                    why: [error.what, error.why].compactMap(\.self).joined(separator: ": "))
            }
        case .rendezvousCA, .rendezvousPassword, .calendarFeed:
            guard text.hasPrefix("/") || text.hasPrefix("~/"), !text.hasSuffix("/") else {
                throw ConfigFault(
                    why: "\(rawValue) is a file whose name begins with / or ~/")
            }
            return text
        case .rendezvousHours:
            guard let hours = Int(text), (1...Self.mostHours).contains(hours) else {
                throw ConfigFault(
                    why: "rendezvous.hours is a number from 1 to \(Self.mostHours)")
            }
            return "\(hours)"
        case .rendezvousUser:
            guard text.utf8.count <= 128 else {
                throw ConfigFault(why: "\(rawValue) has at most 128 bytes")
            }
            return text
        case .color, .ascii, .mouse, .notify, .notifyBell, .notifyDesktop, .notifyPreview,
            .notifyOSC, .notifyCommand, .confirmCommand, .notifyParking, .locationCommand,
            .rendezvousMailbox:
            return text
        }
    }

    /// A year.
    private static let mostHours = 8784
}

/// What is wrong with a setting, and on which line, if it stands in a file.
package struct ConfigFault: Error, Hashable, Sendable {
    /// Lines count from 1.
    package var line: Int?
    /// What is wrong, in half a sentence.
    package var why: String
}
