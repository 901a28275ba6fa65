// SPDX-License-Identifier: Apache-2.0
import Protocol

/// Collects the effects of all events of one turn, so that their writes are one transaction: what
/// two peers cause at the same time costs one commit. ``Perform`` carries them out.
struct EffectRunner {
    private var gathered = Effects()

    /// Gives `node` one event, and adds its effects to those of this turn.
    mutating func gather(_ event: NodeEvent, of node: inout Node, at now: Moment) {
        node.handle(event, at: now, into: &gathered)
    }

    /// Whether there is nothing to do.
    var isIdle: Bool { gathered == Effects() }

    /// What people will be told.
    var notices: [Notice] { gathered.notices }

    /// Returns the collected effects, and forgets them.
    mutating func take() -> Effects {
        defer { gathered = Effects() }
        return gathered
    }

    /// Forgets the collected effects.
    mutating func drop() { gathered = Effects() }
}
