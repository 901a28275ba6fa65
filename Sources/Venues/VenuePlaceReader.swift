// SPDX-License-Identifier: Apache-2.0
import Text

extension VenuePlace {
    /// Reads all places. Throws for the first fault.
    static func read(
        _ form: FormReader, groups: [Venue.Group], units: [Venue.Unit], classes: [VenueClass]
    ) throws(FormFault) -> [VenuePlace] {
        var places: [VenuePlace] = []
        var own = 0
        for item in try form.objects("places", VenueKeys.place, count: 1...VenueLimits.places) {
            let place = try VenuePlace(item, units: units)
            if let group = place.group, !groups.contains(where: { $0.key == group }) {
                throw item.fault("group", "groups has no \(visible(group, cells: 24))")
            }
            if let other = place.classes.first(where: { name in
                !classes.contains { $0.name == name }
            }) {
                throw item.fault("classes", "no class is called \(visible(other, cells: 24))")
            }
            if let other = places.first(where: { $0.id == place.id }) {
                throw item.fault("id", "\(place.id) is the number of \(other.name)")
            }
            if let other = places.first(where: { $0.name == place.name }) {
                throw item.fault("name", "place \(other.id) has that name")
            }
            if place.isUnit(among: units) { own += 1 }
            guard !place.isUnit(among: units) || place.uses.count < VenueLimits.few else {
                throw item.fault(
                    "uses", "two of it fit into these: \(VenueLimits.few - 1) are allowed then")
            }
            places.append(place)
        }
        guard own + units.count <= VenueLimits.units else {
            throw form.fault(
                "places",
                "units, and places of which two fit into them or that use none, are more than "
                    + "\(VenueLimits.units) together")
        }
        return places
    }

    private init(_ form: FormReader, units: [Venue.Unit]) throws(FormFault) {
        id = try form.number("id", 1...VenueLimits.place)
        name = try form.text("name", bytes: VenueLimits.name)
        group = try form.optionalText("group", bytes: VenueLimits.text)
        mode = try form.word("mode")
        uses = try Self.uses(form, units)
        let isGranted = mode == .granted
        if !isGranted {
            let granted = ["uses", "grain", "min", "max", "lengths", "turnover"]
            if let key = granted.first(where: { form[$0] != nil }) {
                throw form.fault(key, "only a place that is granted has it, this one is \(mode)")
            }
        }
        guard uses.isEmpty || form["count"] == nil else {
            throw form.fault("count", "a place that uses units has no count of its own")
        }
        if mode == .counted {
            count = try form.number("count", 1...VenueLimits.count)
        } else {
            count = try form.optionalNumber("count", 1...VenueLimits.count) ?? 1
        }
        periods = isGranted ? try Periods(form) : nil
        hours = form["hours"] == nil ? nil : try OpeningHours(form, "hours")
        address = try form.optionalText("address", bytes: VenueLimits.text)
        at = try Venue.Point(form, "at")
        card = try form.flag("card")
        note = try form.optionalText("note", bytes: VenueLimits.text)
        classes = try form.texts(
            "classes", count: 0...VenueLimits.classes, bytes: VenueLimits.name)
        guard Set(classes).count == classes.count else {
            throw form.fault("classes", "a class stands there twice")
        }
    }

    private static func uses(
        _ form: FormReader, _ units: [Venue.Unit]
    ) throws(FormFault) -> [Use] {
        var uses: [Use] = []
        for entry in try form.entries("uses", most: VenueLimits.few) {
            guard let unit = units.first(where: { $0.key == entry.key }) else {
                throw FormFault(
                    place: entry.place, why: "units has no \(visible(entry.key, cells: 24))")
            }
            let amount = try FormReader.number(entry.value, entry.place, 1...VenueLimits.count)
            guard amount <= unit.capacity else {
                throw FormFault(
                    place: entry.place,
                    why: "it takes \(amount), and there are \(unit.capacity) of it")
            }
            uses.append(Use(unit: entry.key, amount: amount))
        }
        return uses
    }
}

extension VenuePlace.Periods {
    init(_ form: FormReader) throws(FormFault) {
        grain = try form.number("grain", 1...VenueLimits.period)
        least = try Self.multiple(form, "min", of: grain)
        most = try Self.multiple(form, "max", of: grain)
        turnover = try form.optionalNumber("turnover", 0...VenueLimits.turnover) ?? 0
        if let least, let most, least > most {
            throw form.fault("max", "it is shorter than min, which is \(least)")
        }
        var lengths: [Int] = []
        let list = try FormReader.list(form["lengths"] ?? [], form.place(of: "lengths"))
        guard list.count <= VenueLimits.lengths else {
            throw form.fault("lengths", "at most \(VenueLimits.lengths) are wanted")
        }
        for item in list {
            let length = try FormReader.number(
                item, form.place(of: "lengths"), 1...VenueLimits.period)
            guard length % grain == 0, length > lengths.last ?? 0 else {
                throw form.fault(
                    "lengths", "multiples of grain are wanted, which is \(grain), rising")
            }
            lengths.append(length)
        }
        guard lengths.isEmpty || least == nil && most == nil else {
            throw form.fault("lengths", "a place has lengths, or min and max")
        }
        self.lengths = lengths
    }

    private static func multiple(
        _ form: FormReader, _ key: String, of grain: Int
    ) throws(FormFault) -> Int? {
        guard let length = try form.optionalNumber(key, 1...VenueLimits.period) else { return nil }
        guard length % grain == 0 else {
            throw form.fault(key, "it is no multiple of grain, which is \(grain)")
        }
        return length
    }
}
