// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Text
package import Trips

/// Something that happened, as the agent tells whoever watches, and as the log has it.
package struct ControlEvent: Codable, Hashable, Sendable {
    /// What happened.
    package enum What: Hashable, Sendable {
        case peer(PeerNews)
        case chat(ChatNews)
        case message(PrivateMessage)
        case offer(OfferNews)
        case seat(SeatNews)
        /// A `seat` of the log.
        case claim(ClaimNews)
        case request(SwapRequest)
        case swap(SwapRequest)
        /// A `swap` of the log, between any passengers.
        case record(SwapNews)
        case seated(SeatedNews)
        case verify(ComparingNews)
        case party(PartyNews)
        case cabin(CabinNews)
        case layout(LayoutNews)
        case awake(AwakeNews)
        case woke(WokeNews)
        /// Somebody came to a place of the venue or left one.
        case attendance(AttendanceNews)
        /// Something became of an ask for the desk, or the bookings of the venue have changed.
        case booking(BookingNews)
        case trouble(TroubleNews)
        case window(WindowFacts)
        case ready
        /// An event that this program does not know, of a newer agent.
        case other(String)
    }

    /// When; `nil` if it came without a date.
    package var at: Stamp?
    /// What.
    package var what: What
    /// Where it was said, in what `search` finds.
    package var place: Word<SearchPlace>?

    /// An event.
    package init(at: Stamp?, _ what: What, place: Word<SearchPlace>? = nil) {
        self.at = at
        self.what = what
        self.place = place
    }

    /// The event as it is sent: a line of JSON, with its end.
    package var line: [UInt8] { Array((JSON(self).line + "\n").utf8) }

    fileprivate enum CodingKeys: String, CodingKey {
        case event, at, change, state
        case place = "where"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        at = try container.decodeIfPresent(Stamp.self, forKey: .at)
        place = try container.decodeIfPresent(Word<SearchPlace>.self, forKey: .place)
        let word = try container.decode(String.self, forKey: .event)
        guard let name = EventName(rawValue: word) else {
            what = .other(word)
            return
        }
        what = try What(name, container, from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        try what.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(what.word, forKey: .event)
        try container.encodeIfPresent(at, forKey: .at)
        try container.encodeIfPresent(place, forKey: .place)
    }
}

extension ControlEvent.What {
    /// The name by which it is watched; `nil` for one that this program does not know.
    package var name: EventName? {
        switch self {
        case .peer: .peer
        case .chat: .chat
        case .message: .message
        case .offer: .offer
        case .seat, .claim: .seat
        case .request: .request
        case .swap, .record: .swap
        case .seated: .seated
        case .verify: .verify
        case .party: .party
        case .cabin: .cabin
        case .layout: .layout
        case .awake: .awake
        case .woke: .woke
        case .attendance: .attendance
        case .booking: .booking
        case .trouble: .trouble
        case .window: .window
        case .ready: .ready
        case .other: nil
        }
    }

    fileprivate var word: String {
        if case .other(let word) = self { return word }
        return name?.rawValue ?? ""
    }

    fileprivate init(
        _ name: EventName, _ container: KeyedDecodingContainer<ControlEvent.CodingKeys>,
        from decoder: any Decoder
    ) throws {
        switch name {
        case .peer: self = .peer(try PeerNews(from: decoder))
        case .chat: self = .chat(try ChatNews(from: decoder))
        case .message: self = .message(try PrivateMessage(from: decoder))
        case .offer: self = .offer(try OfferNews(from: decoder))
        case .seat:
            self =
                container.contains(.change)
                ? .claim(try ClaimNews(from: decoder)) : .seat(try SeatNews(from: decoder))
        case .request: self = .request(try SwapRequest(from: decoder))
        case .swap:
            let state = try container.decodeIfPresent(Word<SwapRecordState>.self, forKey: .state)
            self =
                state?.known != nil
                ? .record(try SwapNews(from: decoder)) : .swap(try SwapRequest(from: decoder))
        case .seated: self = .seated(try SeatedNews(from: decoder))
        case .verify: self = .verify(try ComparingNews(from: decoder))
        case .party: self = .party(try PartyNews(from: decoder))
        case .cabin: self = .cabin(try CabinNews(from: decoder))
        case .layout: self = .layout(try LayoutNews(from: decoder))
        case .awake: self = .awake(try AwakeNews(from: decoder))
        case .woke: self = .woke(try WokeNews(from: decoder))
        case .attendance: self = .attendance(try AttendanceNews(from: decoder))
        case .booking: self = .booking(try BookingNews(from: decoder))
        case .trouble: self = .trouble(try TroubleNews(from: decoder))
        case .window: self = .window(try WindowFacts(from: decoder))
        case .ready: self = .ready
        }
    }

    fileprivate func encode(to encoder: any Encoder) throws {
        switch self {
        case .peer(let news): try news.encode(to: encoder)
        case .chat(let news): try news.encode(to: encoder)
        case .message(let message): try message.encode(to: encoder)
        case .offer(let news): try news.encode(to: encoder)
        case .seat(let news): try news.encode(to: encoder)
        case .claim(let news): try news.encode(to: encoder)
        case .request(let request), .swap(let request): try request.encode(to: encoder)
        case .record(let news): try news.encode(to: encoder)
        case .seated(let news): try news.encode(to: encoder)
        case .verify(let comparing): try comparing.encode(to: encoder)
        case .party(let news): try news.encode(to: encoder)
        case .cabin(let news): try news.encode(to: encoder)
        case .layout(let news): try news.encode(to: encoder)
        case .awake(let news): try news.encode(to: encoder)
        case .woke(let news): try news.encode(to: encoder)
        case .attendance(let news): try news.encode(to: encoder)
        case .booking(let news): try news.encode(to: encoder)
        case .trouble(let news): try news.encode(to: encoder)
        case .window(let window): try window.encode(to: encoder)
        case .ready, .other: break
        }
    }

    /// The members that each event has beside `event` and `at`.
    package static func members(of name: EventName) throws(JSONFault) -> [JSONMember] {
        switch name {
        case .peer: try PeerNews.members()
        case .chat: try ChatNews.members()
        case .message: try PrivateMessage.members()
        case .offer: try OfferNews.members()
        case .seat: try SeatNews.members() + ClaimNews.members()
        case .request: try SwapRequest.members()
        case .swap: try SwapRequest.members() + SwapNews.members()
        case .seated: try SeatedNews.members()
        case .verify: try ComparingNews.members()
        case .party: try PartyNews.members()
        case .cabin: try CabinNews.members()
        case .layout: try LayoutNews.members() + LayoutQuestion.members()
        case .awake: try AwakeNews.members()
        case .woke: try WokeNews.members()
        case .attendance: try AttendanceNews.members()
        case .booking: try BookingNews.members()
        case .trouble: try TroubleNews.members()
        case .window: try WindowFacts.members()
        case .ready: []
        }
    }
}
