// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Profile
package import Text

/// What the owner of a profile says of themselves: all of it, some of it or nothing. It stays on
/// this computer.
package struct OwnerDetails: Hashable, Sendable {
    private var values: [OwnerField: String] = [:]

    /// Nothing.
    package init() {}

    /// What a field holds; `nil` for nothing.
    package subscript(field: OwnerField) -> String? { values[field] }

    /// Whether no field holds anything.
    package var isEmpty: Bool { values.isEmpty }

    /// Sets a field, or clears it for an empty text. Throws for what does not fit.
    package mutating func set(_ field: OwnerField, _ text: String) throws(FormFault) {
        values[field] = text.isEmpty ? nil : try field.check(text)
    }
}

extension OwnerDetails {
    /// The version of the file's format.
    static let version = 1
    private static let keys = ["version"] + OwnerField.allCases.map(\.rawValue)

    /// The fields that hold something, for scripts.
    package var shown: JSON {
        .object(
            present: Dictionary(
                uniqueKeysWithValues: OwnerField.allCases.map { field in
                    (field.rawValue, self[field].map(JSON.string))
                }))
    }

    /// The JSON of the file.
    package var json: JSON { shown.adding(["version": .int(Self.version)]) }

    /// Reads the JSON of a file, each field in the form in which it is kept. Throws for the first
    /// fault.
    package init(json: JSON) throws(FormFault) {
        let form = try FormReader(json, Self.keys, whole: "the file")
        guard form["version"] == .int(Self.version) else {
            throw form.fault("version", "this program reads version \(Self.version)")
        }
        for field in OwnerField.allCases where form[field.rawValue] != nil {
            let text = try form.text(field.rawValue, bytes: MailAddress.longest)
            let kept = try field.check(text)
            guard kept == text else {
                throw form.fault(field.rawValue, "it is kept as \(visible(kept, cells: 60))")
            }
            values[field] = kept
        }
    }
}

/// The details on disk: one file of the profile, mode 0600, always replaced as a whole.
extension OwnerDetails {
    /// The stored details, or none. Throws `locked`, and `file` if they cannot be read.
    package static func read(_ place: ProfilePlace) throws(UserError) -> OwnerDetails {
        guard let bytes = try SealableFile.details.read(place) else { return OwnerDetails() }
        do throws(FormFault) {
            return try OwnerDetails(
                json: try FormReader.json(bytes, limit: SealableFile.limit, whole: "the file"))
        } catch {
            let path = SealableFile.details.path(place)
            throw UserError(
                .file, "your details cannot be read",
                why: "\(path): \(error.sentence); it is left as it is",
                advice: "mv \(ShellWord.quoted(path)) \(ShellWord.quoted(path + ".old"))")
        }
    }

    /// Changes the details: reads them, lets `body` change them, and writes them whole and durably.
    /// Writes nothing if `body` throws or changes nothing. Throws `locked` and `file`.
    package static func change<T>(
        _ place: ProfilePlace, _ body: (inout OwnerDetails) throws(UserError) -> T
    ) throws(UserError) -> T {
        let lock = try SealableFile.details.hold(place)
        defer { close(lock) }
        let before = try read(place)
        var details = before
        let result = try body(&details)
        if details != before {
            try SealableFile.details.write(Array((details.json.line + "\n").utf8), place)
        }
        return result
    }
}
