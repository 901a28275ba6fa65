// SPDX-License-Identifier: Apache-2.0
import Grammar
import Places
import Text
import Wording

/// `seatagent places`: streets with positions that the driver imported. It needs no agent.
struct PlacesCommand {
    private let call: Invocation
    private let shelf: PlaceShelf

    init(_ call: Invocation) {
        self.call = call
        shelf = PlaceShelf(call.place)
    }

    func run() throws(UserError) -> ExitCode {
        let words = call.operands
        guard let first = words.first else { return try list() }
        guard let word = PlacesWord(rawValue: first) else { throw Self.unknown(first) }
        guard words.count == 2 else {
            throw UserError(
                .usage,
                word == .import
                    ? "places import wants a file" : "places forget wants a name",
                advice: word == .import ? "seatagent help places" : "seatagent places")
        }
        return switch word {
        case .import: try add(words[1])
        case .forget: try forget(words[1])
        }
    }

    private static func unknown(_ word: String) -> UserError {
        let near = Suggestions.nearest(to: word, among: PlacesWord.words)
        return UserError(
            .usage, "places does not know \"\(visible(word, cells: 30))\"",
            why: "it knows " + PlacesWord.words.joined(separator: ", ")
                + (near.map { "; the nearest is \($0)" } ?? ""),
            advice: "seatagent help places")
    }

    private func add(_ path: String) throws(UserError) -> ExitCode {
        let (item, content, isNew) = try shelf.keep(path)
        let code = call.finish(
            Self.json(item, count: content.count).adding(["new": .bool(isNew)]),
            [
                "\(isNew ? "Imported" : "Replaced") \(item.name): \(Self.counted(content)).",
                "It is a copy: a change in your file counts once you import it again.",
            ])
        call.hint("Now seatagent park add finds these streets: --street '12 Main St'")
        return code
    }

    private func forget(_ name: String) throws(UserError) -> ExitCode {
        let items = try shelf.forget(name)
        return call.finish(
            ["forgotten": .array(items.map { .string($0.name) })],
            ["\(name) is forgotten. Positions of your parked cars stay as they are."])
    }

    private func list() throws(UserError) -> ExitCode {
        let items = shelf.items
        var rows: [JSON] = []
        var lines: [String] = []
        let width = items.map { cellWidth($0.name) }.max() ?? 0
        for item in items {
            do throws(UserError) {
                let content = try shelf.read(item)
                rows.append(Self.json(item, count: content.count))
                lines.append("\(padded(item.name, to: width))  \(Self.counted(content))")
            } catch {
                rows.append(Self.json(item, count: nil))
                lines.append(
                    "\(padded(item.name, to: width))  cannot be read: \(error.why ?? error.what)")
            }
        }
        let code = call.finish(
            ["places": .array(rows)], items.isEmpty ? ["Nothing is imported."] : lines)
        if items.isEmpty { call.hint("Import a table name,lat,lon,city: seatagent help places") }
        return code
    }

    private static func json(_ item: PlaceShelf.Item, count: Int?) -> JSON {
        .object(present: [
            "name": .string(item.name), "kind": .string(item.kind.rawValue),
            "count": count.map(JSON.int),
        ])
    }

    /// `1204 places`, `venue Maple Towers, 1 position`.
    private static func counted(_ content: PlaceShelf.Content) -> String {
        let count = content.count
        switch content {
        case .gazetteer: return count == 1 ? "1 place" : "\(count) places"
        case .venue(let venue):
            return "venue \(venue.name), " + (count == 1 ? "1 position" : "\(count) positions")
        }
    }
}
