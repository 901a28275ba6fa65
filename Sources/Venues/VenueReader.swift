// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
package import Text

/// The members of a venue's file.
enum VenueKeys {
    static let version = 1
    /// In the order in which files have them.
    static let venue =
        ["version", "slug", "name", "about", "terms", "phone", "web", "address", "at", "zone"]
        + ["volume", "building", "hours", "closed", "open", "groups", "units", "places"]
        + ["classes", "money", "rules"]
    static let place =
        ["id", "name", "group", "mode", "count", "uses", "grain", "min", "max", "lengths"]
        + ["turnover", "hours", "address", "at", "card", "note", "classes"]
    static let classes = ["name", "mail", "number", "proof", "quota", "price"]
    static let quota = ["group", "minutes", "bookings"]
    static let price = ["hour", "day"]
    static let money = ["currency", "payto", "iban", "payee", "link", "payBy"]
    static let rules =
        ["join", "swaps", "ahead", "notice", "cancel", "arrive", "waiting", "together", "member"]
    static let group = ["name"]
    static let whole = "the venue"
}

extension Venue {
    /// Reads the text of a file, or a line that somebody sent. Throws ``FormFault`` for the first
    /// fault.
    package static func read(_ bytes: [UInt8]) throws(FormFault) -> Venue {
        try Venue(
            json: try FormReader.json(bytes, limit: VenueLimits.file, whole: VenueKeys.whole))
    }

    /// Reads a venue from parsed JSON. Throws ``FormFault`` for the first fault.
    package init(json: JSON) throws(FormFault) {
        try self.init(form: try FormReader(json, VenueKeys.venue, whole: VenueKeys.whole))
        let count = bytes.count
        guard count <= VenueLimits.bytes else {
            throw FormFault(
                place: VenueKeys.whole,
                why: "as one line it has \(count) bytes, \(VenueLimits.bytes) are allowed")
        }
    }

    private init(form: FormReader) throws(FormFault) {
        guard form["version"] == .int(VenueKeys.version) else {
            throw form.fault("version", "this program reads version \(VenueKeys.version)")
        }
        slug = try Self.slug(form)
        name = try form.text("name", bytes: VenueLimits.name)
        about = try form.optionalText("about", bytes: VenueLimits.words)
        terms = try form.optionalText("terms", bytes: VenueLimits.words)
        phone = try form.optionalText("phone", bytes: VenueLimits.name)
        web = try Self.link(form, "web")
        address = try form.optionalText("address", bytes: VenueLimits.text)
        at = try Point(form, "at")
        zone = try Self.zone(form)
        volume = try form.word("volume")
        building = try Self.building(form)
        hours = try OpeningHours(form, "hours")
        closed = try SpecialDay.read(form, "closed", mayBeOff: true)
        open = try SpecialDay.read(form, "open", mayBeOff: false)
        for (date, day) in closed.sorted(by: { $0.key < $1.key })
        where day.spans.isEmpty && open[date] != nil {
            throw form.fault("open", "\(date.text) is closed all day")
        }
        groups = try Self.groups(form)
        units = try Self.units(form)
        money = try VenueMoney(form.object("money", VenueKeys.money))
        classes = try VenueClass.read(form, groups: groups, hasMoney: money != nil)
        places = try VenuePlace.read(form, groups: groups, units: units, classes: classes)
        rules = try VenueRules(form)
    }

    static func slug(_ form: FormReader) throws(FormFault) -> String {
        let slug = try form.text("slug", bytes: VenueLimits.text)
        guard VenueSlug.isSlug(slug) else {
            throw form.fault("slug", "it needs \(VenueSlug.rule)")
        }
        return slug
    }

    static func link(_ form: FormReader, _ key: String) throws(FormFault) -> String? {
        let text = try form.optionalText(key, bytes: VenueLimits.text)
        guard let text else { return nil }
        let isLink = ["https://", "http://"].contains { text.hasPrefix($0) && text != $0 }
        guard isLink, text.utf8.allSatisfy({ 33...126 ~= $0 }) else {
            throw form.fault(key, "a link is wanted that begins with https://")
        }
        return text
    }

    private static func zone(_ form: FormReader) throws(FormFault) -> String {
        let zone = try form.text("zone", bytes: VenueLimits.name)
        let parts = zone.split(separator: "/", omittingEmptySubsequences: false)
        let isName = parts.allSatisfy { part in
            !part.isEmpty
                && part.utf8.allSatisfy {
                    48...57 ~= $0 || 65...90 ~= $0 & 0xDF || $0 == 0x2B || $0 == 0x2D || $0 == 0x5F
                }
        }
        guard isName else { throw form.fault("zone", "a zone as Europe/Amsterdam is wanted") }
        return zone
    }

    private static func building(_ form: FormReader) throws(FormFault) -> String? {
        let code = try form.optionalText("building", bytes: VenueLimits.name)
        guard let code else { return nil }
        guard code.utf8.count == 5, code.utf8.allSatisfy({ 48...57 ~= $0 || 65...90 ~= $0 })
        else {
            throw form.fault(
                "building", "it has \(code.count) characters and needs 5, of A to Z and 0 to 9")
        }
        return code
    }

    private static func groups(_ form: FormReader) throws(FormFault) -> [Group] {
        var groups: [Group] = []
        for entry in try form.entries("groups", most: VenueLimits.groups) {
            try check(key: entry)
            let inner = try FormReader(entry.value, VenueKeys.group, at: entry.place)
            groups.append(
                Group(key: entry.key, name: try inner.text("name", bytes: VenueLimits.name)))
        }
        return groups
    }

    private static func units(_ form: FormReader) throws(FormFault) -> [Unit] {
        var units: [Unit] = []
        for entry in try form.entries("units", most: VenueLimits.units) {
            try check(key: entry)
            let capacity = try FormReader.number(
                entry.value, entry.place, 1...VenueLimits.count)
            units.append(Unit(key: entry.key, capacity: capacity))
        }
        return units
    }

    private static func check(key entry: FormReader.Entry) throws(FormFault) {
        guard VenueSlug.isKey(entry.key) else {
            throw FormFault(
                place: entry.place,
                why: "its key needs small letters, digits and hyphens, no hyphen first, "
                    + "at most \(Limits.slug)")
        }
    }
}

extension Venue.Point {
    /// Reads `[52.3681, 4.8889]`; `nil` if it is left out.
    init?(_ form: FormReader, _ key: String) throws(FormFault) {
        guard let value = form[key] else { return nil }
        let list = value.list ?? []
        guard list.count == 2, let north = Self.read(list[0]), let east = Self.read(list[1]),
            let point = Venue.Point(north: north, east: east)
        else {
            throw form.fault(
                key,
                "degrees north and east as [52.3681, 4.8889] are wanted, from -90 to 90 and "
                    + "from -180 to 180, with at most 7 decimals")
        }
        self = point
    }

    /// Ten millionths of a degree; `nil` if there are more decimals, or it is no angle.
    private static func read(_ value: JSON) -> Int? {
        let degrees: Double
        switch value {
        case .int(let number): degrees = Double(number)
        case .double(let number): degrees = number
        case .null, .bool, .string, .array, .object: return nil
        }
        guard abs(degrees) <= 180 else { return nil }
        let parts = Int((degrees * Double(unit)).rounded())
        return Self.degrees(parts) == degrees ? parts : nil
    }

    private static func degrees(_ parts: Int) -> Double { Double(parts) / Double(unit) }

    /// The one form.
    var json: JSON { [.double(Self.degrees(north)), .double(Self.degrees(east))] }
}
