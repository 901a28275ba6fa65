// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Grammar
import Protocol
import Text
import Trips
import Wording

/// `seatagent cabins` and `seatagent cabin`: lists, shows, chooses and edits layouts.
enum CabinCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let words = call.operands
        guard let typed = words.first else { return try show(inUse(call), call) }
        guard let word = CabinWord(rawValue: typed) else { throw unknown(typed) }
        switch (word, words.count) {
        case (.show, 1): return try show(inUse(call), call)
        case (.show, 2): return try show(found(words[1], call).layout, call)
        case (.use, 2): return try use(words[1], call)
        case (.edit, 1):
            let drawn = try inUse(call)
            return try CabinEdit(call: call, id: drawn.id, drawn: drawn).run()
        case (.edit, 2): return try CabinEdit(call: call, id: words[1].lowercased()).run()
        case (.accept, _): return try answer(true, words.dropFirst().first, call)
        case (.decline, _): return try answer(false, words.dropFirst().first, call)
        case (.suggestions, 1): return try suggestions(call)
        case (.show, _), (.use, _), (.edit, _), (.suggestions, _):
            let isWhole = words.count > 2 || word == .suggestions
            let what = isWhole ? "has too many words" : "wants to know which layout"
            throw UserError(.usage, "cabin \(typed) \(what)", advice: word.sampleLine)
        }
    }

    private static func unknown(_ word: String) -> UserError {
        // A layout alone is meant to be seen.
        let layout = CabinLayout.named(word.lowercased())?.id
        let nearest = Suggestions.nearest(to: word, among: CabinWord.words)
        return UserError(
            .usage, "cabin has no \(visible(word, cells: 40))",
            why: "it has " + CabinWord.words.joined(separator: ", "),
            advice: layout.map { "seatagent cabin show \($0)" }
                ?? nearest.flatMap(CabinWord.init)?.sampleLine ?? "seatagent cabins")
    }

    /// The layout that a running agent draws; the standard one without an agent.
    private static func inUse(_ call: Invocation) throws(UserError) -> CabinLayout {
        do throws(UserError) {
            return try call.connect(deadline: call.deadline(standard: 10)).cabin()
        } catch {
            guard error.code == .noAgent else { throw error }
            return .standard
        }
    }

    // MARK: All of them

    static func list(_ call: Invocation) throws(UserError) -> ExitCode {
        let shelf = CabinShelf(call.place)
        let used = try inUse(call)
        let own = shelf.ownNames
        var rows: [JSON] = []
        var lines: [String] = []
        var isKnown = false
        for id in own + CabinLayout.bundled.map(\.id).filter({ !own.contains($0) }) {
            do throws(UserError) {
                let layout = try shelf.find(id)
                // A layout that others suggest may have any name.
                let isUsed = layout.bytes == used.bytes
                isKnown = isKnown || isUsed
                rows.append(row(layout, isOwn: own.contains(id), isUsed: isUsed))
                lines.append((isUsed ? "* " : "  ") + line(layout, isOwn: own.contains(id)))
            } catch {
                rows.append(["id": .string(id), "own": true, "error": error.json])
                lines.append("  " + padded(id, to: 20) + "wrong: \(visible(error.why ?? ""))")
            }
        }
        let code = call.finish(["cabins": .array(rows)], lines)
        if !isKnown {
            call.hint("The cabin is drawn by another one: seatagent cabin suggestions")
        }
        call.hint("Next: seatagent cabin show \(CabinLayout.bundled.last?.id ?? used.id)")
        return code
    }

    /// `klm-e190   100  Embraer 190 ...`: a layout among others.
    static func line(_ layout: CabinLayout, isOwn: Bool) -> String {
        let count = "\(layout.seats.count)"
        return padded(layout.id, to: 20) + String(repeating: " ", count: max(3 - count.count, 0))
            + count
            + "  " + padded(layout.type, to: 22) + (isOwn ? "your own, " : "")
            + trust(layout)
    }

    private static func row(_ layout: CabinLayout, isOwn: Bool, isUsed: Bool) -> JSON {
        .object(present: [
            "id": .string(layout.id), "name": .string(layout.name), "type": .string(layout.type),
            "operator": layout.airline.map(JSON.string), "seats": .int(layout.seats.count),
            "sure": .string(layout.sure.rawValue), "checkedOn": .string(layout.checkedOn),
            "own": .bool(isOwn), "used": .bool(isUsed),
        ])
    }

    /// `partly sourced, 2026-11`.
    private static func trust(_ layout: CabinLayout) -> String {
        switch layout.sure {
        case .stated: "sourced, \(layout.checkedOn)"
        case .partly: "partly sourced, \(layout.checkedOn)"
        case .unverified: "unverified, \(layout.checkedOn)"
        case .invented: "made up"
        }
    }

    // MARK: One of them

    private static func show(
        _ layout: CabinLayout, _ call: Invocation
    ) throws(UserError) -> ExitCode {
        let picture = SeatPicture(marks: [:], cabin: layout, ascii: call.ascii, hasLegend: false)
        let drawn = call.line.has("wide") ? picture.lying : picture.upright
        return call.finish(["cabin": layout.json], facts(layout) + [""] + drawn + notes(layout))
    }

    private static func facts(_ layout: CabinLayout) -> [String] {
        [
            "\(layout.id): \(visible(layout.name))",
            "\(visible(layout.type)), \(layout.seats.count) seats, \(layout.extent)",
        ]
    }

    /// The notes about seats, and the sources.
    private static func notes(_ layout: CabinLayout) -> [String] {
        var lines: [String] = [""]
        for feature in CabinLayout.Feature.allCases {
            let items = (layout.json[feature.rawValue]?.list ?? []).map { item in
                item.text ?? item.number.map(String.init) ?? ""
            }
            guard !items.isEmpty else { continue }
            lines.append(padded(feature.words, to: 15) + items.joined(separator: " "))
        }
        for (index, text) in layout.source.enumerated() {
            lines.append(padded(index == 0 ? "source" : "", to: 15) + visible(text))
        }
        lines.append(padded("", to: 15) + trust(layout))
        for (index, text) in layout.note.enumerated() {
            lines.append(padded(index == 0 ? "note" : "", to: 15) + visible(text))
        }
        return lines
    }

    private static func use(_ word: String, _ call: Invocation) throws(UserError) -> ExitCode {
        // Looked up here first, so that a wrong name is reported even if no agent runs.
        let layout = try wanted(word, call)
        if let flight = call.line.value("flight") { return try use(layout, flight, call) }
        let client = try call.connect(deadline: call.deadline(standard: 10))
        let result = try client.ask(Op.UseCabin(layout: layout.id))
        let isTold = try share(layout, client, call)
        let code = call.finish(result, ["The cabin is drawn as \(visible(layout.name))."])
        let status = try client.ask(Op.Status()).reply
        if isTold, ReachText.known(status) != 0 {
            call.hint("It is suggested to the others too: seatagent cabin suggestions")
        }
        check(status.me.seats.map(\.text), layout, call)
        return code
    }

    /// The own layout of that name, or the bundled one; else one that others suggest, which becomes
    /// an own one.
    private static func wanted(_ word: String, _ call: Invocation) throws(UserError) -> CabinLayout
    {
        let found = try found(word, call)
        if found.isNew {
            try CabinShelf(call.place).save(found.layout)
            call.hint("Kept as your own: seatagent cabin edit \(found.layout.id)")
        }
        return found.layout
    }

    /// The same without storing it, and whether it is only a suggestion.
    private static func found(
        _ word: String, _ call: Invocation
    ) throws(UserError) -> (layout: CabinLayout, isNew: Bool) {
        do throws(UserError) {
            return (try CabinShelf(call.place).find(word), false)
        } catch {
            guard error.code == .noSuchCabin, let layout = try suggested(word.lowercased(), call)
            else { throw error }
            return (layout, true)
        }
    }

    /// Suggestions with that name, the most suggested first; `nil` if there are none, or no agent.
    private static func suggested(_ id: String, _ call: Invocation) throws(UserError)
        -> CabinLayout?
    {
        guard CabinReader.isID(id) else { return nil }
        do throws(UserError) {
            let client = try call.connect(deadline: call.deadline(standard: 10))
            let all = try client.ask(Op.Suggestions()).suggestions
            return all.lazy.compactMap { CabinLayout(told: $0.cabin) }.first { $0.id == id }
        } catch {
            guard error.code == .noAgent else { throw error }
            return nil
        }
    }

    /// Sets the layout for a flight of the list; an agent that is on the flight draws it at once.
    private static func use(
        _ layout: CabinLayout, _ word: String, _ call: Invocation
    ) throws(UserError) -> ExitCode {
        let trip = try TripBook.current(call.place).find(word)
        try layout.keep(for: trip.flight, call.place)
        do throws(UserError) {
            let client = try call.connect(deadline: call.deadline(standard: 10))
            if try client.ask(Op.Status()).flight.name == trip.flight.text {
                _ = try client.ask(Op.UseCabin(layout: layout.id))
                _ = try share(layout, client, call)
            }
        } catch {
            guard error.code == .noAgent else { throw error }
        }
        let code = call.finish(
            ["cabin": layout.json, "flight": .string(trip.flight.text)],
            ["\(trip.sentence) is drawn as \(visible(layout.name))."])
        check(trip.seats.map(\.text), layout, call)
        return code
    }

    /// Suggests the layout to the others, unless it is for this passenger only; returns whether it
    /// did. The standard cabin is never suggested.
    static func share(
        _ layout: CabinLayout, _ client: ControlClient, _ call: Invocation
    ) throws(UserError) -> Bool {
        guard !call.line.has("only-me") else { return false }
        do throws(UserError) {
            let isReal = layout.sure != .invented
            _ = try client.ask(Op.SuggestCabin(layout: isReal ? layout.id : nil))
            return isReal
        } catch {
            // It is drawn all the same: the agent is of an earlier version, or the layout is too
            // long to be sent.
            call.hint("The others are not told: \(visible(error.what)).")
            return false
        }
    }

    private static func suggestions(_ call: Invocation) throws(UserError) -> ExitCode {
        let result = try call.ask(Op.Suggestions())
        let lines = result.suggestions.flatMap { one -> [String] in
            let by = one.by.map { WhoText.tagged($0) }
            let line =
                (one.agreed ? "* " : "  ")
                + padded(visible(one.id, cells: 40), to: 20) + "\(by.count)  "
                + by.prefix(6).joined(separator: ", ") + (by.count > 6 ? " ..." : "")
            var lines = [line]
            if let own = CabinLayout.named(one.id),
                CabinLayout(told: one.cabin)?.bytes != own.bytes
            {
                lines.append("    (not the one of that name which comes with seatagent)")
            }
            if one.agreed, !one.hides.isEmpty {
                let seats = one.hides.prefix(6).map(\.text).joined(separator: ", ")
                lines.append("    (not asked about: it lacks \(seats), where somebody sits)")
            }
            return lines
        }
        let code = call.finish(result, lines.isEmpty ? ["Nobody suggests a layout."] : lines)
        if let asked = CabinAskText(result.asked) {
            call.hint(asked.line(slash: false) + ".")
        } else {
            call.hint("Next: seatagent cabins, seatagent cabin use LAYOUT")
        }
        return code
    }

    private static func check(_ seats: [String], _ layout: CabinLayout, _ call: Invocation) {
        for seat in seats where layout.words(seat) == nil {
            call.hint("Your \(visible(seat, cells: 4)) is not in it: \(layout.extent).")
        }
    }
}

extension CabinLayout.Feature {
    /// For people.
    fileprivate var words: String {
        switch self {
        case .exit: "exits"
        case .extraLegroom: "extra legroom"
        case .noWindow: "no window"
        case .nearToilet: "near a toilet"
        case .bulkhead: "behind a wall"
        }
    }
}
