// SPDX-License-Identifier: Apache-2.0
/// A connection as the shell numbers it; never used twice in a process.
public struct LinkID: Hashable, Comparable, Sendable {
    /// The number.
    public let number: Int

    /// A link's number.
    public init(_ number: Int) { self.number = number }

    /// Orders by number.
    public static func < (left: LinkID, right: LinkID) -> Bool { left.number < right.number }
}
