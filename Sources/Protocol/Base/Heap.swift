// SPDX-License-Identifier: Apache-2.0
/// A binary heap: the smallest element is on top. Inserting and taking out are O(log n).
///
/// Elements that compare as equal come out in no set order, so give each a number of its own.
package struct Heap<Element: Comparable> {
    @usableFromInline var elements: [Element] = []

    /// An empty heap.
    @inlinable package init() {}

    /// How many elements it has.
    @inlinable package var count: Int { elements.count }

    /// Whether it has none.
    @inlinable package var isEmpty: Bool { elements.isEmpty }

    /// The smallest element.
    @inlinable package var first: Element? { elements.first }

    /// Puts an element in.
    @inlinable package mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0, elements[child] < elements[(child - 1) / 2] {
            elements.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Takes the smallest element out.
    @inlinable package mutating func popFirst() -> Element? {
        guard !elements.isEmpty else { return nil }
        elements.swapAt(0, elements.count - 1)
        let smallest = elements.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in (2 * parent + 1)...(2 * parent + 2)
            where child < elements.count && elements[child] < elements[least] {
                least = child
            }
            guard least != parent else { return smallest }
            elements.swapAt(parent, least)
            parent = least
        }
    }

    /// Takes out whatever the condition holds for. O(n log n).
    @inlinable package mutating func removeAll(where isOver: (Element) -> Bool) {
        elements.removeAll(where: isOver)
        // A sorted array is a heap.
        elements.sort()
    }
}

extension Heap: Sendable where Element: Sendable {}
