// SPDX-License-Identifier: Apache-2.0
/// Whoever stands around negotiations and does what they ask for: the core, or a stand-in for it
/// in a test.
///
/// ``Perform/carryOut(_:by:into:at:)`` makes these calls, in its one order; nothing else does.
package protocol SwapShell {
    /// MUST sign `body` as the next entry of the own log and leave it in ``Effects/writes``, or
    /// leave log and writes as they were.
    mutating func log(_ body: EntryBody, _ effects: inout Effects, at now: Moment)

    /// Called after all ``log(_:_:at:)`` of a turn. MUST log the certificate of the votes that the
    /// logs hold now, the own one of this turn among them; nothing where one is missing.
    mutating func logCertificate(
        of contract: Contract, _ effects: inout Effects, at now: Moment)

    /// Called with rows that changed, if any did; they are in ``Effects/writes`` already.
    mutating func follow(_ records: [SwapRecord], _ effects: inout Effects, at now: Moment)

    /// MUST say it to each receiver with whom a session is open, behind the writes of this turn;
    /// nobody else hears of it later by itself.
    mutating func say(_ send: SwapSend, _ effects: inout Effects, at now: Moment)

    /// MUST ask that peer for the log, where it is not here up to that place.
    mutating func fetch(_ want: SwapWant, _ effects: inout Effects, at now: Moment)
}

extension Perform {
    /// Puts into `effects` what negotiations ask for: entries, certificates, locks and rows for one
    /// transaction, then what is said because of them, then what people are told.
    package static func carryOut<S: SwapShell>(
        _ swap: SwapEffects, by shell: inout S, into effects: inout Effects, at now: Moment
    ) {
        for body in swap.appends { shell.log(body, &effects, at: now) }
        for contract in swap.commits { shell.logCertificate(of: contract, &effects, at: now) }
        // A slot has one lock: what goes, goes first, but for what came in this very turn.
        let passing = swap.unlocks.filter(swap.locks.contains)
        effects.writes += swap.unlocks.filter { !passing.contains($0) }.map { Write.unlock($0) }
        effects.writes += swap.locks.map { Write.lock($0) }
        effects.writes += passing.map { Write.unlock($0) }
        effects.writes += swap.records.map { Write.swap($0) }
        effects.writes += swap.forgotten.map { Write.forgotten($0) }
        if !swap.records.isEmpty { shell.follow(swap.records, &effects, at: now) }
        for send in swap.sends { shell.say(send, &effects, at: now) }
        for want in swap.wants { shell.fetch(want, &effects, at: now) }
        effects.notices += swap.notices.map { Notice.swap($0) }
    }
}
