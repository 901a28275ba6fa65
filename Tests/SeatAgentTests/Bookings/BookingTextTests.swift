// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
import Testing

@testable import Bookings
@testable import Text
@testable import Venues

@Suite("Sentences about bookings")
struct BookingTextTests {
    private let scene: BookingScene
    private let text: BookingText

    init() throws {
        scene = try BookingScene(.courts)
        text = try #require(BookingText(scene.reader))
    }

    private func quota(_ minutes: Int, _ limit: Int, _ bookings: Int) -> DayQuota {
        DayQuota(
            minutes: DayQuota.Part(used: minutes, limit: limit),
            bookings: DayQuota.Part(used: bookings, limit: 1))
    }

    @Test("The question names place, day, period, price, quota, and until when it can be cancelled")
    func question() throws {
        let spot = try scene.spot("tennis 2 sat 18-20")
        let due = scene.venue.due(spot.period, count: 1, memberClass: 1)
        #expect(
            text.question(spot, due: due, quotas: [quota(0, 120, 0)], at: scene.now)
                == "Tennis 2, Sat 5 Dec 18:00-20:00: 20.00 USD, to be paid by Sat 5 Dec 17:30; "
                + "after it 0 h of 2 h, no booking left that day; can be cancelled until "
                + "Sat 5 Dec 16:00.")
        #expect(
            text.question(spot, due: nil, quotas: [quota(0, 240, 0)], at: scene.now)
                == "Tennis 2, Sat 5 Dec 18:00-20:00: free for you; after it 2 h of 4 h, no booking "
                + "left that day; can be cancelled until Sat 5 Dec 16:00.")
        // Too late to cancel, or to be paid in time: a quarter of an hour is left at least.
        let soon = try scene.spot("tennis 2 today 12-13")
        let words = text.question(soon, due: due, quotas: [], at: scene.now)
        #expect(words.contains("to be paid by Tue 1 Dec 11:30"))
        #expect(words.hasSuffix("can not be cancelled without being spent."))
        let now = try scene.spot("tennis 2 today 11-12")
        #expect(
            text.question(now, due: due, quotas: [], at: scene.now)
                .contains("to be paid by Tue 1 Dec 10:45"))
    }

    @Test("Confirmations have the code and nothing that is not so")
    func confirmations() throws {
        let spot = try scene.spot("tennis 2 sat 18-20")
        let token = try token(0x57, 0xE1, 0xA6, 0x75, 0xC0)
        #expect(
            text.booked(spot, token) == "Booked: Tennis 2, Sat 5 Dec 18:00-20:00, code K7Q2M5OA")
        #expect(
            text.asked(spot) == "Asked: Tennis 2, Sat 5 Dec 18:00-20:00; nothing is booked yet")
        #expect(
            text.waiting(spot, number: 2)
                == "Waiting: Tennis 2, Sat 5 Dec 18:00-20:00, number 2 on the waiting list")
        #expect(text.cancelled(spot, spent: false) == "Cancelled: Tennis 2, Sat 5 Dec 18:00-20:00")
        #expect(text.cancelled(spot, spent: true).hasSuffix("it still counts for that day"))
        let castles = try BookingScene(.rental)
        let piraat = try castles.spot("2 x piraat 12-14 jun")
        #expect(
            try #require(BookingText(castles.reader)).shared(piraat) == [
                "2 x Piraat at DreamLand Gent: Sat 12 Jun 2027 to Mon 14 Jun 2027"
            ])
        let shared = text.shared(spot)
        #expect(shared[0] == "Tennis 2 at Northwest Rec Center: Sat 5 Dec 2026 18:00-20:00")
        #expect(shared[1] == "geo:40.353,-94.883" && !shared.joined().contains("K7Q2"))
    }

    @Test("What is left of a quota")
    func quotas() {
        #expect(quota(120, 240, 1).words == "2 h of 4 h, no booking left")
        #expect(quota(0, 240, 0).words == "4 h of 4 h, 1 of 1 booking left")
        // The desk set it aside.
        #expect(quota(300, 240, 2).words == "0 h of 4 h, no booking left")
        let games = DayQuota(group: "Tennis", bookings: DayQuota.Part(used: 1, limit: 3))
        #expect(games.words == "2 of 3 bookings of Tennis left")
        #expect(games.after(minutes: 60, count: 2).words == "no booking of Tennis left")
        #expect(games.holds(minutes: 999, count: 2) && !games.holds(minutes: 1, count: 3))
        #expect(quota(0, 240, 0).holds(minutes: 240) && !quota(0, 240, 0).holds(minutes: 241))
    }

    @Test("A welcome names the member, the class and what it may have")
    func welcome() {
        #expect(
            JoinText.welcome(scene.venue, member: 217, memberClass: 0)
                == "Welcome to Northwest Rec Center, member 217, student: 4 h and 1 booking a day")
        #expect(JoinText.welcome(scene.venue, member: 9, memberClass: nil).contains("guest: 2 h"))
        #expect(
            JoinText.welcomeBack(scene.venue, member: 217)
                == "Welcome back to Northwest Rec Center, member 217")
    }

    // MARK: The desk

    @Test("The state of the desk, word for word")
    func desk() throws {
        let clock = scene.offered.clock
        let since = UTCTime(seconds: scene.now.seconds - 28 * 60)
        func request(_ sight: DeskSight) -> String {
            DeskStateText.request(sight, clock, at: scene.now)
        }
        #expect(request(.here) == "asked")
        #expect(
            request(.away(since: since))
                == "waiting: the desk has been away since 10:02; nothing is booked yet")
        #expect(
            request(.away(since: UTCTime(seconds: since.seconds - 86_400))).contains(
                "since Mon 30 Nov 2026 10:02"))
        #expect(
            request(.away(since: nil)) == "waiting: the desk has been away; nothing is booked yet")
        let rival = try #require(PeerKey([0x57, 0xE1, 0xA6] + [UInt8](repeating: 0, count: 29)))
        #expect(
            DeskStateText.alarm(.two(rival: rival))
                == "two desks run: what #k7q2 grants does not count")
        #expect(
            DeskStateText.alarm(.forked(page: 812))
                == "the desk signed two ledgers from page 812 on: bookings behind it do not count")
        #expect(DeskStateText.alarm(.here) == nil && DeskStateText.alarm(.away(since: nil)) == nil)
        #expect(request(.forked(page: 2)).hasPrefix("waiting: nothing is booked yet; the desk"))
        #expect(DeskStateText.short(.here, clock, at: scene.now) == "desk: here")
        #expect(
            DeskStateText.short(.away(since: since), clock, at: scene.now)
                == "desk: away since 10:02")
    }

    @Test("A refusal for each reason, with free times near it where others would help")
    func refusals() throws {
        let spot = try scene.spot("tennis 2 sat 18-20")
        let near = try ["tennis 2 sat 16-18", "tennis 1 sat 17-19", "tennis 2 sat 15-17"]
            .map(scene.spot)
        let quotas = [quota(120, 240, 1)]
        let refusal = BookingRefusal(scene.reader, spot, near: near + near, quotas: quotas)
        var codes: Set<ErrorCode> = []
        for reason in DeskReason.allCases {
            let error = refusal.error(reason)
            codes.insert(error.code)
            #expect(!error.what.isEmpty && error.advice?.hasPrefix("seatagent ") == true)
            if error.advice?.hasPrefix("seatagent book ") == true { try scene.works(error) }
        }
        #expect(codes.isSuperset(of: [.full, .closed, .quota, .tooSoon, .tooFar, .notJoined]))
        let full = refusal.error(.full)
        #expect(full.what == "others have Tennis 2 then")
        #expect(
            full.why
                == "with --wait you are put on the waiting list; free near it: "
                + "Tennis 2, Sat 5 Dec 16:00-18:00; Tennis 1, Sat 5 Dec 17:00-19:00; "
                + "Tennis 2, Sat 5 Dec 15:00-17:00")
        #expect(full.advice == "seatagent book 'Tennis 2' 5 dec 16:00 2h")
        #expect(refusal.error(.notJoined).advice == "seatagent venue join rec")
        #expect(
            refusal.error(.quota).why?.hasPrefix("you have 2 h of 4 h, no booking left that day")
                == true)
        #expect(refusal.error(.refused).code.exit == .refused)
        #expect(refusal.error(.notYours).why == nil)
    }

    @Test("What the venue does not offer is said without the desk")
    func faults() throws {
        func fault(_ line: String) throws -> UserError? {
            BookingRefusal(scene.reader, try scene.spot(line)).fault
        }
        #expect(try fault("tennis 2 sat 18-20") == nil)
        let closed = try #require(try fault("tennis 2 sat 21-22"))
        #expect(closed.code == .closed && closed.why == "Sat 5 Dec: open 10:00-20:00")
        try scene.works(closed)
        let holiday = try BookingScene(scene.venue, at: "2026-12-20T10:00")
        let off = try #require(
            BookingRefusal(holiday.reader, try holiday.spot("tennis 2 25 dec 12:00")).fault)
        #expect(off.why == "Fri 25 Dec: closed (Christmas)")
        try holiday.works(off)
        let step = try #require(try fault("tennis 2 sat 18:30"))
        #expect(step.why == "it begins every 1 h, from 00:00 on")
        let length = try #require(try fault("tennis 2 sat 12:00 5h"))
        #expect(length.why == "1 h to 4 h")
        try scene.works(length)
        #expect(try fault("tennis 2 today 9:00")?.code == .tooSoon)
        #expect(try fault("tennis 2 3 jan 12:00")?.why == "it is booked up to 14 days ahead")
        let spring = try BookingScene(
            [
                "zone": "America/Chicago", "hours": ["Mo-Su": "00:00-24:00"],
                "places": [VenueFiles.court([:])],
            ], at: "2027-03-13T12:00")
        let skipped = BookingRefusal(spring.reader, try spring.spot("court 14 mar 2:00")).fault
        #expect(skipped?.why == "clocks skip 02:00 that day")
    }

    @Test("D4: nobody is found by an address that none booked with")
    func mail() throws {
        #expect(try MailLookup.address("Els@X.be") == "els@x.be")
        #expect(throws: UserError.self) { try MailLookup.address("els@x") }
        let none = MailLookup.none("els@x.be", scene.venue)
        #expect(none.what == "no booking for els@x.be here" && none.code.exit == .notFound)
    }
}
