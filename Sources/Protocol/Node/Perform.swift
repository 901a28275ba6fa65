// SPDX-License-Identifier: Apache-2.0
/// What stands around a core and does what the core asks for: the agent with its store, links and
/// mDNS, or a stand-in for these in a test.
///
/// ``Perform`` makes these calls, in its one order; nothing else does. A call may cause events for
/// the same core; what that core asks for then MUST wait until this turn is carried out to its end,
/// or bytes would leave in another order than the core made them in.
public protocol Shell {
    /// Why nothing more of a turn happens.
    associatedtype Failure: Error

    /// Called first, once a turn, also with no rows. MUST make all rows durable in one transaction
    /// before it returns, or leave the store as it was and throw.
    mutating func commit(_ writes: [Write]) throws(Failure)

    /// MUST keep the order of the bytes of one connection, and discard bytes for one that has
    /// ended.
    mutating func send(_ transmission: Effects.Transmission)

    /// Called once a turn, after all sends. MUST hand over to the network whatever ``send(_:)``
    /// only collected. MUST NOT throw unless the process ends here, as in a crash.
    mutating func flush() throws(Failure)

    /// The peer is of this flight. MUST NOT count the connection as a stranger's from now on.
    mutating func prove(_ link: LinkID)

    /// Other links than before may be those of passengers whom the user verified. MUST ask the core
    /// again which they are, if it favours these links.
    mutating func favour()

    /// MUST stop reading the connection, or go on, so that a peer who sends too fast is held up.
    mutating func hold(_ hold: Effects.Hold)

    /// MUST let the bytes that were sent go out first, and report the end as
    /// ``NodeEvent/ended(_:)``.
    mutating func close(_ link: LinkID)

    /// MUST do what is ordered for the ends of circuits in the order of these calls.
    mutating func obey(_ order: CircuitOrder)

    /// MUST report the outcome by the number of the dial, as ``NodeEvent/connected(_:_:)`` or
    /// ``NodeEvent/dialFailed(_:)``.
    mutating func dial(_ dial: Dial)

    /// MUST ask mDNS from now on, or not any more.
    mutating func browse(_ isWanted: Bool)

    /// MUST give the answer to whoever gave the intent, once.
    mutating func answer(_ reply: Effects.Reply)

    /// Called last, once a turn, also with no notices. MUST tell people and scripts, in this order.
    mutating func tell(_ notices: [Notice])
}

/// Carries effects out, in the one order in which this may be done.
///
/// What a peer is told, and what people see, is durable before that: when the writes fail, nothing
/// else happens.
public enum Perform {
    /// Does all that `effects` ask for: writes, sends, closes, dials, then answers and notices.
    /// Throws what the shell throws; what comes after that call is not done.
    public static func carryOut<S: Shell>(
        _ effects: Effects, in shell: inout S
    ) throws(S.Failure) {
        try shell.commit(effects.writes)
        for transmission in effects.sends { shell.send(transmission) }
        // Others wait for these; for the rest only this machine does.
        try shell.flush()
        for link in effects.proven { shell.prove(link) }
        if effects.changesFavour { shell.favour() }
        for hold in effects.holds { shell.hold(hold) }
        for link in effects.closes { shell.close(link) }
        for order in effects.circuits { shell.obey(order) }
        for dial in effects.dials { shell.dial(dial) }
        if let isWanted = effects.browse { shell.browse(isWanted) }
        for reply in effects.replies { shell.answer(reply) }
        shell.tell(effects.notices)
    }
}
