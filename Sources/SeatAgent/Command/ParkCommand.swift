// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Grammar
import Parking
import Protocol
import QR
import System
import Text
import Venues
import Wording

/// `seatagent park`: the driver's own list of parked cars. It needs no agent.
struct ParkCommand {
    let call: Invocation

    init(_ call: Invocation) { self.call = call }

    /// Options of more than one word of the command.
    private static let fields = ["plate", "suite", "hours", "street", "at"]

    func run() throws(UserError) -> ExitCode {
        let words = call.operands
        guard let first = words.first else {
            try allow([], of: "")
            return try list()
        }
        guard let word = ParkWord(rawValue: first) else { throw Self.unknown(first) }
        if words.count == 1, word != .add || !call.mayAsk {
            throw UserError(
                .usage,
                word == .add
                    ? "park add wants the code of a building"
                    : "park \(word.rawValue) wants the number of a record",
                advice: word == .add ? word.sampleLine : "seatagent park")
        }
        switch word {
        case .add:
            try allow(Self.fields, of: word.rawValue)
            return try add(words.count > 1 ? words[1] : nil)
        case .show:
            try allow([], of: word.rawValue)
            return try show(try number())
        case .change:
            try allow(Self.fields + ["building"], of: word.rawValue)
            return try change(try number())
        case .remove:
            try allow(["yes"], of: word.rawValue)
            return try remove(try number())
        case .route:
            try allow(["from", "no-qr"], of: word.rawValue)
            return try route(try number())
        }
    }

    private static func unknown(_ word: String) -> UserError {
        let near = Suggestions.nearest(to: word, among: ParkWord.words).flatMap(ParkWord.init)
        return UserError(
            .usage, "park does not know \"\(visible(word, cells: 30))\"",
            why: "it knows " + ParkWord.words.joined(separator: ", "),
            advice: near?.sampleLine ?? "seatagent help park")
    }

    private func allow(_ names: [String], of word: String) throws(UserError) {
        let all = Self.fields + ["building", "from", "no-qr", "yes"]
        guard let other = all.first(where: { call.line.has($0) && !names.contains($0) }) else {
            return
        }
        throw UserError(
            .usage, "park\(word.isEmpty ? "" : " " + word) takes no --\(other)",
            advice: "seatagent help park")
    }

    private func number() throws(UserError) -> Int {
        try call.numberOperand(
            1, name: "the N of park \(call.operands[0]) N", advice: "seatagent park") ?? 0
    }

    // MARK: Changing

    private func add(_ building: String?) throws(UserError) -> ExitCode {
        var form = ParkingForm(call, building: building)
        try form.complete()
        let now = SystemClock.utc()
        let book = try ParkingBook.read(call.place)
        let (known, reading) = (form.street.flatMap { book.position(of: $0) }, form)
        let record = try ParkingBook.change(call.place) { (book) throws(UserError) in
            try book.add { number in
                ParkingRecord(
                    number: number, since: now, building: reading.building,
                    hours: reading.hours, plate: reading.plate, suite: reading.suite,
                    street: reading.street, at: reading.at ?? known?.at)
            }
        }
        let code = call.finish(record.json, ["Saved:"] + ParkingText(record, in: book, now).lines)
        if let typed = form.typedPlate {
            call.hint("The plate is kept as \(record.plate); you typed \"\(typed)\".")
        }
        if record.at == nil {
            call.hint("It has no position, so there is no route yet. Add one:")
            call.hint("  seatagent park change \(record.number) --at 45.5017,-73.5673")
        } else if form.at == nil, let known {
            call.hint("The position is that of record \(known.number), of the same street.")
        }
        return code
    }

    private func change(_ number: Int) throws(UserError) -> ExitCode {
        let form = ParkingForm(call, building: call.line.value("building"))
        let given = try form.given()
        guard !given.isEmpty else {
            throw UserError(
                .usage, "park change wants to know what to change",
                why: "--building, --hours, --plate, --suite, --street and --at are there",
                advice: "seatagent park change \(number) --hours 12h")
        }
        let book = try ParkingBook.change(call.place) { (book) throws(UserError) in
            var record = try book.find(number)
            for change in given { change(&record) }
            book.put(record)
            return book
        }
        let record = try book.find(number)
        return call.finish(
            record.json, ["Changed:"] + ParkingText(record, in: book, SystemClock.utc()).lines)
    }

    private func remove(_ number: Int) throws(UserError) -> ExitCode {
        let record = try ParkingBook.read(call.place).find(number)
        if !call.line.has("yes") {
            guard call.mayAsk else {
                throw UserError(
                    .usage, "record \(number) is not removed without a yes",
                    advice: "seatagent park remove \(number) --yes")
            }
            guard call.confirm("Remove record \(number), \(record.plate) at \(record.building)?")
            else { return call.finish(["removed": .null], ["Nothing was removed."]) }
        }
        try ParkingBook.change(call.place) { (book) throws(UserError) in book.remove(number) }
        return call.finish(
            ["removed": .int(number)],
            ["Removed record \(number): \(record.plate) at \(record.building)."])
    }

    // MARK: Looking

    private func list() throws(UserError) -> ExitCode {
        let (book, now) = (try ParkingBook.read(call.place), SystemClock.utc())
        let rows = book.records.map { record in
            JSON.object(
                (record.json.members ?? [:]).merging(["left": .string(record.left(at: now))]) {
                    $1
                })
        }
        guard !book.records.isEmpty else {
            let code = call.finish(["records": .array(rows)], ["No car is parked."])
            call.hint("Save one: \(ParkWord.add.sampleLine)")
            return code
        }
        return call.finish(["records": .array(rows)], ParkingText.table(book.records, now))
    }

    private func show(_ number: Int) throws(UserError) -> ExitCode {
        let (book, now) = (try ParkingBook.read(call.place), SystemClock.utc())
        let record = try book.find(number)
        return call.finish(
            JSON.object(
                (record.json.members ?? [:]).merging(["left": .string(record.left(at: now))]) {
                    $1
                }), ParkingText(record, in: book, now).lines)
    }

    private func route(_ number: Int) throws(UserError) -> ExitCode {
        let record = try ParkingBook.read(call.place).find(number)
        guard let at = record.at else {
            throw UserError(
                .nothingFound, "record \(number) has no position",
                why: "the route begins with one",
                advice: "seatagent park change \(number) --at 45.5017,-73.5673")
        }
        let from: Venue.Point?
        do throws(FormFault) {
            from = try call.line.value("from").map { (text) throws(FormFault) in
                try ParkingField.position(text)
            }
        } catch {
            throw ParkingForm.wrong(error, "--from", ParkWord.route.sampleLine)
        }
        let picture = call.json || call.line.has("no-qr") ? nil : QRCode(at.link)
        let street = record.street.map { ", \($0)" } ?? ""
        var lines = ["\(record.plate) at \(record.building)\(street)"]
        if let from { lines.append("  way    \(from.way(to: at))") }
        lines += ["  phone  \(at.link)", "  map    \(at.mapLink)"]
        lines += picture?.lines(ascii: call.ascii) ?? []
        return call.finish(
            .object(present: [
                "number": .int(number), "geo": .string(at.link), "map": .string(at.mapLink),
                "metres": from.map { .double($0.distance(to: at).rounded()) },
                "degrees": from.map { .double($0.bearing(to: at).rounded()) },
            ]), lines)
    }
}
