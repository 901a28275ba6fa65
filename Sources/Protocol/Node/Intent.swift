// SPDX-License-Identifier: Apache-2.0
/// What a person or a script wants.
public enum Intent: Hashable, Sendable {
    /// A line to everyone.
    case say(String)
    /// A message to one passenger.
    case message(to: PeerKey, String)
    /// Change the wish: what is offered, what would be taken for it, what others may ask for.
    case wish(WishChange)
    /// Ask the holder of `take` for it; `give` defaults to the only own seat. `from` says whom to
    /// ask if several claim the seat. `unverified` says that the user knows that nothing but a
    /// claim stands behind the party that votes last.
    case swap(
        take: Seat, give: Seat?, note: String, expires: Int?, override: Bool = false,
        from: PeerKey? = nil, unverified: Bool = false)
    /// Ask several passengers: each seat named goes to that key.
    case propose(
        [SeatMove], note: String, expires: Int?, override: Bool = false, unverified: Bool = false)
    /// Ask for an exchange of rights that are named by their tokens: of the bookings of a venue, as
    /// of seats. Each goes to that key.
    case exchange(
        [TokenMove], note: String, expires: Int?, override: Bool = false, unverified: Bool = false)
    /// Yes to a request. `override` knowingly accepts a disputed or re-minted seat. `of` is the
    /// contract that the user saw: the yes counts for no other.
    case accept(Int, override: Bool, unverified: Bool = false, of: ContractID? = nil)
    /// No to a request.
    case decline(Int, note: String)
    /// Instead of what was asked: `give` of one's own for `take` of theirs. Of several, and in
    /// a venue, `legs` are all that would be exchanged, as the user saw it.
    case counter(
        Int, give: Seat?, take: Seat?, note: String, override: Bool = false,
        unverified: Bool = false, legs: [Leg] = [])
    /// Take back an own request or an own yes that is not binding yet.
    case cancel(Int)
    /// End an own request that somebody has not answered, so that another may take its place. To
    /// others it looks as if somebody had said no.
    case replace(Int)
    /// Leave a stranded swap: retract the seat and claim it again (docs/protocol.md section 16).
    case force(Int)
    /// Compare codes with somebody, or take part in what they began.
    case verify(PeerKey)
    /// The codes are the same, or not.
    case compared(isSame: Bool)
    /// Stop comparing.
    case cancelVerify
    /// Say in public that somebody whom the user verified sits where they say.
    case vouch(PeerKey)
    /// Take back all claims and close the log: the user leaves the flight for good. `force` does
    /// so even while a yes binds.
    case leave(force: Bool)
    /// Block a key, or unblock it.
    case block(PeerKey, Bool)
    /// A new name.
    case rename(String)
    /// Claim one more seat.
    case claim(Seat, dependant: Bool)
    /// Retract the claim to an own seat.
    case release(Seat)
    /// Suggest what the cabin looks like, in at most ``Limits/layout`` bytes; none takes it back.
    case suggestLayout([UInt8])
    /// Something about the user's own party.
    case party(PartyIntent)
    /// Tell the others of a swap that the user sits where it put them, or not yet.
    case seated(ContractID, Bool)
    /// Tell everybody on whose computer an agent runs: this one, or one on this computer.
    case hosting(Hosting)
    /// Something about the user's own stay in a venue.
    case stay(StayIntent)
    /// Something that the user wants of the desk of a venue.
    case booking(BookingIntent)
    /// Something that a desk does.
    case ledger(LedgerIntent)
    /// What the people at the desk want, where the core is the desk.
    case desk(DeskIntent)
}

extension Intent {
    /// Offer all own live seats, in exchange for one of these, the best first; without any, for
    /// what was said before, or for any seat.
    public static func offer(ranks: [SeatSet], note: String) -> Intent {
        .wish(WishChange(offer: .all, ranks: ranks.isEmpty ? nil : ranks, note: note))
    }

    /// Take the offer back.
    public static var withdrawOffer: Intent { .wish(WishChange(offer: WishChange.Offer.none)) }
}

/// A seat, the passenger who is to get it, and who gives it if several claim it.
public struct SeatMove: Hashable, Sendable {
    /// Which seat.
    public var seat: Seat
    /// Who gets it.
    public var to: PeerKey
    /// Who gives it; `nil` for whoever holds it in this agent's view.
    public var from: PeerKey?

    /// `seat` goes to `to`; `from` is needed where several claim it.
    public init(seat: Seat, to: PeerKey, from: PeerKey? = nil) {
        self.seat = seat
        self.to = to
        self.from = from
    }
}

/// A right, and who is to get it from whoever holds it.
public struct TokenMove: Hashable, Sendable {
    /// Which right.
    public var token: Token
    /// Who gets it.
    public var to: PeerKey

    /// `token` goes to `to`.
    public init(token: Token, to: PeerKey) {
        self.token = token
        self.to = to
    }
}

/// What came of an intent.
public enum IntentReply: Hashable, Sendable {
    /// Done, nothing more to say.
    case done
    /// Written: the entry's id.
    case entry(EntryID)
    /// On disk and on its way: the message.
    case message(DirectMessage)
    /// The number of the negotiation.
    case request(Int)
    /// Kept, and written for others in so many seconds: one wish in ``Limits/wishPace`` is.
    case later(Int)
    /// Said: the stay as others read it.
    case stay(Stay)
    /// Asked: the id of the statement.
    case asked(Bytes32)
    /// On disk and on its way to the desk: the form.
    case form(FormRecord)
    /// Written: the ids of the entries, in their order.
    case entries([EntryID])
    /// The desk did it.
    case desk(DeskReply)
}

/// Why an intent was refused. Nothing changed.
public enum Refusal: Error, Hashable, Sendable {
    /// A rule of the negotiation.
    case swap(SwapRefusal)
    /// Nobody holds that seat.
    case emptySeat(Seat)
    /// It is the user's own seat.
    case ownSeat(Seat)
    /// Two or more claim it with equal evidence, or more evidence than the one who was named.
    case disputed(Seat, [PeerKey])
    /// Whoever was named does not claim it.
    case notTheirs(Seat, PeerKey)
    /// The user has no seat, or several and named none.
    case whichSeat([Seat])
    /// The user does not hold that seat.
    case notYours(Seat)
    /// A counter-offer of several names a seat that the request has not, or that nobody could get
    /// another for who wants that.
    case notInRequest(Seat)
    /// Longer than allowed; the limit in bytes.
    case tooLong(Int)
    /// Empty, or without a visible character.
    case emptyText
    /// More wishes than an agent writes into one log.
    case tooManyWishes
    /// More claims than the log allows.
    case tooManyClaims
    /// Already so.
    case alreadySo
    /// The user took it back before it could be done.
    case takenBack
    /// No passenger has that key.
    case unknownPassenger
    /// Too many messages already wait for that passenger.
    case outboxFull
    /// A signed yes without an outcome binds the user.
    case bound
    /// Another verification is under way.
    case verifyBusy(PeerKey)
    /// Too many failed attempts with that key: a pause.
    case verifyRests
    /// No code is on the screen.
    case nothingToCompare
    /// Only somebody verified can be vouched for.
    case notVerified(PeerKey)
    /// Something about the user's own party.
    case party(PartyRefusal)
    /// The user is no party of that contract, or it did not move their seat.
    case notSwapped
    /// This agent is on a flight, not in a venue.
    case noVenue
    /// The user is at a place of the venue already.
    case staysAt(Stay)
    /// The user is at no place of the venue.
    case staysNowhere
    /// The venue's day is not now, or it has no such place.
    case outsideOfVolume
    /// As many of the user's asks are open as may be.
    case tooManyAsks
    /// The user has no such ask, or the desk has ended it.
    case noSuchAsk
    /// As many of the user's forms wait for the desk as may.
    case tooManyForms
    /// There is no such form.
    case noSuchForm
    /// This agent is not the desk.
    case notDesk
    /// The desk does not do it.
    case desk(DeskRefusal)
    /// That one of several entries, counted from 0, is none that others would take: it is not
    /// written, nor is any behind it.
    case badEntry(Int)
    /// The log may not be written to: this key runs twice, or it forked.
    case logClosed
    /// The log is full.
    case logFull
    /// The disk refused; nothing was changed or sent.
    case disk
}
