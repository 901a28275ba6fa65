// SPDX-License-Identifier: Apache-2.0
import Text

/// How a link came to be.
package enum LinkStage: String, Vocabulary {
    /// Found by mDNS.
    case mdns
    /// They dialled this agent.
    case dialledUs = "dialled us"
    /// Typed by the user.
    case typed
    /// A peer told where they are.
    case heard = "heard of"
    /// Through a third agent.
    case relayed
}

/// How a passenger is reached.
package enum Reach: String, Vocabulary {
    /// Linked directly.
    case linked
    /// Linked through a third agent.
    case relayed
    /// A linked peer reaches them.
    case through
    /// Not at all.
    case nowhere = "none"
}

/// What records convict a passenger of.
package enum MisdeedKind: String, Vocabulary {
    /// Two records at one place.
    case fork
    /// A yes and a no to one swap.
    case contradiction
    /// A second yes for a seat.
    case overlap
    /// A yes for a booking that they had the desk end.
    case giveBack = "give-back"
}

/// Whether agents link with everybody or with a few.
package enum MeshShape: String, Vocabulary {
    case full
    case partial
}

/// Who has a seat.
package enum SeatHolding: String, Vocabulary {
    /// Nobody.
    case open
    /// One passenger.
    case held
    /// Several, with equal evidence.
    case disputed
}

/// Who began a negotiation.
package enum RequestDirection: String, Vocabulary {
    /// Another did.
    case incoming = "in"
    /// The user did.
    case outgoing = "out"
}

/// How far a negotiation is. `agreed` and `stranded` may still end either way.
package enum RequestState: String, Vocabulary {
    /// Somebody has to answer.
    case open
    /// Consented to, and being signed: no person has anything left to do.
    case agreed
    /// A yes is signed and the outcome does not come: the seat is held.
    case stranded
    /// Swapped: people may move.
    case final
    /// Somebody said no.
    case declined
    /// Taken back.
    case withdrawn
    /// Its time ran out.
    case expired
    /// Signing failed; everything is as it was.
    case failed
}

/// Where what somebody should read is, while they are away and can be left a letter.
package enum LetterState: String, Vocabulary {
    /// It is about to be left at the meeting point.
    case waits
    /// It lies there.
    case left
}

/// How far a message to one passenger has come.
package enum MessageState: String, Vocabulary {
    /// Kept here until it arrives.
    case waiting
    /// It arrived.
    case acknowledged
    /// It did not arrive within an hour, or within a day where there is a meeting point.
    case gaveUp = "gave-up"
    /// It came from another.
    case received
}

/// What an agent is of another one with which it shares a computer.
package enum HostingRole: String, Vocabulary {
    /// The other one runs on this agent's computer.
    case host
    /// This agent runs on the computer of the other one.
    case guest
}

/// Where comparing codes stands.
package enum ComparingState: String, Vocabulary {
    /// Nothing is compared.
    case idle
    /// The agents are connecting.
    case linking
    /// The other side wants to compare.
    case asked
    /// The other side has to agree.
    case waiting
    /// Both have the numbers.
    case compare
    /// The user said that they are the same.
    case matched
}

/// A step of comparing codes.
package enum ComparingStep: String, Vocabulary {
    /// The other side wants to compare.
    case asked
    /// Both have the numbers.
    case compare
    /// Both said that they are the same.
    case verified
    /// Somebody may stand in between.
    case alarm
    /// It ended without a result.
    case ended
    /// They took another name or claimed another seat, and are not verified any more.
    case void
}

/// Why comparing codes ended, or is an alarm.
package enum ComparingEnd: String, Vocabulary {
    /// The user said that the numbers differ.
    case differs
    /// The other side said so.
    case differsThere = "differs-there"
    /// The other agent sent a wrong proof.
    case wrongProof = "wrong-proof"
    /// It was stopped.
    case cancelled
    /// The numbers differed.
    case mismatch
    /// Two minutes passed.
    case expired
    /// The other side compares with somebody else.
    case busy
}

/// What a warning before or after a swap is about.
package enum WarningCode: String, Vocabulary {
    case missing = "not-in-layout"
    case compartment, exit, apart, infant, wall, paid, better, row, layout, belongings, pass, crew
    case airline
    /// They do not want to be asked.
    case unasked
    /// The yes counts for what takes the request's place.
    case kept
    /// If it comes to nothing, something else is proposed.
    case replaced
}

/// What changed with a passenger.
package enum PeerChange: String, Vocabulary {
    /// Their first record came.
    case joined
    /// They are linked, or within reach again.
    case aboard
    /// They are out of reach.
    case away
    /// They took another name.
    case renamed
    /// They left.
    case left
}

/// What a passenger said of a seat, in the log.
package enum ClaimChange: String, Vocabulary {
    /// They claimed it.
    case claimed
    /// They gave it up.
    case released
}

/// What the log has of a swap between any passengers.
package enum SwapRecordState: String, Vocabulary {
    /// Signed by all.
    case recorded
    /// Left by one after a no.
    case abandoned
}

/// Whether the user is asked about a layout.
package enum LayoutQuestionState: String, Vocabulary {
    /// From now on.
    case asked
    /// Not any more.
    case gone
}

/// Where something was said, in what `search` finds.
package enum SearchPlace: String, Vocabulary {
    /// To everyone.
    case all
    /// To one passenger.
    case to
    /// By one passenger, to the user.
    case from
}

/// What is wrong with more than one message.
package enum TroubleCode: String, Vocabulary {
    /// People may not be found.
    case discovery
    /// The meeting point has been out of reach for a minute.
    case meeting
    /// The meeting point is in reach again: no trouble any more.
    case meetingBack = "meeting-back"
    /// The user's key runs in another process.
    case keyRunsTwice = "key-runs-twice"
    /// A passenger's key runs in two processes.
    case peerRunsTwice = "peer-runs-twice"
    /// The user's log has two ends.
    case ownFork = "own-fork"
    /// A passenger's log has two ends.
    case fork
    /// A passenger signed two things that exclude each other.
    case misdeed
    /// An error of this program.
    case violation
    /// Another agent makes another map of equal logs.
    case divergence
    /// An agent with other rules.
    case otherVersion = "other-version"
    /// An agent on another flight, or with another cabin code.
    case otherFlight = "other-flight"
    /// Somebody is on this flight by another number.
    case aliasOnly = "alias-only"
    case operatorTwice = "operator-twice"
    /// Newer words of the venue's operator count from the next command on.
    case wordsWait = "words-wait"
    /// Two desks of the venue run, of which one counts.
    case twoDesks = "two-desks"
    /// A desk signed two ledgers.
    case ledgerForked = "ledger-forked"
    /// A desk broke a rule of its own.
    case ledgerFault = "ledger-fault"
    /// The log of this desk is no ledger.
    case noLedger = "no-ledger"
}
