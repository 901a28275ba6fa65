// SPDX-License-Identifier: Apache-2.0
package import Text
package import Venues

/// What a venue asks whoever joins; the number is that of the answer in the form that goes to the
/// desk alone.
package enum JoinField: Int, CaseIterable, Hashable, Sendable {
    case name = 0
    case mail = 1
    case number = 2
    case suite = 3

    /// Bytes of a name, and of a number.
    static let longestName = 120
    static let longestNumber = 80
    /// Letters and digits of a suite.
    static let suiteLength = 2...5

    /// Its name on a command line and in complaints.
    package var word: String {
        switch self {
        case .name: "name"
        case .mail: "mail"
        case .number: "number"
        case .suite: "suite"
        }
    }

    /// The question on a terminal.
    package var question: String {
        switch self {
        case .name: "Your name:"
        case .mail: "Your e-mail address:"
        case .number: "Your number:"
        case .suite: "The suite that you visit:"
        }
    }
}

/// The answers of somebody who joins a venue. Each is checked before anything is sent.
package struct JoinAnswers: Hashable, Sendable {
    private let venue: Venue
    /// What was answered.
    package private(set) var answers: [JoinField: String] = [:]

    /// No answers yet.
    package init(_ venue: Venue) { self.venue = venue }

    /// An answer that was checked.
    package subscript(field: JoinField) -> String? { answers[field] }

    /// As the form has them, sorted by number.
    package var fields: [(number: Int, text: String)] {
        JoinField.allCases.compactMap { field in
            answers[field].map { (field.rawValue, $0) }
        }
    }

    // MARK: Questions

    /// What has to be answered, as far as the answers so far say: nobody is asked for a number
    /// unless a class of people with such an address has one.
    package var wanted: [JoinField] {
        guard venue.rules.join != .open else { return [] }
        return JoinField.allCases.filter { field in
            switch field {
            case .name, .mail: true
            case .number: numbered.contains { $0.mail != nil }
            case .suite: venue.rules.member == .suite
            }
        }
    }

    /// What may be answered too: a number, where a class has one for whatever address.
    package var optional: [JoinField] {
        venue.rules.join != .open && !wanted.contains(.number) && !numbered.isEmpty
            ? [.number] : []
    }

    /// The classes with a number of people with that address.
    private var numbered: [VenueClass] {
        let mail = answers[.mail]
        return venue.classes.filter { one in
            one.number != nil && (one.mail.map { mail.map($0.matches) ?? false } ?? true)
        }
    }

    /// An answer that would do, for a line to try.
    package func sample(_ field: JoinField) -> String {
        switch field {
        case .name: "Kiki de Vries"
        case .mail: "kiki@example.org"
        case .number:
            numbered.first?.number.map { String($0.text.map { "#?".contains($0) ? "1" : $0 }) }
                ?? "123456"
        case .suite: "12B"
        }
    }

    /// The next question; `nil` if all are answered.
    package var next: JoinField? { wanted.first { answers[$0] == nil } }

    // MARK: Answers

    /// Takes an answer. Throws for one that does not fit, and for a question that is not asked.
    package mutating func take(_ field: JoinField, _ text: String) throws(FormFault) {
        guard wanted.contains(field) || optional.contains(field) else {
            throw fault(field, "\(visible(venue.name, cells: 40)) does not ask for it")
        }
        let words = text.singleBlanks
        guard !words.isEmpty else { throw fault(field, "it is empty") }
        switch field {
        case .name:
            answers[field] = try FormReader.text(
                .string(words), field.word, bytes: JoinField.longestName)
        case .mail:
            if let why = MailAddress.fault(words) {
                throw fault(field, "\(why); it needs \(MailAddress.need)")
            }
            // What an address before asked for may not be asked any more.
            if answers[field] != words { answers[.number] = nil }
            answers[field] = words
        case .number: answers[field] = try number(words)
        case .suite: answers[field] = try suite(words)
        }
    }

    /// The pattern's own case counts for nothing, and blanks are not part of a number.
    private func number(_ words: String) throws(FormFault) -> String {
        let text = words.filter { $0 != " " }
        let patterns = numbered.compactMap(\.number)
        guard patterns.contains(where: { $0.matches(text) }) else {
            let like = patterns.prefix(3).map(\.text).joined(separator: " or ")
            throw fault(
                .number, "\"\(visible(text, cells: 40))\" is none: a number like \(like) is wanted")
        }
        return text
    }

    private func suite(_ words: String) throws(FormFault) -> String {
        let text = words.uppercased()
        guard JoinField.suiteLength.contains(text.utf8.count),
            text.utf8.allSatisfy({ 48...57 ~= $0 || 65...90 ~= $0 })
        else { throw fault(.suite, "2 to 5 letters and digits are wanted") }
        return text
    }

    /// Refuses answers that are not complete. Throws for the first that is missing.
    package func check() throws(FormFault) {
        if let field = next { throw fault(field, "it is missing") }
    }

    private func fault(_ field: JoinField, _ why: String) -> FormFault {
        FormFault(place: field.word, why: why)
    }
}
