// SPDX-License-Identifier: Apache-2.0
import Grammar
import Owner
import Parking
import Text
import Venues

/// What is said of a parked car: options first, then answers on a terminal.
struct ParkingForm {
    private let call: Invocation
    private var words: [ParkingField: String] = [:]
    private(set) var building = ""
    private(set) var hours = 0
    private(set) var plate = ""
    private(set) var suite = ""
    private(set) var street: String?
    private(set) var at: Venue.Point?
    /// The plate as it was typed, if that is not how it is kept.
    private(set) var typedPlate: String?
    /// Whether the plate is that of the profile.
    private(set) var isOwnPlate = false

    private static let needed: [ParkingField] = [.building, .plate, .suite, .hours]
    /// How often a question is asked again.
    private static let tries = 3

    init(_ call: Invocation, building: String?) {
        self.call = call
        for field in ParkingField.allCases where field != .building {
            words[field] = call.line.value(field.rawValue)
        }
        words[.building] = building
    }

    /// A field that is not what it needs to be.
    static func wrong(_ fault: FormFault, _ name: String, _ advice: String) -> UserError {
        UserError(.usage, "\(name) is wrong", why: fault.sentence, advice: advice)
    }

    /// The command that says the same again, without street and position, for a shell.
    var line: String {
        "seatagent park add \(building) --plate \(plate) --suite \(suite) --hours \(hours)h"
    }

    /// Reads all, and asks for what is missing if somebody is there to answer.
    mutating func complete() throws(UserError) {
        if words[.plate] == nil {
            words[.plate] = try OwnerDetails.read(call.place)[.plate]
            isOwnPlate = words[.plate] != nil
        }
        let missing = Self.needed.filter { words[$0] == nil }
        guard missing.isEmpty || call.mayAsk else {
            let names = missing.map(\.rawValue)
            let last = names.count > 1 ? " and \(names[names.count - 1])" : ""
            throw UserError(
                .usage,
                (names.count > 1 ? names.dropLast().joined(separator: ", ") + last : names[0])
                    + (names.count > 1 ? " are missing" : " is missing"),
                why: missing.map { "\($0.rawValue): \($0.need)" }.joined(separator: "; "),
                advice: ParkWord.add.sampleLine)
        }
        for field in ParkingField.allCases {
            if let text = words[field] {
                do throws(FormFault) {
                    try take(field, text)
                } catch {
                    throw Self.wrong(error, field.rawValue, ParkWord.add.sampleLine)
                }
            } else if Self.needed.contains(field) {
                try ask(field)
            }
        }
    }

    /// What the options change in a record, each checked.
    func given() throws(UserError) -> [(inout ParkingRecord) -> Void] {
        var form = self
        var changes: [(inout ParkingRecord) -> Void] = []
        for field in ParkingField.allCases {
            guard let text = words[field] else { continue }
            do throws(FormFault) {
                try form.take(field, text)
            } catch {
                throw Self.wrong(error, "--\(field.rawValue)", ParkWord.change.sampleLine)
            }
            let form = form
            changes.append { record in form.put(field, &record) }
        }
        return changes
    }

    private func put(_ field: ParkingField, _ record: inout ParkingRecord) {
        switch field {
        case .building: record.building = building
        case .hours: record.hours = hours
        case .plate: record.plate = plate
        case .suite: record.suite = suite
        case .street: record.street = street
        case .at: record.at = at
        }
    }

    private mutating func take(_ field: ParkingField, _ text: String) throws(FormFault) {
        switch field {
        case .building: building = try field.code(text)
        case .hours: hours = try ParkingField.hours(text)
        case .suite: suite = try field.code(text)
        case .street: street = try ParkingField.street(text)
        case .at: at = try ParkingField.position(text)
        case .plate:
            plate = try field.code(text)
            typedPlate = plate == text.uppercased() ? nil : visible(text, cells: 40)
        }
    }

    private mutating func ask(_ field: ParkingField) throws(UserError) {
        let console = call.session.console
        for _ in 0..<Self.tries {
            console.prompt(field.question + " ")
            guard let text = console.readLine(), text.contains(where: { !$0.isWhitespace }) else {
                break
            }
            do throws(FormFault) {
                try take(field, text.singleBlanks)
                return
            } catch {
                call.note(error.sentence)
            }
        }
        throw UserError(.usage, "nothing was saved", advice: ParkWord.add.sampleLine)
    }
}
