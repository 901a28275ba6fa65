// SPDX-License-Identifier: Apache-2.0
import Protocol

/// Effects of all events of one turn, gathered so that their writes are one transaction: what two
/// peers cause at once costs one commit. ``Perform`` carries them out.
struct EffectRunner {
    private var gathered = Effects()

    /// Gives `node` one event, and keeps what it asks for with what others of this turn did.
    mutating func gather(_ event: NodeEvent, of node: inout Node, at now: Moment) {
        node.handle(event, at: now, into: &gathered)
    }

    /// Whether something is to be done.
    var isIdle: Bool { gathered == Effects() }

    /// What people will be told of it.
    var notices: [Notice] { gathered.notices }

    /// Gives what was gathered, and forgets it.
    mutating func take() -> Effects {
        defer { gathered = Effects() }
        return gathered
    }

    /// Forgets what was gathered.
    mutating func drop() { gathered = Effects() }
}
