/// A connection as the shell numbers it; never used twice in a process.
package struct LinkID: Hashable, Comparable, Sendable {
    /// The number.
    package let number: Int

    /// A link's number.
    package init(_ number: Int) { self.number = number }

    package static func < (left: LinkID, right: LinkID) -> Bool { left.number < right.number }
}
