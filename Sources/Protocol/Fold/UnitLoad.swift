// SPDX-License-Identifier: Apache-2.0
/// How much of a unit is taken at each minute: its changes in a balanced tree (an AA tree, Arne
/// Andersson 1993), with the sum of each part and the highest sum on the way through it.
///
/// Whatever a ledger says, the tree is at most twice as deep as the logarithm of its changes.
struct UnitLoad: Sendable {
    private struct Node {
        let minute: Int
        /// How much more is taken from that minute on.
        var change: Int
        /// Of all changes of this part.
        var sum: Int
        /// The most that the changes of this part come to, from its first up to any of them.
        var peak: Int
        var level = 1
        var left = 0
        var right = 0
    }

    /// The first one stands for no node: nothing is below it.
    private var nodes = [Node(minute: 0, change: 0, sum: 0, peak: .min, level: 0)]
    private var root = 0

    /// How many nodes stand above each other at most.
    var depth: Int {
        func depth(_ node: Int) -> Int {
            node == 0 ? 0 : 1 + max(depth(nodes[node].left), depth(nodes[node].right))
        }
        return depth(root)
    }

    /// Takes `amount` more, which may be negative, at each minute of `span`.
    mutating func add(_ amount: Int, in span: Range<Int>) {
        root = insert(amount, at: span.lowerBound, below: root)
        root = insert(-amount, at: span.upperBound, below: root)
    }

    /// The most that is taken at one minute of `span`.
    func peak(in span: Range<Int>) -> Int {
        max(sum(through: span.lowerBound), highest(in: span))
    }

    /// What is taken at `minute`.
    private func sum(through minute: Int) -> Int {
        var sum = 0
        var at = root
        while at != 0 {
            if nodes[at].minute <= minute {
                sum += nodes[nodes[at].left].sum + nodes[at].change
                at = nodes[at].right
            } else {
                at = nodes[at].left
            }
        }
        return sum
    }

    /// The most that is taken from a change within `span` on; `Int.min` if nothing changes there.
    private func highest(in span: Range<Int>) -> Int {
        var before = 0
        var at = root
        while at != 0, !span.contains(nodes[at].minute) {
            if nodes[at].minute < span.lowerBound {
                before += nodes[nodes[at].left].sum + nodes[at].change
                at = nodes[at].right
            } else {
                at = nodes[at].left
            }
        }
        guard at != 0 else { return .min }
        // Both bounds part here: what is above the lower one is on the left, the rest on the right.
        let here = before + nodes[nodes[at].left].sum + nodes[at].change
        return max(
            here, highest(from: span.lowerBound, below: nodes[at].left, after: before),
            highest(to: span.upperBound, below: nodes[at].right, after: here))
    }

    private func highest(from minute: Int, below node: Int, after sum: Int) -> Int {
        var (at, before, found) = (node, sum, Int.min)
        while at != 0 {
            let here = before + nodes[nodes[at].left].sum + nodes[at].change
            if nodes[at].minute >= minute {
                found = max(found, here, peak(of: nodes[at].right, after: here))
                at = nodes[at].left
            } else {
                before = here
                at = nodes[at].right
            }
        }
        return found
    }

    private func highest(to minute: Int, below node: Int, after sum: Int) -> Int {
        var (at, before, found) = (node, sum, Int.min)
        while at != 0 {
            if nodes[at].minute < minute {
                let here = before + nodes[nodes[at].left].sum + nodes[at].change
                found = max(found, here, peak(of: nodes[at].left, after: before))
                before = here
                at = nodes[at].right
            } else {
                at = nodes[at].left
            }
        }
        return found
    }

    private func peak(of node: Int, after sum: Int) -> Int {
        node == 0 ? .min : sum + nodes[node].peak
    }

    // MARK: The tree

    private mutating func insert(_ change: Int, at minute: Int, below node: Int) -> Int {
        guard node != 0 else {
            nodes.append(Node(minute: minute, change: change, sum: change, peak: change))
            return nodes.count - 1
        }
        if minute == nodes[node].minute {
            nodes[node].change += change
            update(node)
            return node
        }
        if minute < nodes[node].minute {
            nodes[node].left = insert(change, at: minute, below: nodes[node].left)
        } else {
            nodes[node].right = insert(change, at: minute, below: nodes[node].right)
        }
        update(node)
        return split(skew(node))
    }

    /// Turns a left child of the same level up.
    private mutating func skew(_ node: Int) -> Int {
        let left = nodes[node].left
        guard nodes[left].level == nodes[node].level else { return node }
        nodes[node].left = nodes[left].right
        nodes[left].right = node
        update(node)
        update(left)
        return left
    }

    /// Turns the middle of three nodes of one level up.
    private mutating func split(_ node: Int) -> Int {
        let right = nodes[node].right
        guard right != 0, nodes[nodes[right].right].level == nodes[node].level else {
            return node
        }
        nodes[node].right = nodes[right].left
        nodes[right].left = node
        nodes[right].level += 1
        update(node)
        update(right)
        return right
    }

    private mutating func update(_ node: Int) {
        let (left, right) = (nodes[node].left, nodes[node].right)
        let before = nodes[left].sum + nodes[node].change
        nodes[node].sum = before + nodes[right].sum
        nodes[node].peak = max(
            nodes[left].peak, before, peak(of: right, after: before))
    }
}
