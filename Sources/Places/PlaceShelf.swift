// SPDX-License-Identifier: Apache-2.0
import Keys
import Glibc
package import Profile
import System
package import Text
package import Venues

/// The imported files of one profile: gazetteers (`NAME.csv`) and files of venues (`NAME.json`) in
/// the folder `places` of its data directory, each with mode 0600.
package struct PlaceShelf: Sendable {
    /// What a file is.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case gazetteer, venue

        var ending: String { self == .gazetteer ? ".csv" : ".json" }
    }

    /// An imported file.
    package struct Item: Hashable, Sendable {
        package let name: String
        package let kind: Kind
    }

    /// What stands in a file.
    package enum Content: Hashable, Sendable {
        case gazetteer(Gazetteer)
        case venue(Venue)

        /// How many positions it has.
        package var count: Int {
            switch self {
            case .gazetteer(let gazetteer): gazetteer.places.count
            case .venue(let venue): venue.positions.count
            }
        }
    }

    /// Files of one profile: reading them all takes a second.
    package static let limit = 16
    private static let nameLimit = 40

    private let place: ProfilePlace

    /// The files of the profile at `place`.
    package init(_ place: ProfilePlace) { self.place = place }

    private var directory: String { place.dataDirectory + "/places" }

    private func path(_ item: Item) -> String { "\(directory)/\(item.name)\(item.kind.ending)" }

    /// The imported files by name, without checking that they can be read.
    package var items: [Item] {
        guard let folder = opendir(directory) else { return [] }
        defer { closedir(folder) }
        var items: [Item] = []
        while let entry = readdir(folder) {
            let file = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            for kind in Kind.allCases where file.hasSuffix(kind.ending) {
                let name = String(file.dropLast(kind.ending.count))
                if Self.isName(name) { items.append(Item(name: name, kind: kind)) }
            }
        }
        return items.sorted { ($0.name, $0.kind.ending) < ($1.name, $1.kind.ending) }
    }

    private static func isName(_ name: String) -> Bool {
        1...nameLimit ~= name.utf8.count && name.utf8.first != 45
            && name.utf8.allSatisfy { 48...57 ~= $0 || 97...122 ~= $0 || $0 == 45 || $0 == 95 }
    }

    /// The name under which a file is kept: its own in small letters, without folder and ending.
    static func name(of path: String) -> String {
        let file = path.split(separator: "/").last ?? ""
        let stem = file.firstIndex(of: ".").map { file[..<$0] } ?? file
        var name = ""
        for unit in stem.lowercased().utf8 {
            let isKept = 48...57 ~= unit || 97...122 ~= unit || unit == 95
            if isKept {
                name.unicodeScalars.append(Unicode.Scalar(unit))
            } else if !name.isEmpty, name.last != "-" {
                name += "-"
            }
            if name.utf8.count == nameLimit { break }
        }
        while name.last == "-" { name.removeLast() }
        return name.isEmpty ? "places" : name
    }

    // MARK: Reading

    /// What stands in an imported file. Throws `file` or `bad-places`.
    package func read(_ item: Item) throws(UserError) -> Content {
        let path = path(item)
        let bytes = try PrivateFile.read(path, limit: Gazetteer.fileLimit) ?? []
        do throws(FormFault) {
            return try Self.content(bytes, item.kind)
        } catch {
            throw UserError(
                .badPlaces, "the imported places \"\(item.name)\" cannot be read",
                why: error.sentence, advice: "seatagent places forget \(item.name)")
        }
    }

    private static func content(_ bytes: [UInt8], _ kind: Kind) throws(FormFault) -> Content {
        switch kind {
        case .gazetteer: return .gazetteer(try Gazetteer(csv: bytes))
        case .venue:
            guard let venue = try Self.venue(bytes) else {
                throw FormFault(place: "mode", why: "the cabin of an aeroplane stands nowhere")
            }
            guard !venue.positions.isEmpty else {
                throw FormFault(
                    place: "at", why: "neither the venue nor a place of it says where it is")
            }
            return .venue(venue)
        }
    }

    /// A venue's file, signed or not; `nil` for the cabin of an aeroplane.
    private static func venue(_ bytes: [UInt8]) throws(FormFault) -> Venue? {
        guard let primitives = SodiumPrimitives() else {
            throw FormFault(place: "signature", why: "this machine cannot check it")
        }
        return switch try VenueFile.read(bytes, primitives: primitives) {
        case .venue(let venue): venue
        case .signed(let signed): signed.venue
        case .cabin: nil
        }
    }

    // MARK: Changing

    /// Keeps the file at `path`, which is a venue's if it begins with a brace, in the place of one
    /// of its name. Throws `file`, `bad-places` or `too-long`.
    package func keep(
        _ path: String
    ) throws(UserError) -> (item: Item, content: Content, isNew: Bool) {
        guard let bytes = try PrivateFile.read(path, limit: Gazetteer.fileLimit) else {
            throw UserError(
                .file, "there is no file \(visible(path, cells: 60))", advice: "ls")
        }
        let first = bytes.first { ![9, 10, 13, 32].contains($0) }
        let kind: Kind = first == UInt8(ascii: "{") ? .venue : .gazetteer
        let content: Content
        do throws(FormFault) {
            content = try Self.content(bytes, kind)
        } catch {
            throw UserError(
                .badPlaces, "\(visible(path, cells: 60)) is not imported", why: error.sentence,
                advice: "seatagent help places")
        }
        let item = Item(name: Self.name(of: path), kind: kind)
        let before = items
        guard before.contains(item) || before.count < Self.limit else {
            throw UserError(
                .tooLong, "\(visible(path, cells: 60)) is not imported",
                why: "\(Self.limit) files are imported already",
                advice: "seatagent places forget \(before[0].name)")
        }
        try PrivateFile.makeDirectory(directory)
        let text =
            switch content {
            case .gazetteer(let gazetteer): gazetteer.csv
            case .venue(let venue): venue.text
            }
        try PrivateFile.write(Array(text.utf8), to: self.path(item), durably: true)
        return (item, content, !before.contains(item))
    }

    /// Deletes what was imported under that name. Throws `no-such-place`, or `file`.
    package func forget(_ name: String) throws(UserError) -> [Item] {
        let all = items
        let found = all.filter { $0.name == name }
        guard !found.isEmpty else {
            let near = Suggestions.nearest(to: name, among: all.map(\.name))
            throw UserError(
                .noSuchPlace, "nothing was imported as \"\(visible(name, cells: 40))\"",
                why: all.isEmpty
                    ? "nothing is imported"
                    : "there are " + all.map(\.name).joined(separator: ", "),
                advice: near.map { "seatagent places forget \($0)" } ?? "seatagent places")
        }
        for item in found where unlink(path(item)) != 0 {
            throw PrivateFile.failed("removed", path(item))
        }
        return found
    }
}
