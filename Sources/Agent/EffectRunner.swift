// SPDX-License-Identifier: Apache-2.0
import Aviation
import Protocol
import Store

/// Carries effects out, in their one order: writes, sends, closes, dials, notices.
///
/// Effects of all events of one turn are gathered and their writes are one transaction: what two
/// peers cause at once costs one commit. Nothing after the writes happens unless they are durable.
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

    /// Does the writes, keeps `party` with them where it changed, and gives the rest. Throws when
    /// the disk refused: then nothing was done and what was gathered is gone, as in a crash.
    mutating func commit(
        to store: Store, with party: Party?
    ) throws(StoreError) -> Effects {
        let effects = gathered
        gathered = Effects()
        try store.apply(effects.writes, with: party)
        return effects
    }

    /// Forgets what was gathered.
    mutating func drop() { gathered = Effects() }
}
