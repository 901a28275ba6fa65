import Glibc

/// `seatagent config edit`: a copy in the person's editor, checked before it replaces the file.
struct ConfigEdit {
    let call: Invocation

    private var store: ConfigStore { ConfigStore(call.place) }
    private var console: Console { call.session.console }

    func run() throws(UserError) -> ExitCode {
        let before = try bytes(store.path)
        let start = before ?? Array(Self.template.utf8)
        // What was set since must not be undone by a text that began before.
        if let draft = changed(store.draftPath), let file = changed(store.path), draft < file {
            rename(store.draftPath, store.draftPath + ".old")
            call.hint("The file has changed since; your old text is in \(store.draftPath).old")
        }
        if try bytes(store.draftPath) == nil {
            try makeDraft(start)
        } else {
            call.hint("Going on with what was not saved the last time: \(store.draftPath)")
        }
        while true {
            try open(unchanged: start)
            let text = try bytes(store.draftPath) ?? []
            if text == start { return unchanged() }
            let file: ConfigFile
            do throws(ConfigFault) {
                file = try ConfigFile(text)
            } catch {
                guard try again(error) else { throw wrong(error) }
                continue
            }
            try save(file, over: before)
            return call.finish(["path": .string(store.path)], ["Saved \(store.path)."])
        }
    }

    /// What a new file begins with: every setting with its meaning, commented out.
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

    // MARK: Steps

    private func bytes(_ path: String) throws(UserError) -> [UInt8]? {
        try PrivateFile.read(path)
    }

    /// When a file was changed last, in nanoseconds since 1970; `nil` where there is none.
    private func changed(_ path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
    }

    private func makeDraft(_ bytes: [UInt8]) throws(UserError) {
        guard let path = call.place.configPath, let slash = path.lastIndex(of: "/") else {
            throw UserError(
                .usage, "there is no place for the config file",
                why: "neither HOME nor XDG_CONFIG_HOME is set",
                advice: "HOME=/tmp/me seatagent config edit")
        }
        try PrivateFile.makeDirectory(String(path[..<slash]))
        try PrivateFile.write(bytes, to: store.draftPath)
    }

    private func open(unchanged start: [UInt8]) throws(UserError) {
        let editor = Editor(environment: call.session.environment)
        do throws(UserError) {
            try editor.open(store.draftPath)
        } catch {
            if try bytes(store.draftPath) == start { unlink(store.draftPath) }
            throw error
        }
    }

    private func unchanged() -> ExitCode {
        unlink(store.draftPath)
        return call.finish(["path": .string(store.path)], ["Nothing was changed."])
    }

    private func save(_ file: ConfigFile, over before: [UInt8]?) throws(UserError) {
        guard try bytes(store.path) == before else {
            throw UserError(
                .changed, "the config file was changed meanwhile, yours is not saved",
                why: "your text is kept in \(store.draftPath)", advice: "seatagent config edit")
        }
        try store.write(file.lines)
        unlink(store.draftPath)
    }

    private func again(_ fault: ConfigFault) throws(UserError) -> Bool {
        guard call.mayAsk else { return false }
        for line in wrong(fault).lines.dropLast() { console.err(line) }
        return call.confirm("Not saved. Edit again?")
    }

    private func wrong(_ fault: ConfigFault) -> UserError {
        UserError(
            .badConfig,
            "not saved: the text is wrong" + (fault.line.map { " on line \($0)" } ?? ""),
            why: "\(fault.why); your text is kept in \(store.draftPath)",
            advice: "seatagent config edit")
    }
}

/// The person's editor, found as git finds it.
struct Editor: Hashable, Sendable {
    /// A command line for a shell.
    let command: String

    /// `$VISUAL`, else `$EDITOR`, else Debian's `editor`, else vi.
    init(environment: [String: String]) {
        let chosen = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty }
        command = chosen ?? (access("/usr/bin/editor", X_OK) == 0 ? "editor" : "vi")
    }

    /// Runs it on the file at `path` and waits. Throws `failed` where it could not be run or said
    /// that it failed.
    func open(_ path: String) throws(UserError) {
        // A shell takes the line apart, as git does: EDITOR may be "code --wait".
        let status = run(["sh", "-c", command + " \"$@\"", command, path])
        guard status != 0 else { return }
        let missing = status == 127
        throw UserError(
            .failed, "the editor " + (missing ? "is not there" : "ended with \(status)"),
            why: "it was run as: \(command)", advice: "EDITOR=vi seatagent config edit")
    }

    /// The exit code of the program; 128 and more for a signal, as a shell says it.
    private func run(_ arguments: [String]) -> Int32 {
        // Ctrl-C in the editor is the editor's.
        let interrupt = signal(SIGINT, SIG_IGN)
        let quit = signal(SIGQUIT, SIG_IGN)
        defer {
            signal(SIGINT, interrupt)
            signal(SIGQUIT, quit)
        }
        guard let child = try? ChildProcess(path: "/bin/sh", arguments: arguments).start(),
            let status = ChildProcess.wait(for: child)
        else { return 127 }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
}
