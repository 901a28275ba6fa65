// SPDX-License-Identifier: Apache-2.0
/// Why a JSON value is not what a type wants, and where in it.
package struct JSONFault: Error, Hashable, Sendable {
    /// The members and positions that lead to the fault: `["moves", "0", "seat"]`.
    package let path: [String]
    /// What is wanted there: `a string`.
    package let wanted: String

    /// A fault at `path`.
    package init(path: [String], wanted: String) {
        self.path = path
        self.wanted = wanted
    }

    /// `moves.0.seat is not a string`, for people.
    package var sentence: String {
        let place = path.isEmpty ? "the value" : visible(path.joined(separator: "."), cells: 60)
        return "\(place) is not \(wanted)"
    }
}

/// A type that may be left out: where its member is missing or `null`, it is read from nothing.
///
/// Its `init(from:)` must accept a decoder that has no value.
package protocol JSONOmissible: Decodable {}

extension Bool: JSONOmissible {}
extension Array: JSONOmissible where Element: Decodable {}
extension Optional: JSONOmissible where Wrapped: Decodable {}

/// A member without a value is written as `null`, and read from `null` or from nothing.
@propertyWrapper
package struct OrNull<Value: Codable>: Codable, JSONOmissible {
    /// The value; `nil` is written as `null`.
    package var wrappedValue: Value?

    /// A value, or none.
    package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue {
            try container.encode(wrappedValue)
        } else {
            try container.encodeNil()
        }
    }
}

extension OrNull: Equatable where Value: Equatable {}
extension OrNull: Hashable where Value: Hashable {}
extension OrNull: Sendable where Value: Sendable {}

/// A member that is `true` or left out.
@propertyWrapper
package struct IfTrue: Codable, Hashable, Sendable, JSONOmissible {
    /// Whether it is written.
    package var wrappedValue: Bool

    /// Written where `wrappedValue` is true.
    package init(wrappedValue: Bool) { self.wrappedValue = wrappedValue }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? false : try container.decode(Bool.self)
    }

    package func encode(to encoder: any Encoder) throws {
        guard wrappedValue else { return }
        var container = encoder.singleValueContainer()
        try container.encode(true)
    }
}

/// A value whose members stand among those of the object that has it.
@propertyWrapper
package struct Flat<Value: Codable>: Codable, JSONOmissible {
    /// The value.
    package var wrappedValue: Value

    /// The value whose members are written.
    package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    package init(from decoder: any Decoder) throws { wrappedValue = try Value(from: decoder) }

    package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

// The compiler's code for a type with a `@Flat` property calls these, not the general ones.
// A question at run time, "is this type flat?", would search all conformances of the program
// once for each type.

extension KeyedDecodingContainer {
    /// The members of a flat value, which stand in this object. Throws what `Value` throws.
    package func decode<Value>(_ type: Flat<Value>.Type, forKey key: Key) throws -> Flat<Value> {
        Flat(wrappedValue: try Value(from: superDecoder()))
    }
}

extension KeyedEncodingContainer {
    /// Writes the members of a flat value into this object. Throws what `Value` throws.
    package mutating func encode<Value>(_ value: Flat<Value>, forKey key: Key) throws {
        try value.wrappedValue.encode(to: superEncoder())
    }
}

extension Flat: Equatable where Value: Equatable {}
extension Flat: Hashable where Value: Hashable {}
extension Flat: Sendable where Value: Sendable {}
