// SPDX-License-Identifier: Apache-2.0
import Profile
import Text

/// `seatagent config edit`: edits a copy in the user's editor, and checks it before it replaces the
/// file.
struct ConfigEdit {
    let call: Invocation

    private var store: ConfigStore { ConfigStore(call.place) }

    func run() throws(UserError) -> ExitCode {
        guard call.place.configPath != nil else {
            throw UserError(
                .usage, "there is no place for the config file",
                why: "neither HOME nor XDG_CONFIG_HOME is set",
                advice: "HOME=/tmp/me seatagent config edit")
        }
        let edit = DraftEdit(
            call: call, path: store.path, draftPath: store.draftPath, name: "config file",
            command: "seatagent config edit", code: .badConfig)
        let isSaved = try edit.run(
            template: Array(Self.template.utf8),
            check: { (text) throws(DraftEdit.Fault) in _ = try file(text) },
            save: { (text) throws(UserError) in
                if let file = try? file(text) { try store.write(file.lines) }
            })
        return call.finish(
            ["path": .string(store.path)],
            [isSaved ? "Saved \(store.path)." : "Nothing was changed."])
    }

    private func file(_ text: [UInt8]) throws(DraftEdit.Fault) -> ConfigFile {
        do throws(ConfigFault) {
            return try ConfigFile(text)
        } catch {
            throw DraftEdit.Fault(
                place: error.line.map { "on line \($0)" } ?? "", why: error.why)
        }
    }

    /// The content of a new file: every setting with its meaning, commented out.
    static let template: String = {
        var lines = [
            "# seatagent: what holds for all profiles. Lines are key = value; comments have lines",
            "# of their own. Below [profile NAME] stands what holds for that profile only.",
        ]
        for key in ConfigKey.allCases {
            lines += ["", "# \(key.rawValue): \(key.meaning)"]
            if case .words = key.values { lines.append("# \(key.choice)") }
            let value = key.standard.isEmpty ? key.sample : key.standard
            lines.append("#\(key.rawValue) = \(value)")
        }
        lines += ["", "#[profile bo]", "#name = bo"]
        return lines.map { $0 + "\n" }.joined()
    }()
}
