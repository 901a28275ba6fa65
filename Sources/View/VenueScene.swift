// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import ControlAPI
package import Protocol
package import Venues

/// What the view knows of the venue that its agent is in: what the agent told, the words that its
/// operator signed, what clocks there show, and where the cursor is. A value.
package struct VenueScene: Hashable, Sendable {
    /// A friend who let themselves be found, by their address.
    struct Friend: Hashable, Sendable {
        let address: String
        /// 32 hexadecimal digits, which hold for this volume of the venue.
        let tag: String
        /// The place where they are; `nil` for nowhere.
        var place: Int?
    }

    /// Whether friends find the user here.
    package enum Finding: Hashable, Sendable {
        /// The user has said so, or said no.
        case decided
        /// Nobody asked them yet; by this address they could be found.
        case unasked(address: String?)
    }

    /// What the agent told last.
    package private(set) var status: VenueStatus
    /// The operator's words; `nil` if this version cannot read them.
    package private(set) var venue: Venue?
    /// The rules of its clocks; `nil` until they are known, or where this machine does not know
    /// them.
    package var zone: TimeZoneRules? { didSet { if zone != oldValue { reckon() } } }
    /// The time now.
    package var time: UTCTime? {
        didSet {
            // A clock that shows another minute may open or close a place.
            if time?.seconds.dividedDown(by: 60) != oldValue?.seconds.dividedDown(by: 60) {
                reckon()
            }
        }
    }
    /// What clocks there show; `nil` if nobody knows.
    package private(set) var clock: LocalMinute?
    /// Whether each place is open, by number.
    private var hours: [Int: OpenState] = [:]
    /// The number of the place under the cursor.
    package var cursor: Int?
    /// Whether the plan is shown instead of the list where there is no room for both.
    var prefersPlan = false
    /// What is booked there; `nil` where nothing is, and until the time is known.
    package var book: BookScene?
    /// Whether the list of places is shown instead of what is booked.
    var prefersList = false
    var friends: [Friend] = []
    package var finding = Finding.decided
    /// Whether a check-in or a check-out is under way.
    var isBusy = false
    /// The volume of which the screen has said that it is over.
    var saidOver: String?

    /// More friends are not followed.
    static let mostFriends = 16

    /// The page of a venue of which the agent told this.
    package init(_ status: VenueStatus) {
        self.status = status
        venue = Self.read(status)
    }

    private static func read(_ status: VenueStatus) -> Venue? {
        guard let venue = try? Venue.read(Array(status.words.utf8)), venue.slug == status.venue
        else { return nil }
        return venue
    }

    /// What the agent tells now. Words that cannot be read leave those from before.
    mutating func take(_ told: VenueStatus) {
        let isNew = told.words != status.words
        let isAnother = told.volume != status.volume
        status = told
        if isAnother {
            book = nil
            // Tags hold for a volume, and so does what they found.
            friends = []
            saidOver = nil
        }
        guard isNew, let words = Self.read(told) else { return }
        venue = words
        // Hours, places and lengths may be others now.
        book = nil
        if cursor.map({ words.place($0) == nil }) ?? false { cursor = words.places.first?.id }
        reckon()
    }

    /// How many are where now.
    mutating func take(_ news: AttendanceNews) { status.places = news.places }

    private mutating func reckon() {
        clock = zone.flatMap { zone in time.flatMap { zone.clock(at: $0) } }
        hours = [:]
        guard let venue, let clock else { return }
        for place in venue.places {
            hours[place.id] = VenueDays(place, of: venue).state(at: clock)
        }
        if book == nil, let volume = Volume(status.volume), let today = clock.date.venueDay {
            book = BookScene(venue, volume, today: today)
        }
        reckonBook()
    }

    /// Makes the page of bookings anew.
    mutating func reckonBook() {
        guard let venue, let time else { return }
        book?.reckon(venue, at: time)
    }

    /// Whether there are places where people check in, beside those that are booked.
    var hasCounts: Bool { places.contains { $0.mode == .counted } }

    /// What is booked, if that is what the page shows.
    var shownBook: BookScene? { prefersList && hasCounts ? nil : book }

    // MARK: Looking things up

    /// Its places, in the order of the file.
    var places: [VenuePlace] { venue?.places ?? [] }
    /// Its name.
    var name: String { venue?.name ?? status.venue }
    /// The place under the cursor.
    var chosen: VenuePlace? { cursor.flatMap { venue?.place($0) } }
    /// Where the user is now; `nil` for nowhere.
    var stay: StayFacts? { status.isIn ? status.stay : nil }

    /// Whether a place is open, and what comes next; `nil` if nobody here knows.
    func state(of place: VenuePlace) -> OpenState? { hours[place.id] }

    /// `open until 22:00`.
    func words(of place: VenuePlace) -> String? {
        clock.flatMap { clock in state(of: place)?.words(today: clock.date) }
    }

    /// The same for the whole venue.
    var words: String? {
        clock.flatMap { clock in
            venue.map { VenueDays($0).state(at: clock).words(today: clock.date) }
        }
    }

    /// `09:12`, by the clocks there.
    func clock(_ time: UTCTime) -> String? { zone?.clock(at: time)?.clock }

    /// The day that the page is about.
    var date: FlightDate? { FlightDate(status.volume) ?? clock?.date }

    /// The addresses of friends at a place.
    func friends(at place: Int) -> [String] {
        friends.filter { $0.place == place }.map(\.address)
    }

    /// Whether the day, or the week, of this agent is over.
    var isOver: Bool {
        guard let venue, let zone, let time, let volume = venue.volume(at: time, zone) else {
            return false
        }
        return volume.text != status.volume
    }

    /// The mark of a place.
    func mark(of place: VenuePlace) -> PlaceMark {
        if stay?.place == place.id { return .me }
        guard place.mode == .counted else { return .elsewhere }
        if state(of: place)?.isOpen == false { return .closed }
        let people = status.people(at: place.id)
        return people >= place.count ? .full : people > 0 ? .people : .free
    }
}

extension Int64 {
    fileprivate func dividedDown(by size: Int64) -> Int64 {
        let quotient = self / size
        return self % size < 0 ? quotient - 1 : quotient
    }
}

/// What a place of a venue means to the user.
enum PlaceMark: Hashable, Sendable, CaseIterable {
    /// They are there.
    case me
    /// Somebody is there, and there is room.
    case people
    /// Nobody is there.
    case free
    /// No room.
    case full
    case closed
    /// Nobody counts who is there.
    case elsewhere

    /// Its letter in the list.
    var letter: String {
        switch self {
        case .me: "@"
        case .people: "o"
        case .free: "·"
        case .full: "x"
        case .closed: "-"
        case .elsewhere: " "
        }
    }

    /// Its letter behind the number on the plan; nothing where somebody may go.
    var sign: String {
        switch self {
        case .me, .full, .closed: letter
        case .people, .free, .elsewhere: ""
        }
    }

    /// What it means; empty for what needs no word.
    var meaning: String {
        switch self {
        case .me: "you"
        case .people: "people"
        case .full: "full"
        case .closed: "closed"
        case .free, .elsewhere: ""
        }
    }

    /// The sign of a friend.
    static let friend = "*"
}
