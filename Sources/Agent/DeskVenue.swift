// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Launch
import Protocol
import Text

/// The venue that this agent is in, and the user's own stay there.
extension ControlDesk {
    func venue() throws(UserError) -> Work<VenueStatus> {
        guard let view = host.node.venueView else { throw noVenue }
        // Of whoever knows its sign only, until another agent says the rest.
        let page = view.page
        return .done(
            VenueStatus(
                venue: view.name.slug, volume: view.name.volume.text,
                runBy: view.name.runBy.text, revision: page?.revision ?? 0,
                words: String(decoding: page?.bytes ?? [], as: UTF8.self),
                signature: hexadecimal(page?.signature ?? []),
                places: AttendanceNews(view).places, stay: facts(view.stay),
                isIn: view.isIn, known: view.known,
                linked: host.node.links.count, announced: host.facts.isVenueAnnounced))
    }

    func checkIn(_ asked: Op.CheckIn) throws(UserError) -> Work<StayFacts> {
        guard host.node.venueView != nil else { throw noVenue }
        let tag = try asked.tag.map { (text) throws(UserError) in try self.tag(text) }
        return .perform(.stay(.checkIn(asked.place, tag: tag)), Self.stay)
    }

    func checkOut(_ asked: Op.CheckOut) throws(UserError) -> Work<StayFacts> {
        guard host.node.venueView != nil else { throw noVenue }
        return .perform(.stay(.checkOut), Self.stay)
    }

    func friend(_ asked: Op.Friend) throws(UserError) -> Work<Op.Friend.Reply> {
        let node = host.node
        guard node.venueView != nil else { throw noVenue }
        let tag = try self.tag(asked.tag)
        let found = node.stays(tagged: tag).filter { !node.isBlocked($0.author) }
        let stays = found.map { author, stay in
            Op.Friend.Reply.Found(
                stay: StayFacts(stay, closes: node.closes(stay)),
                isIn: node.place(of: author) != nil)
        }
        return .done(
            Op.Friend.Reply(stays: stays.filter(\.isIn) + stays.filter { !$0.isIn }))
    }

    private static func stay(_ reply: IntentReply, _ desk: ControlDesk) -> StayFacts? {
        guard case .stay(let stay) = reply else { return nil }
        return desk.facts(stay)
    }

    private func facts(_ stay: Stay) -> StayFacts {
        StayFacts(stay, closes: host.node.closes(stay))
    }

    private func facts(_ stay: Stay?) -> StayFacts? { stay.map { facts($0) } }

    func tag(_ text: String) throws(UserError) -> ThreadID {
        guard let bytes = bytes(hexadecimal: text), let tag = ThreadID(bytes) else {
            throw UserError(.badRequest, "a tag is 32 hexadecimal digits")
        }
        return tag
    }

    /// Why an operation about seats is refused in a venue; `nil` on a flight, and for all others.
    func seatless(_ operation: OperationName) -> UserError? {
        guard !operation.worksInVenue, let name = host.node.venueView?.name else { return nil }
        return UserError(
            .notAllowedNow, "this agent is in a venue; \(operation.rawValue) is for flights",
            why: "nobody has a seat in \(name.slug), so there is nothing to swap",
            advice: VenueProfile.line(
                "venue show \(name.slug)", profile: host.facts.profile, slug: name.slug))
    }

    var noVenue: UserError {
        UserError(
            .notAllowedNow, "this agent is on a flight, not in a venue",
            why: "a venue has an agent of its own", advice: "seatagent venue")
    }

    /// Why something about the venue's desk was refused.
    func asking(_ refusal: Refusal) -> UserError {
        if refusal == .tooManyAsks {
            return UserError(
                .notAllowedNow, "the desk has not answered what you asked before",
                why: "\(Limits.openAsks) requests at a time are sent", advice: "seatagent venue")
        }
        if refusal == .tooManyForms {
            return UserError(
                .notAllowedNow, "the desk has not decided what you sent before",
                why: "\(Limits.formsPerKey) forms at a time are sent", advice: "seatagent venue")
        }
        if refusal == .notDesk {
            return UserError(
                .notAllowedNow, "this agent is not the desk of the venue",
                why: "another key writes its bookings", advice: "seatagent venue")
        }
        let isAsk = refusal == .noSuchAsk
        guard isAsk || refusal == .noSuchForm else {
            return UserError(
                .notAllowedNow, "the desk cannot write that",
                why: "nobody would take it for what it is meant to be", advice: "seatagent venue")
        }
        return UserError(
            .notAllowedNow, isAsk ? "there is no such request" : "there is no such form",
            why: "it was answered, or its time is over", advice: "seatagent venue")
    }

    /// Why a stay was refused.
    func staying(_ refusal: Refusal) -> UserError {
        if case .staysAt(let stay) = refusal {
            return UserError(
                .alreadySo, "you are at place \(stay.place) since \(RFC3339.text(stay.since))",
                why: "you are at one place at a time", advice: "seatagent checkout")
        }
        if refusal == .staysNowhere {
            return UserError(
                .notAllowedNow, "you are at no place of this venue",
                why: "you left it already, or it closed", advice: "seatagent activity")
        }
        guard refusal == .outsideOfVolume else { return noVenue }
        return UserError(
            .notAllowedNow, "that day of the venue is over, or has not begun",
            advice: "seatagent venue")
    }
}

extension AttendanceNews {
    init(_ view: VenueView) {
        self.init(places: view.places.map { PlaceCount(place: $0.place, people: $0.people) })
    }
}
