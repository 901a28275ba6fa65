// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ControlAPI
@testable import Protocol
@testable import SeatAgent
@testable import Text

/// What `together --watch` says, and what it has said already.
@Suite("What is news of what was found")
struct MatchNewsTests {
    /// A swap of 14C for that seat, after which so many sit together.
    private func plan(_ seat: String, together: Int, helped: Int = 0) throws -> MatchPlan {
        let who = { (name: String) in Person(key: name, tag: "#c2d9", name: name, seats: []) }
        let (mine, theirs) = (try #require(Seat("14C")), try #require(Seat(seat)))
        return MatchPlan(
            number: 1, changes: [],
            moves: [
                Move(seat: mine, from: who("ada"), to: who(seat)),
                Move(seat: theirs, from: who(seat), to: who("ada")),
            ],
            sentences: [], shape: Word(.row), together: together, helped: helped, favours: 0,
            yours: true)
    }

    private func found(_ plans: MatchPlan...) -> MatchPlans {
        MatchPlans(party: [], shape: Word(.apart), together: 0, plans: plans, whole: true)
    }

    @Test("The first is news, and what is shown is not")
    func once() throws {
        var news = MatchNews()
        let plan = try plan("12A", together: 2)
        #expect(news.take(found(plan)) == .better(plan))
        #expect(news.take(found(plan)) == .same)
        #expect(news.take(found(plan, try self.plan("9C", together: 2))) == .same)
    }

    @Test("What comes before it is news; what it was is not, as long as the better one stands")
    func better() throws {
        var news = MatchNews()
        let (good, best) = (try plan("12A", together: 2), try plan("9C", together: 3))
        _ = news.take(found(good))
        #expect(news.take(found(best, good)) == .better(best))
        #expect(news.take(found(best, good)) == .same)
    }

    @Test("What is left where the best is gone is said as that, and its return is better again")
    func gone() throws {
        var news = MatchNews()
        let (good, best) = (try plan("12A", together: 2), try plan("9C", together: 3))
        _ = news.take(found(best, good))
        #expect(news.take(found(good)) == .instead(good))
        #expect(news.take(found(best)) == .better(best))
        // As good by all that is told, and something else: no reason to call anybody.
        let other = try plan("20F", together: 3)
        #expect(news.take(found(other)) == .instead(other))
        let helpful = try plan("21F", together: 3, helped: 1)
        #expect(news.take(found(helpful)) == .better(helpful))
    }
}
