// SPDX-License-Identifier: Apache-2.0
import Glibc
import Grammar
import Profile
import Text

/// `seatagent config`: lists, looks up and changes settings.
enum ConfigCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let words = call.operands
        guard let typed = words.first else { return try list(call) }
        guard let word = ConfigWord(rawValue: typed) else { throw unknown(typed) }
        switch (word, words.count) {
        case (.get, 2): return try get(call)
        case (.set, 3): return try set(call, to: words[2])
        case (.unset, 2): return try set(call, to: nil)
        case (.edit, 1): return try ConfigEdit(call: call).run()
        case (.path, 1): return try path(call)
        case (.get, let count), (.set, let count), (.unset, let count), (.edit, let count),
            (.path, let count):
            let what = count > 1 ? "has too many or too few words" : "wants to know which setting"
            throw UserError(.usage, "config \(typed) \(what)", advice: word.sampleLine)
        }
    }

    private static func unknown(_ word: String) -> UserError {
        let nearest = Suggestions.nearest(to: word, among: ConfigWord.words)
        return UserError(
            .usage, "config has no \(word)",
            why: "it has " + ConfigWord.words.joined(separator: ", "),
            advice: nearest.flatMap(ConfigWord.init)?.sampleLine ?? "seatagent config")
    }

    private static func key(_ text: String) throws(UserError) -> ConfigKey {
        do throws(ConfigFault) {
            return try ConfigKey(text: text)
        } catch {
            throw UserError(.usage, error.why, advice: "seatagent config")
        }
    }

    // MARK: Looking

    /// The settings, even if the line could run without them: here a faulty file matters.
    private static func config(_ call: Invocation) throws(UserError) -> Config {
        _ = try Config.load(call.place, environment: call.session.environment)
        return call.config
    }

    private static func list(_ call: Invocation) throws(UserError) -> ExitCode {
        let config = try config(call)
        let rows = ConfigKey.allCases.map { json($0, config.entry($0)) }
        let lines = ConfigKey.allCases.map { key in
            let entry = config.entry(key)
            return padded(key.rawValue, to: 18) + padded(shown(entry.value), to: 22)
                + entry.source.text
        }
        let code = call.finish(
            ["path": .string(call.place.configPath ?? ""), "settings": .array(rows)], lines)
        call.hint("Next: seatagent config edit, seatagent help config")
        return code
    }

    private static func get(_ call: Invocation) throws(UserError) -> ExitCode {
        let key = try key(call.operands[1])
        let entry = try config(call).entry(key)
        return call.finish(json(key, entry), [entry.value])
    }

    private static func path(_ call: Invocation) throws(UserError) -> ExitCode {
        guard let path = call.place.configPath else {
            throw UserError(
                .usage, "there is no place for the config file",
                why: "neither HOME nor XDG_CONFIG_HOME is set",
                advice: "HOME=/tmp/me seatagent config path")
        }
        return call.finish(["path": .string(path)], [path])
    }

    private static func shown(_ value: String) -> String { value.isEmpty ? "-" : visible(value) }

    private static func json(_ key: ConfigKey, _ entry: Config.Entry) -> JSON {
        let line: Int? =
            switch entry.source {
            case .section(_, let line), .file(let line): line
            case .option, .variable, .standard: nil
            }
        return .object(present: [
            "key": .string(key.rawValue), "value": .string(entry.value),
            "from": .string(entry.source.name), "line": line.map(JSON.int),
        ])
    }

    // MARK: Changing

    private static func set(_ call: Invocation, to value: String?) throws(UserError) -> ExitCode {
        let key = try key(call.operands[1])
        // Only options of this line: a variable that is set once must not scatter settings.
        let profile = call.line.has("profile") ? call.place.profile : nil
        try ConfigStore(call.place).set(key, to: value, of: profile)
        let config = try Config.load(call.place, environment: call.session.environment)
        let entry = config.entry(key)
        let scope = profile.map { "profile \($0.text)" } ?? "all profiles"
        let line =
            value.map { "\(key.rawValue) = \(shown($0)) for \(scope)." }
            ?? "\(key.rawValue) is not set any more for \(scope)."
        let code = call.finish(json(key, entry), [line])
        switch entry.source {
        case .variable(let name) where entry.value != value:
            call.hint("But \(name) says \(shown(entry.value)), and wins.")
        case .section(let owner, let line) where profile == nil:
            call.hint("But profile \(owner.text) has \(shown(entry.value)), on line \(line).")
        case .option, .variable, .section, .file, .standard: break
        }
        return code
    }
}

extension Config.Source {
    /// The kind of place, for scripts: `variable`, `profile`, `file`, `default`, `option`.
    var name: String {
        switch self {
        case .option: "option"
        case .variable: "variable"
        case .section: "profile"
        case .file: "file"
        case .standard: "default"
        }
    }
}
