// SPDX-License-Identifier: Apache-2.0
import Glibc
import System
package import Text

/// The settings of one profile. An option wins over a variable `SEATAGENT_*`, which wins over the
/// profile's section of the config file, over the rest of the file, and over the default.
package struct Config: Sendable {
    /// Where a value comes from.
    package enum Source: Hashable, Sendable {
        /// An option of the command line, with its dashes.
        case option(String)
        /// A variable of the environment.
        case variable(String)
        /// The profile's section, on this line.
        case section(ProfileName, line: Int)
        /// The part of the file for all profiles, on this line.
        case file(line: Int)
        /// Nothing is set.
        case standard

        /// `--ascii`, `SEATAGENT_ASCII`, `line 7, profile bo`, `line 3`, `default`.
        package var text: String {
            switch self {
            case .option(let name), .variable(let name): name
            case .section(let profile, let line): "line \(line), profile \(profile.text)"
            case .file(let line): "line \(line)"
            case .standard: "default"
            }
        }
    }

    /// A value and where it comes from.
    package struct Entry: Hashable, Sendable {
        /// As it is written in the file.
        package let value: String
        /// Which layer sets it.
        package let source: Source
    }

    private var entries: [ConfigKey: Entry]

    /// Nothing is set.
    package static let standard = Config(entries: [:])

    private init(entries: [ConfigKey: Entry]) { self.entries = entries }

    /// Puts the layers on top of one another. Throws ``ConfigFault`` for an invalid variable.
    init(
        _ file: ConfigFile, profile: ProfileName, environment: [String: String]
    ) throws(ConfigFault) {
        var entries: [ConfigKey: Entry] = [:]
        for key in ConfigKey.allCases {
            if let text = environment[key.variable], !text.isEmpty {
                do throws(ConfigFault) {
                    let value = try key.check(text)
                    entries[key] = Entry(value: value, source: .variable(key.variable))
                } catch {
                    throw ConfigFault(why: "\(key.variable): \(error.why)")
                }
            } else if let own = file.setting(key, of: profile) {
                entries[key] = Entry(
                    value: own.value, source: .section(profile, line: own.line))
            } else if let common = file.setting(key, of: nil) {
                entries[key] = Entry(value: common.value, source: .file(line: common.line))
            }
        }
        self.init(entries: entries)
    }

    /// The settings for the profile of `place`. Throws `bad-config` or `file`.
    package static func load(
        _ place: ProfilePlace,
        environment: [String: String] = ProcessEnvironment.variables()
    ) throws(UserError) -> Config {
        let file = try ConfigStore(place).read()
        do throws(ConfigFault) {
            return try Config(file, profile: place.profile, environment: environment)
        } catch {
            throw UserError(
                .badConfig, "a variable of the environment is wrong", why: error.why,
                advice: "env | grep SEATAGENT_")
        }
    }

    /// The value of `key`, or the default if nothing is set.
    package func value(_ key: ConfigKey) -> String { entry(key).value }

    /// What `color` holds.
    package var color: ColorSetting { ColorSetting(rawValue: value(.color)) ?? .auto }

    /// What `notify.desktop` holds.
    package var notifyDesktop: DesktopSetting {
        DesktopSetting(rawValue: value(.notifyDesktop)) ?? .auto
    }

    /// Whether `key` is `on`.
    package func isOn(_ key: ConfigKey) -> Bool { value(key) == "on" }

    /// The value of `key`, and where it comes from.
    package func entry(_ key: ConfigKey) -> Entry {
        entries[key] ?? Entry(value: key.standard, source: .standard)
    }

    /// These settings with `key` set by an option of the command line. Throws `usage`.
    package func with(_ key: ConfigKey, _ value: String, option: String) throws(UserError) -> Config
    {
        do throws(ConfigFault) {
            var config = self
            config.entries[key] = Entry(
                value: try key.check(value), source: .option(option))
            return config
        } catch {
            throw UserError(
                .usage, "\(option): \(error.why)", advice: "seatagent seats \(option) \(key.sample)"
            )
        }
    }
}

/// The config file on disk.
package struct ConfigStore: Sendable {
    /// Where the file is or would be.
    package let path: String

    /// The file for `place`; there is none if neither `HOME` nor `XDG_CONFIG_HOME` is set.
    package init(_ place: ProfilePlace) { path = place.configPath ?? "" }

    /// The text that a person edits beside the file.
    package var draftPath: String { path + ".draft" }

    /// The file; empty if there is none. Throws `bad-config` with the line, or `file`.
    package func read() throws(UserError) -> ConfigFile {
        guard !path.isEmpty, let bytes = try PrivateFile.read(path) else { return .empty }
        do throws(ConfigFault) {
            return try ConfigFile(bytes)
        } catch {
            throw Self.wrong(path, error)
        }
    }

    /// Sets `key` for `profile` or for all; removes it if `value` is `nil`. Comments, order and all
    /// other lines stay. Throws `usage`, `bad-config` or `file`.
    package func set(
        _ key: ConfigKey, to value: String?, of profile: ProfileName? = nil
    ) throws(UserError) {
        let lock = try lockFolder()
        defer { close(lock) }
        let file = try read()
        guard let value else {
            return try write(file.removing(key, of: profile))
        }
        let checked: String
        do throws(ConfigFault) {
            checked = try key.check(value)
        } catch {
            throw UserError(.usage, error.why, advice: key.sampleLine)
        }
        try write(file.setting(key, to: checked, of: profile))
    }

    /// Replaces the file in one step, with mode 0600; if it is a link, replaces what it points to.
    package func write(_ lines: [String]) throws(UserError) {
        guard let slash = path.lastIndex(of: "/") else {
            throw UserError(
                .usage, "there is no place for the config file",
                why: "neither HOME nor XDG_CONFIG_HOME is set",
                advice: "HOME=/tmp/me seatagent config")
        }
        try PrivateFile.makeDirectory(String(path[..<slash]))
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        // A name that no other writer uses and that is not one of the user's own files.
        try PrivateFile.write(
            bytes, to: Self.target(of: path), suffix: ".seatagent-\(getpid())")
    }

    /// Keeps other writers out until it is closed, so that nothing changes between reading and
    /// writing.
    private func lockFolder() throws(UserError) -> Int32 {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "/"
        if !path.isEmpty { try PrivateFile.makeDirectory(folder) }
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor >= 0 { flock(descriptor, LOCK_EX) }
        return descriptor
    }

    private static func target(of path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// The error for a file that cannot be understood.
    static func wrong(_ path: String, _ fault: ConfigFault) -> UserError {
        UserError(
            .badConfig, "the config file is wrong" + (fault.line.map { " on line \($0)" } ?? ""),
            why: "\(path)\(fault.line.map { ":\($0)" } ?? ""): \(fault.why)",
            advice: "seatagent config edit")
    }
}
