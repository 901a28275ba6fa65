// SPDX-License-Identifier: Apache-2.0
package import Text

/// Whether others find the user by their address, and whom the user found. A pure value.
package struct FriendBook: Hashable, Sendable {
    /// Whether the user lets others find them; `nil` as long as nobody asked.
    package var isFindable: Bool?
    /// Addresses at which somebody was found before, in lower case, the last one last.
    package private(set) var found: [String] = []

    /// More than anybody looks for.
    package static let limit = 200

    /// Nobody asked.
    package init() {}

    /// Somebody was found.
    package mutating func note(_ address: String) {
        found.removeAll { $0 == address }
        found.append(address)
        if found.count > Self.limit { found.removeFirst() }
    }

    private static let keys = ["version", "findable", "found"]

    /// As it is stored.
    package var json: JSON {
        JSON.object(present: [
            "version": .int(1), "findable": isFindable.map { .bool($0) },
            "found": .array(found.map { .string($0) }),
        ])
    }

    /// Reads what was stored. Throws ``FormFault`` for the first fault.
    package init(json: JSON) throws(FormFault) {
        let form = try FormReader(json, Self.keys, whole: "the list")
        _ = try form.number("version", 1...1)
        if let value = form["findable"] {
            guard value == true || value == false else {
                throw form.fault("findable", "true or false is wanted")
            }
            isFindable = value == true
        }
        found = try form.texts("found", count: 0...Self.limit, bytes: MailAddress.longest)
    }
}
