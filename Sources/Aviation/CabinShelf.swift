// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Profile
import System
package import Text

extension CabinLayout {
    /// The layouts that come with the program, the standard one first, then by name.
    package static let bundled: [CabinLayout] = {
        let others = BundledCabins.texts.compactMap { try? CabinLayout.read(Array($0.utf8)) }
            .filter { $0.id != standard.id }
        return [standard] + others.sorted { $0.id < $1.id }
    }()

    /// The bundled layout of that name.
    package static func named(_ id: String) -> CabinLayout? { bundled.first { $0.id == id } }
}

/// The layouts of one profile: the bundled ones, and its own, which take precedence.
///
/// Own layouts are files `ID.json` in the folder `cabins` of the data directory.
package struct CabinShelf: Sendable {
    /// The folder of the profile's own layouts.
    let directory: String

    init(directory: String) { self.directory = directory }

    /// The layouts of the profile at `place`.
    package init(_ place: ProfilePlace) { self.init(directory: place.dataDirectory + "/cabins") }

    /// Path of the own layout of that name.
    package func path(_ id: String) -> String { directory + "/\(id).json" }

    /// The names of the profile's own layouts, sorted, without checking that they can be read.
    package var ownNames: [String] {
        guard let folder = opendir(directory) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasSuffix(".json") else { continue }
            let id = String(name.dropLast(5))
            if CabinReader.isID(id) { names.append(id) }
        }
        return names.sorted()
    }

    /// The profile's own layout of that name; `nil` if there is none. Throws `bad-cabin` for a
    /// faulty file.
    func own(_ id: String) throws(UserError) -> CabinLayout? {
        guard CabinReader.isID(id), let bytes = try PrivateFile.read(path(id)) else { return nil }
        let layout: CabinLayout
        do throws(CabinFault) {
            layout = try CabinLayout.read(bytes)
        } catch {
            throw UserError(
                .badCabin, "the layout in \(path(id)) is wrong", why: error.sentence,
                advice: "seatagent cabin edit \(id)")
        }
        guard layout.id == id else {
            throw UserError(
                .badCabin, "the layout in \(path(id)) is wrong",
                why: "id: it says \(layout.id), and the file's name says \(id)",
                advice: "seatagent cabin edit \(id)")
        }
        return layout
    }

    /// The layout of that name. Throws `no-such-cabin`, or `bad-cabin` for a faulty file.
    package func find(_ word: String) throws(UserError) -> CabinLayout {
        let id = word.lowercased()
        if let layout = try own(id) ?? CabinLayout.named(id) { return layout }
        let all = CabinLayout.bundled.map(\.id) + ownNames
        let near = Suggestions.nearest(to: id, among: all)
        throw UserError(
            .noSuchCabin, "there is no cabin layout \"\(visible(word, cells: 40))\"",
            why: near.map { "the nearest is \($0)" },
            advice: near.map { "seatagent cabin show \($0)" } ?? "seatagent cabins")
    }

    /// Saves an own layout under its name. Throws `file`.
    package func save(_ layout: CabinLayout) throws(UserError) {
        try PrivateFile.makeDirectory(directory)
        try PrivateFile.write(Array(layout.text.utf8), to: path(layout.id))
    }
}
