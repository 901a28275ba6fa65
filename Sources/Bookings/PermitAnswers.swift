// SPDX-License-Identifier: Apache-2.0
package import Text

/// What a driver tells the desk of a building, and nobody else: the car, and whom it visits.
package struct PermitAnswers: Hashable, Sendable {
    /// A question, with the number of its answer in the form. The suite has the same number as
    /// where somebody joins.
    package enum Field: Int, CaseIterable, Hashable, Sendable {
        case suite = 3
        case plate = 4

        /// Letters and digits of an answer.
        package var count: ClosedRange<Int> {
            switch self {
            case .suite: JoinField.suiteLength
            case .plate: 2...8
            }
        }

        /// Its name in complaints.
        var word: String {
            switch self {
            case .suite: JoinField.suite.word
            case .plate: "plate"
            }
        }
    }

    /// The suite that the car visits.
    package let suite: String
    /// The car.
    package let plate: String

    /// The answers for a car, both in capital letters and digits.
    package init(plate: String, suite: String) {
        self.plate = plate
        self.suite = suite
    }

    /// Reads the fields of a form, which is hostile text: both answers, and no other. Throws for
    /// the first fault, in words that whoever sent it may read.
    package init(_ fields: [(number: Int, text: String)]) throws(FormFault) {
        var given: [Field: String] = [:]
        for (number, text) in fields {
            guard let field = Field(rawValue: number) else {
                throw FormFault(place: "field \(number)", why: "nobody asks for it")
            }
            guard given.updateValue(text, forKey: field) == nil else {
                throw FormFault(place: field.word, why: "it is there twice")
            }
        }
        suite = try Self.code(.suite, given)
        plate = try Self.code(.plate, given)
    }

    private static func code(
        _ field: Field, _ given: [Field: String]
    ) throws(FormFault) -> String {
        guard let text = given[field] else {
            throw FormFault(place: field.word, why: "it is missing")
        }
        let count = field.count
        guard count.contains(text.utf8.count),
            text.utf8.allSatisfy({ 48...57 ~= $0 || 65...90 ~= $0 })
        else {
            throw FormFault(
                place: field.word,
                why: "\(count.lowerBound) to \(count.upperBound) capital letters and digits are "
                    + "wanted")
        }
        return text
    }

    /// As the form has them, sorted by number.
    package var fields: [(number: Int, text: String)] {
        [(Field.suite.rawValue, suite), (Field.plate.rawValue, plate)]
    }
}
