// SPDX-License-Identifier: Apache-2.0
import Glibc
import System
import Terminal
import Text

/// A file in the user's editor: a copy is edited, and checked before it replaces the file. Nothing
/// typed is ever lost: a wrong draft is kept, and the next edit continues with it.
struct DraftEdit {
    /// What is wrong with a text: where, such as `on line 3` or nothing, and why.
    struct Fault: Error {
        let place: String
        let why: String
    }

    let call: Invocation
    /// The file.
    let path: String
    /// The copy that is edited.
    let draftPath: String
    /// What the file is called: `config file`.
    let name: String
    /// The command that continues with the draft.
    let command: String
    /// The error code for a wrong text.
    let code: ErrorCode

    private var console: Console { call.session.console }

    /// Opens the editor until the text is valid or the user gives up; `template` is the content of
    /// a new file. `check` throws for a wrong text, `save` replaces the file. `false` if nothing
    /// was changed.
    func run(
        template: [UInt8], check: ([UInt8]) throws(Fault) -> Void,
        save: ([UInt8]) throws(UserError) -> Void
    ) throws(UserError) -> Bool {
        let before = try PrivateFile.read(path)
        let start = before ?? template
        // A setting changed since must not be undone by a text that was begun before.
        if let draft = changed(draftPath), let file = changed(path), draft < file {
            rename(draftPath, draftPath + ".old")
            call.hint("The file has changed since; your old text is in \(draftPath).old")
        }
        if try PrivateFile.read(draftPath) == nil {
            try makeDraft(start)
        } else {
            call.hint("Going on with what was not saved the last time: \(draftPath)")
        }
        while true {
            try open(unchanged: start)
            let text = try PrivateFile.read(draftPath) ?? []
            if text == start {
                unlink(draftPath)
                return false
            }
            do throws(Fault) {
                try check(text)
            } catch {
                guard try again(error) else { throw wrong(error) }
                continue
            }
            guard try PrivateFile.read(path) == before else {
                throw UserError(
                    .changed, "the \(name) was changed meanwhile, yours is not saved",
                    why: "your text is kept in \(draftPath)", advice: command)
            }
            try save(text)
            unlink(draftPath)
            return true
        }
    }

    /// When a file was last changed, in nanoseconds since 1970; `nil` if there is none.
    private func changed(_ path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
    }

    private func makeDraft(_ bytes: [UInt8]) throws(UserError) {
        if let slash = draftPath.lastIndex(of: "/") {
            try PrivateFile.makeDirectory(String(draftPath[..<slash]))
        }
        try PrivateFile.write(bytes, to: draftPath)
    }

    private func open(unchanged start: [UInt8]) throws(UserError) {
        let editor = Editor(environment: call.session.environment)
        do throws(UserError) {
            try editor.open(draftPath, advice: command)
        } catch {
            if try PrivateFile.read(draftPath) == start { unlink(draftPath) }
            throw error
        }
    }

    private func again(_ fault: Fault) throws(UserError) -> Bool {
        guard call.mayAsk else { return false }
        for line in wrong(fault).lines.dropLast() { console.err(line) }
        return call.confirm("Not saved. Edit again?")
    }

    private func wrong(_ fault: Fault) -> UserError {
        UserError(
            code,
            "not saved: the text is wrong" + (fault.place.isEmpty ? "" : " \(fault.place)"),
            why: "\(fault.why); your text is kept in \(draftPath)", advice: command)
    }
}
