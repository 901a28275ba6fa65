// SPDX-License-Identifier: Apache-2.0
@testable import Grammar
@testable import Launch
import Testing

@testable import Profile
@testable import SeatAgent
@testable import System

private let bo = try? ProfileName("bo")

private func file(_ text: String) throws -> ConfigFile { try ConfigFile(Array(text.utf8)) }

/// `LINE: why` of the fault, or nothing.
private func fault(_ text: String) -> String? {
    do throws(ConfigFault) {
        _ = try ConfigFile(Array(text.utf8))
        return nil
    } catch {
        return "\(error.line ?? 0): \(error.why)"
    }
}

@Suite("The config file")
struct ConfigFileTests {
    private static let sample = """
        # mine
        name = ada
          notify.bell=off\r

        [ profile  bo ]
        name =   bo \t
        interface =
        """

    @Test("Keys, values, sections, comments, blanks, carriage returns")
    func reads() throws {
        let file = try file(Self.sample)
        #expect(file.setting(.name, of: nil)?.value == "ada")
        #expect(file.setting(.notifyBell, of: nil)?.value == "off")
        #expect(file.setting(.notifyBell, of: nil)?.line == 3)
        #expect(file.setting(.name, of: bo)?.value == "bo")
        #expect(file.setting(.interface, of: bo)?.value == "")
        #expect(file.setting(.mouse, of: nil) == nil)
        #expect(file.setting(.notifyBell, of: bo) == nil)
        #expect(file.text == Self.sample + "\n")
        #expect(try SeatAgentTests.file("") == .empty)
    }

    @Test("What is wrong is named with its line")
    func faults() {
        #expect(fault("mouse = on\nmoose = on\n") == "2: \"moose\" is not a setting; mouse is")
        #expect(fault("frobnicate = 1") == "1: \"frobnicate\" is not a setting")
        #expect(fault("\n\nmouse on") == "3: there is no = in \"mouse on\"")
        #expect(fault("mouse = yes") == "1: mouse is on or off, not \"yes\"")
        #expect(fault("mouse =") == "1: mouse is on or off, not \"\"")
        #expect(fault("notify = no") == "1: notify is on, off or mentions, not \"no\"")
        #expect(
            fault("mouse = on # always")
                == "1: mouse is on or off, not \"on # always\"; comments have lines of their own")
        #expect(fault("name = ada\nname = bo") == "2: name was set on line 1")
        #expect(
            fault("[profile bo]\n[profile bo]") == "2: this section began on line 1")
        #expect(
            fault("[bo]") == "1: a section begins with [profile NAME], not with \"[bo]\"")
        #expect(fault("[profile b/o]")?.hasPrefix("1: \"b/o\" cannot be the name") == true)
        #expect(
            fault("interface = a b") == "1: \"a b\" cannot be the name of a network interface")
        #expect(fault("interface = wlp0s20f3u1u2u3") == nil)
        #expect(fault("interface = wlp0s20f3u1u2u34") != nil)
        #expect(fault("name = a\u{202E}b") == "1: name has characters that cannot be seen")
        #expect(fault("name = Captain Ada")?.hasPrefix("1: name: ") == true)
        #expect(fault("notify.command = notify-send #1 -- x") == nil)
        do throws(ConfigFault) {
            _ = try ConfigFile([0x23, 10, 0xFF, 10])
            Issue.record("not UTF-8, and taken")
        } catch {
            #expect(error == ConfigFault(line: 2, why: "this is not UTF-8"))
        }
    }

    @Test("Setting keeps comments, order and spacing")
    func sets() throws {
        let file = try file("# a\nname  =  ada\n\n# for bo\n[profile bo]\nname=bo\n# end\n")
        func set(_ key: ConfigKey, _ value: String, _ profile: ProfileName?) -> String {
            file.setting(key, to: value, of: profile).joined(separator: "|")
        }
        let tail = "|# for bo|[profile bo]|name=bo|# end"
        #expect(set(.name, "cy", nil) == "# a|name  =  cy|" + tail)
        #expect(set(.mouse, "off", nil) == "# a|name  =  ada|mouse = off|" + tail)
        #expect(
            set(.name, "b", bo) == "# a|name  =  ada||# for bo|[profile bo]|name= b|# end")
        #expect(
            set(.mouse, "off", bo)
                == "# a|name  =  ada||# for bo|[profile bo]|name=bo|mouse = off|# end")
        let cy = try ProfileName("cy")
        #expect(set(.name, "cy", cy).hasSuffix("|# end||[profile cy]|name = cy"))
        #expect(
            file.removing(.name, of: nil).joined(separator: "|") == "# a|" + tail)
        #expect(file.removing(.mouse, of: nil) == file.lines)
    }

    @Test("The first setting for all stands above the first section and its comment")
    func firstOfAll() throws {
        let file = try file("# head\n\n# for bo\n[profile bo]\n")
        let lines = file.setting(.mouse, to: "off", of: nil)
        #expect(lines == ["# head", "", "mouse = off", "", "# for bo", "[profile bo]"])
        #expect(ConfigFile.empty.setting(.mouse, to: "off", of: nil) == ["mouse = off"])
        #expect(
            ConfigFile.empty.setting(.mouse, to: "off", of: bo)
                == ["[profile bo]", "mouse = off"])
    }

    @Test(
        "After any setting of any key the file is read with that value",
        arguments: ConfigKey.allCases)
    func setsAll(key: ConfigKey) throws {
        for start in [Self.sample, "", "# x", ConfigEdit.template] {
            for profile in [nil, bo] {
                let lines = try file(start).setting(key, to: key.sample, of: profile)
                let after = try ConfigFile(lines: lines)
                #expect(after.setting(key, of: profile)?.value == key.sample)
                let gone = try ConfigFile(lines: after.removing(key, of: profile))
                #expect(gone.setting(key, of: profile) == nil)
            }
        }
    }
}

@Suite("What holds")
struct ConfigTests {
    private func config(_ text: String, _ environment: [String: String] = [:]) throws -> Config {
        let profile = try ProfileName("bo")
        return try Config(file(text), profile: profile, environment: environment)
    }

    @Test("Option, variable, section, file, default: each wins over the next")
    func layers() throws {
        let text =
            "notify = off\nmouse = off\n[profile bo]\nnotify = mentions\n[profile x]\nascii = on"
        let variables = ["SEATAGENT_NOTIFY": "on", "SEATAGENT_NOTIFY_BELL": ""]
        let own = try ProfileName("bo")
        #expect(
            try config(text).entry(.notify)
                == Config.Entry(value: "mentions", source: .section(own, line: 4)))
        #expect(
            try config(text).entry(.mouse)
                == Config.Entry(value: "off", source: .file(line: 2)))
        #expect(
            try config(text).entry(.ascii) == Config.Entry(value: "off", source: .standard))
        let over = try config(text, variables)
        #expect(
            over.entry(.notify)
                == Config.Entry(value: "on", source: .variable("SEATAGENT_NOTIFY")))
        #expect(over.isOn(.notify) && over.isOn(.notifyBell) && !over.isOn(.mouse))
        let top = try over.with(.notify, "off", option: "--quiet")
        #expect(top.value(.notify) == "off" && top.entry(.notify).source.text == "--quiet")
    }

    @Test("A variable that is wrong is named")
    func wrongVariable() {
        #expect(throws: ConfigFault(why: "SEATAGENT_MOUSE: mouse is on or off, not \"x\"")) {
            try config("", ["SEATAGENT_MOUSE": "x"])
        }
    }

    @Test("Every default and every sample may stand in the file", arguments: ConfigKey.allCases)
    func values(key: ConfigKey) throws {
        #expect(try key.check(key.standard) == key.standard)
        #expect(try key.check(key.sample) == key.sample)
        #expect(try ConfigKey(text: key.rawValue) == key)
    }

    @Test("The file that one begins with sets nothing, and says everything when uncommented")
    func template() throws {
        let plain = try file(ConfigEdit.template)
        #expect(plain.sections.count == 1 && plain.sections[0].settings.isEmpty)
        let lines = plain.lines.map { line in
            line.hasPrefix("#") && !line.hasPrefix("# ") ? String(line.dropFirst()) : line
        }
        let full = try ConfigFile(lines: lines)
        #expect(full.sections[0].settings.map(\.key) == ConfigKey.allCases)
    }

    @Test("examples/config.example is that file")
    func example() throws {
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let bytes = try PrivateFile.read("/\(root)/examples/config.example")
        #expect(bytes.map { String(decoding: $0, as: UTF8.self) } == ConfigEdit.template)
    }

    @Test("What was not typed is filled from what is set")
    func filled() throws {
        let config = try config("name = ada\ninterface = lo")
        let typed = StoredOptions(values: ["seat": ["14C"], "name": ["cy"]], at: SystemClock.utc())
        #expect(
            typed.filled(from: config).values
                == ["seat": ["14C"], "name": ["cy"], "interface": ["lo"]])
        #expect(typed.filled(from: .standard) == typed)
    }
}
