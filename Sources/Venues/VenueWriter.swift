// SPDX-License-Identifier: Apache-2.0
package import Text

/// Writes a venue: one line to be signed and sent, and a text with the same members for people.
extension Venue {
    /// The venue in its only form: equal venues give equal JSON.
    package var json: JSON {
        .object(present: [
            "version": .int(VenueKeys.version), "slug": .string(slug), "name": .string(name),
            "about": about.map(JSON.string), "terms": terms.map(JSON.string),
            "phone": phone.map(JSON.string), "web": web.map(JSON.string),
            "address": address.map(JSON.string), "at": at?.json, "zone": .string(zone),
            "volume": .string(volume.rawValue), "building": building.map(JSON.string),
            "hours": hours.json, "closed": SpecialDay.json(closed), "open": SpecialDay.json(open),
            "groups": groups.isEmpty
                ? nil
                : .object(
                    Dictionary(
                        groups.map { ($0.key, ["name": .string($0.name)] as JSON) },
                        uniquingKeysWith: { $1 })),
            "units": units.isEmpty
                ? nil
                : .object(
                    Dictionary(
                        units.map { ($0.key, JSON.int($0.capacity)) }, uniquingKeysWith: { $1 })),
            "places": .array(places.map(\.json)), "classes": .array(classes.map(\.json)),
            "money": money?.json, "rules": rules.json,
        ])
    }

    /// The same as the bytes of one line, at most ``VenueLimits/bytes``: what is signed.
    package var bytes: [UInt8] { Array(json.line.utf8) }

    /// The text of its file, for people to edit.
    package var text: String { json.page(keys: Self.order, width: 96) }

    /// Every key once, in an order that fits each object.
    private static let order =
        ["id"] + VenueKeys.venue + VenueKeys.place + VenueKeys.classes + VenueKeys.quota
        + VenueKeys.price + VenueKeys.money + VenueKeys.rules
}

extension VenuePlace {
    /// The place in its only form.
    package var json: JSON {
        let own: [String: JSON?] = [
            "id": .int(id), "name": .string(name), "group": group.map(JSON.string),
            "mode": .string(mode.rawValue),
            "count": mode == .counted || count != 1 ? .int(count) : nil,
            "uses": uses.isEmpty
                ? nil
                : .object(
                    Dictionary(
                        uses.map { ($0.unit, JSON.int($0.amount)) }, uniquingKeysWith: { $1 })),
            "hours": hours?.json, "address": address.map(JSON.string), "at": at?.json,
            "card": card ? .bool(true) : nil, "note": note.map(JSON.string),
            "classes": classes.isEmpty ? nil : .array(classes.map(JSON.string)),
        ]
        return JSON.object(present: own).adding(present: periods?.members ?? [:])
    }
}

extension VenuePlace.Periods {
    fileprivate var members: [String: JSON?] {
        [
            "grain": .int(grain), "min": least.map(JSON.int), "max": most.map(JSON.int),
            "lengths": lengths.isEmpty ? nil : .array(lengths.map(JSON.int)),
            "turnover": turnover == 0 ? nil : .int(turnover),
        ]
    }
}

extension VenueClass {
    fileprivate var json: JSON {
        .object(present: [
            "name": .string(name), "mail": mail.map { .string($0.text) },
            "number": number.map { .string($0.text) },
            "proof": proof.map { .string($0.rawValue) },
            "quota": quota.isEmpty ? nil : .array(quota.map(\.json)), "price": price?.json,
        ])
    }
}

extension VenueClass.Quota {
    fileprivate var json: JSON {
        .object(present: [
            "group": group.map(JSON.string), "minutes": minutes.map(JSON.int),
            "bookings": bookings.map(JSON.int),
        ])
    }
}

extension VenueClass.Price {
    fileprivate var json: JSON {
        switch self {
        case .hour(let amount): ["hour": .int(amount)]
        case .day(let amount): ["day": .int(amount)]
        }
    }
}

extension VenueMoney {
    fileprivate var json: JSON {
        var members: [String: JSON?] = [
            "currency": .string(currency), "link": link.map(JSON.string),
            "payBy": payBy.map(JSON.int),
        ]
        switch account {
        case .payto(let link): members["payto"] = .string(link)
        case .iban(let number, let payee):
            members["iban"] = .string(number)
            members["payee"] = .string(payee)
        case nil: break
        }
        return .object(present: members)
    }
}

extension VenueRules {
    fileprivate var json: JSON {
        .object(present: [
            "join": .string(join.rawValue),
            "swaps": swaps == .none ? nil : .string(swaps.rawValue),
            "ahead": ahead.map(JSON.int), "notice": notice.map(JSON.int),
            "cancel": cancel.map(JSON.int), "arrive": arrive.map(JSON.int),
            "waiting": waiting ? .bool(true) : nil, "together": together.map(JSON.int),
            "member": member.map { .string($0.rawValue) },
        ])
    }
}
