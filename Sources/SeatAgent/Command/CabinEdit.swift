// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Protocol
import Text
import Wording

/// `seatagent cabin edit`: edits an own layout in the user's editor.
struct CabinEdit {
    let call: Invocation
    /// The name of the layout.
    let id: String
    /// The layout in use, if that is the one being edited.
    var drawn: CabinLayout?

    private var shelf: CabinShelf { CabinShelf(call.place) }

    func run() throws(UserError) -> ExitCode {
        guard CabinReader.isID(id) else {
            throw UserError(
                .usage, "\"\(visible(id, cells: 40))\" is not a name for a layout",
                why: "small letters, digits and hyphens, a letter first, "
                    + "at most \(CabinLimits.id)",
                advice: "seatagent cabin edit mine")
        }
        let path = shelf.path(id)
        let edit = DraftEdit(
            call: call, path: path, draftPath: path + ".draft", name: "layout",
            command: "seatagent cabin edit \(id)", code: .badCabin)
        let isSaved = try edit.run(
            template: Array(try template().text.utf8),
            check: { (text) throws(DraftEdit.Fault) in _ = try layout(text) },
            save: { (text) throws(UserError) in
                if let layout = try? layout(text) { try shelf.save(layout) }
            })
        let result: JSON = ["path": .string(path), "id": .string(id)]
        guard isSaved else { return call.finish(result, ["Nothing was changed."]) }
        let code = call.finish(result, ["Saved \(path)."])
        if try isRedrawn() {
            call.hint("The cabin is drawn by it now.")
        } else {
            call.hint("Next: seatagent cabin use \(id)")
        }
        return code
    }

    /// The text of another layout under this name, or the bundled one of this name.
    private func template() throws(UserError) -> CabinLayout {
        let start =
            if let from = call.line.value("from") {
                try shelf.find(from)
            } else {
                CabinLayout.named(id) ?? drawn ?? .standard
            }
        if start.id == id { return start }
        return CabinLayout(
            id: id, name: id, airline: start.airline, type: start.type,
            source: ["taken from \(start.id)"], checkedOn: start.checkedOn, sure: .unverified,
            note: start.note, sections: start.sections, features: start.features)
    }

    private func layout(_ text: [UInt8]) throws(DraftEdit.Fault) -> CabinLayout {
        let layout: CabinLayout
        do throws(CabinFault) {
            layout = try CabinLayout.read(text)
        } catch {
            let isLine = error.place.hasPrefix("line")
            throw DraftEdit.Fault(
                place: isLine ? "on \(error.place)" : "at \(error.place)", why: error.why)
        }
        guard layout.id == id else {
            throw DraftEdit.Fault(
                place: "at id", why: "it says \(layout.id), and \(id) is being edited")
        }
        return layout
    }

    /// Whether the passenger suggests the earlier version to the others.
    private func isSuggested(_ client: ControlClient) throws(UserError) -> Bool {
        try client.ask(Op.Suggestions()).suggestions.contains { one in
            one.id == id && one.by.contains(where: \.me)
        }
    }

    /// Has an agent that draws the layout go on with the new one.
    private func isRedrawn() throws(UserError) -> Bool {
        do throws(UserError) {
            let client = try call.connect(deadline: call.deadline(standard: 10))
            guard try client.cabin().id == id else { return false }
            let used = try client.ask(Op.UseCabin(layout: id))
            if let layout = CabinLayout(told: used.cabin), try isSuggested(client) {
                _ = try CabinCommand.share(layout, client, call)
            }
            return true
        } catch {
            guard error.code == .noAgent else { throw error }
            return false
        }
    }
}
