// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Grammar
import Parking
import Places
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
        guard let first = call.operands.first else {
            try allow([], of: "")
            return reviving(try list())
        }
        guard let word = ParkWord(rawValue: first) else { throw Self.unknown(first) }
        let code = try run(word)
        switch word {
        case .show, .remove, .route: return reviving(code)
        case .add, .change, .remind, .permit: return code
        }
    }

    private func reviving(_ code: ExitCode) -> ExitCode {
        ParkRemind.revive(call)
        return code
    }

    private func run(_ word: ParkWord) throws(UserError) -> ExitCode {
        let words = call.operands
        try check(word, count: words.count)
        switch word {
        case .add:
            try allow(Self.fields + ["here", "no-permit", "yes"], of: word.rawValue)
            return try add(words.count > 1 ? words[1] : nil)
        case .show:
            try allow([], of: word.rawValue)
            return try show(try number())
        case .change:
            try allow(Self.fields + ["building", "here"], of: word.rawValue)
            return try change(try number())
        case .remove:
            try allow(["yes"], of: word.rawValue)
            return try remove(try number())
        case .route:
            try allow(["from", "here", "no-qr", "open"], of: word.rawValue)
            return try ParkRoute(call).run(try number())
        case .permit:
            try allow(["yes"], of: word.rawValue)
            return try ParkPermit(call, try ParkingBook.read(call.place).find(try number())).run()
        case .remind:
            try allow([], of: word.rawValue)
            var reminder = ParkRemind(call)
            return try reminder.run()
        }
    }

    /// Throws `usage` if words are missing, or too many.
    private func check(_ word: ParkWord, count: Int) throws(UserError) {
        if word == .remind, count > 1 {
            throw UserError(
                .usage, "park remind takes no more words",
                why: "it reminds of every car whose time runs", advice: word.sampleLine)
        }
        if count == 1, word != .remind, word != .add || !call.mayAsk {
            throw UserError(
                .usage,
                word == .add
                    ? "park add wants the code of a building"
                    : "park \(word.rawValue) wants the number of a record",
                advice: word == .add ? word.sampleLine : "seatagent park")
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
        let all = Self.fields + ["building", "from", "here", "no-permit", "no-qr", "open", "yes"]
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

    /// Throws `usage` if the position is given in two ways.
    private func checkHere(_ other: String) throws(UserError) {
        guard call.line.has("here"), call.line.has(other) else { return }
        throw UserError(
            .usage, "--here and --\(other) say two positions",
            why: "--here asks this computer for one", advice: "seatagent help park")
    }

    // MARK: Changing

    private func add(_ building: String?) throws(UserError) -> ExitCode {
        try checkHere("at")
        var form = ParkingForm(call, building: building)
        try form.complete()
        let now = SystemClock.utc()
        let places = ParkWhere(call, try ParkingBook.read(call.place))
        var found = try position(form, places)
        let reading = form
        let at = form.at ?? found.at
        let record = try ParkingBook.change(call.place) { (book) throws(UserError) in
            try book.add { number in
                ParkingRecord(
                    number: number, since: now, building: reading.building,
                    hours: reading.hours, plate: reading.plate, suite: reading.suite,
                    street: reading.street, at: at)
            }
        }
        if record.street == nil, found.near == nil { found.near = places.near(at) }
        let herald = ParkRemind.start(call)
        for line in ["Saved:"] + ParkingText(record, near: found.near, now).lines { call.say(line) }
        if let typed = form.typedPlate {
            call.hint("The plate is kept as \(record.plate); you typed \"\(typed)\".")
        }
        if form.isOwnPlate { call.hint("The plate is that of your profile.") }
        for remark in found.remarks { call.hint(remark) }
        if record.at == nil {
            call.hint("It has no position, so there is no route yet. Add one:")
            call.hint("  " + Self.atLine(record.number, found))
        }
        for hint in ParkRemind.hints(herald, record) { call.hint(hint) }
        let permit = try ParkPermit(call, record).added()
        return call.finish(
            permit.record.json.adding(present: found.json).adding(present: [
                "reminder": .string(herald.rawValue), "permit_error": permit.error?.json,
            ]), permit.lines)
    }

    /// Where the car stands that a form describes. A program that says no position keeps nobody
    /// from saving a record. Throws `usage` and `ambiguous`.
    private func position(
        _ form: ParkingForm, _ places: ParkWhere
    ) throws(UserError) -> ParkWhere.Found {
        guard form.at == nil else { return ParkWhere.Found() }
        guard call.line.has("here") else {
            return try places.street(form.street, building: form.building, line: form.line)
        }
        do throws(UserError) {
            var found = try places.here()
            if found.at == nil, let here = found.here {
                if mayBeRough(here) {
                    found.at = here.at
                } else {
                    found.remarks.append("That is too rough to find a car by, so it is not saved.")
                }
            }
            return found
        } catch {
            guard error.code == .failed else { throw error }
            return ParkWhere.Found(remarks: [error.what + ": " + (error.why ?? "")])
        }
    }

    /// Whether the driver wants a rough position in the record; without a terminal they do not.
    private func mayBeRough(_ here: DevicePosition) -> Bool {
        call.mayAsk
            && call.confirm(
                "You are at \(here.at.text), \(here.words ?? ""). Save that for the car?")
    }

    /// The line that gives a record its position: the one that was found and not taken, if any.
    private static func atLine(_ number: Int, _ found: ParkWhere.Found) -> String {
        let at = found.here.map { "=\($0.at.link.dropFirst("geo:".count))" }
        return "seatagent park change \(number) --at\(at ?? " 45.5017,-73.5673")"
    }

    private func change(_ number: Int) throws(UserError) -> ExitCode {
        try checkHere("at")
        let form = ParkingForm(call, building: call.line.value("building"))
        let given = try form.given()
        guard !given.isEmpty || call.line.has("here") else {
            throw UserError(
                .usage, "park change wants to know what to change",
                why: "--building, --hours, --plate, --suite, --street, --at and --here are there",
                advice: "seatagent park change \(number) --hours 12h")
        }
        let before = try ParkingBook.read(call.place)
        let old = try before.find(number)
        let places = ParkWhere(call, before)
        var found = ParkWhere.Found()
        if call.line.has("here") {
            found = try places.here()
            if found.at == nil, let here = found.here {
                guard mayBeRough(here) else {
                    throw UserError(
                        .failed, "your position is too rough to find a car by",
                        why: "it is \(here.at.text), \(here.words ?? "")",
                        advice: Self.atLine(number, found))
                }
                found.at = here.at
            }
        } else if let street = call.line.value("street"), !call.line.has("at") {
            if old.at == nil {
                found = try places.street(street, line: "seatagent park change \(number)")
            } else {
                found.remarks = ["Its position stays as it is; --at changes it."]
            }
        }
        let at = found.at
        let record = try ParkingBook.change(call.place) { (book) throws(UserError) in
            var record = try book.find(number)
            for change in given { change(&record) }
            if let at { record.at = at }
            book.put(record)
            return record
        }
        let herald = ParkRemind.start(call)
        if record.street == nil, found.near == nil { found.near = places.near(record.at) }
        let code = call.finish(
            record.json.adding(present: found.json).adding([
                "reminder": .string(herald.rawValue)
            ]),
            ["Changed:"] + ParkingText(record, near: found.near, SystemClock.utc()).lines)
        for remark in found.remarks { call.hint(remark) }
        if let permit = ParkingText.permit(record, SystemClock.utc()) {
            call.hint("Its permit stays as it was: seatagent bookings \(permit)")
        }
        return code
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
        let code = call.finish(
            ["removed": .int(number)],
            ["Removed record \(number): \(record.plate) at \(record.building)."])
        if let permit = ParkingText.permit(record, SystemClock.utc()) {
            call.hint("Its bay stays booked; to give it back: seatagent bookings cancel \(permit)")
        }
        return code
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
        let near = record.street == nil ? ParkWhere(call, book).near(record.at) : nil
        return call.finish(
            record.json.adding(present: [
                "left": .string(record.left(at: now)), "near": near?.json,
            ]), ParkingText(record, near: near, now).lines)
    }
}
