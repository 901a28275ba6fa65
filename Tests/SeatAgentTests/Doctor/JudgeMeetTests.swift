// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Brokers
@testable import Doctor
@testable import Rendezvous
@testable import Text

@Suite("What is said of a meeting point")
struct JudgeMeetTests {
    private var well: BrokerFacts {
        get throws {
            var facts = BrokerFacts(try #require(MeetBroker(host: "m2.example.org", port: 8883)))
            facts.reached = .work
            facts.certificateLife = 30 * 86_400
            (facts.keeping, facts.width, facts.roundTrip) = (.kept, .narrow, .milliseconds(2))
            return facts
        }
    }

    private func verdict(
        _ change: (inout BrokerFacts) -> Void = { _ in }
    ) throws -> Verdict {
        var point = MeetingPointFacts(host: "example.org", wasAsked: true)
        point.hasRecords = true
        var facts = try well
        change(&facts)
        point.brokers = [facts]
        return point.verdict
    }

    @Test("All well: the records are named, each thing has its line")
    func allWell() throws {
        let verdict = try verdict()
        #expect(verdict.cause == "well" && verdict.error == nil)
        #expect(verdict.findings.map(\.name) == Finding.Name.ofMeetingPoint)
        #expect(verdict.findings[0].what == "SRV records: m2.example.org:8883")
        #expect(verdict.findings.allSatisfy { $0.state == .ok })
    }

    @Test(
        "Where a connection came no further is what is wrong, and nothing behind it is judged",
        arguments: [
            (BrokerReach.name, BrokerTrouble.nameNotFound, Finding.Name.meetName),
            (.connection, .refused, .meetReach), (.tls, .expired, .meetTLS),
            (.login, .login, .meetLogin), (.login, .lacks(.retain), .meetFeatures),
        ])
    func stops(reached: BrokerReach, trouble: BrokerTrouble, name: Finding.Name) throws {
        let verdict = try verdict {
            ($0.reached, $0.trouble) = (reached, trouble)
            ($0.keeping, $0.width, $0.roundTrip) = (nil, nil, nil)
        }
        #expect(verdict.cause == name.rawValue && verdict.error?.code == .networkTrouble)
        #expect(verdict.findings.last?.what == trouble.text(of: "m2.example.org"))
        #expect(verdict.findings.last?.state == .bad)
        // What the DNS says, and each thing before the one that is wrong.
        let order = Finding.Name.ofMeetingPoint
        let before = try order.prefix(max(1, #require(order.firstIndex(of: name))))
        #expect(verdict.findings.dropLast().map(\.name) == Array(before))
    }

    @Test("What is not as it should be, but lets agents meet, is a warning and no error")
    func warnings() throws {
        let changes: [(Finding.Name, (inout BrokerFacts) -> Void)] = [
            (.meetTLS, { $0.certificateLife = 3600 }), (.meetWide, { $0.width = .wide }),
            (.meetLoop, { $0.roundTrip = .milliseconds(88) }),
            (.meetStore, { $0.keeping = .stuck }),
        ]
        for (name, change) in changes {
            let verdict = try verdict(change)
            #expect(verdict.cause == name.rawValue && verdict.error == nil)
        }
    }

    @Test("The streams of a cluster are judged by what agents need")
    func streams() throws {
        func verdict(
            _ change: (inout StreamFacts) -> Void, width: BrokerFacts.Width = .wide,
            hasLogin: Bool = true
        ) throws -> Verdict {
            var point = MeetingPointFacts(host: "example.org", wasAsked: true)
            (point.hasRecords, point.isNATS, point.hasLogin) = (true, true, hasLogin)
            var (facts, streams) = (try self.well, StreamFacts())
            (streams.replicas, streams.seconds) = (3, 345_600)
            change(&streams)
            (facts.streams, facts.width) = (streams, width)
            point.brokers = [facts]
            return point.verdict
        }
        let good = try verdict { _ in }
        #expect(good.cause == "well")
        #expect(
            good.findings.contains { $0.what == "16 streams, each on 3 machines, for 96 hours" })
        #expect(try verdict({ _ in }, hasLogin: false).cause == "meet-wide")
        #expect(try verdict { $0.replicas = 1 }.cause == "well")
        #expect(try verdict { $0.replicas = nil }.cause == "well")
        for seconds in [0, 3600] as [Int64] {
            let short = try verdict { $0.seconds = seconds }
            #expect(short.cause == "meet-features" && !short.isTrouble)
        }
        let missing = try verdict { $0.missing = ["SA1_0", "SA1_1", "SA1_2", "SA1_3"] }
        #expect(missing.cause == "meet-features" && missing.isTrouble)
        #expect(missing.what.hasSuffix("SA1_0, SA1_1, SA1_2 and 1 more"))
    }

    @Test("A broker that forgets or changes what it said it has is of no use")
    func forgets() throws {
        for keeping in [BrokerFacts.Keeping.forgotten, .changed] {
            let verdict = try verdict { $0.keeping = keeping }
            #expect(verdict.cause == "meet-store" && verdict.isTrouble)
        }
        // It let the writer in, and then something went wrong.
        let verdict = try verdict {
            ($0.keeping, $0.width, $0.trouble) = (nil, nil, .messageRefused(0x87))
        }
        #expect(verdict.cause == "meet-store" && verdict.isTrouble)
    }
}
