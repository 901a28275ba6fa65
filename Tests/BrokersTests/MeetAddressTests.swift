// SPDX-License-Identifier: Apache-2.0
import Profile
import Rendezvous
import Testing
import Text

@testable import Brokers

/// What `rendezvous.url` may say.
@Suite("Address of a meeting point") struct MeetAddressTests {
    @Test func aNameHasTheUsualPortAndRecords() throws {
        let address = try MeetAddress(parsing: "mqtts://Meet.Example.org")
        #expect(address.host == "meet.example.org" && address.port == 8883 && address.isTLS)
        #expect(address.hasRecords)
        #expect(address.recordName == "_seatmeet._tcp.meet.example.org.")
        #expect(address.broker == MeetBroker(host: "meet.example.org", port: 8883))
    }

    @Test func aClusterIsOneNameWithRecords() throws {
        let address = try MeetAddress(parsing: "nats+tls://Meet.Example.org")
        #expect(address.engine == .nats && address.port == 4222 && address.isTLS)
        #expect(address.hasRecords && address.host == "meet.example.org")
        #expect(try MeetAddress(parsing: "mqtts://meet.example.org").engine == .mqtt)
    }

    @Test(
        arguments: [
            ("mqtts://meet.example.org:443", "meet.example.org", UInt16(443), true),
            ("mqtts://192.0.2.7", "192.0.2.7", 8883, true),
            ("mqtts://[2001:db8::1]:9000", "2001:db8::1", 9000, true),
            ("mqtt://localhost", "localhost", 1883, false),
            ("mqtt://127.0.0.2:1884", "127.0.0.2", 1884, false),
            ("mqtt://[::1]:1885", "::1", 1885, false),
            ("nats+tls://meet.example.org:443", "meet.example.org", 443, true),
            ("nats+tls://192.0.2.7", "192.0.2.7", 4222, true),
            ("nats://localhost", "localhost", 4222, false),
        ])
    func withAPortOrAnAddressThereAreNoRecords(
        text: String, host: String, port: UInt16, isTLS: Bool
    ) throws {
        let address = try MeetAddress(parsing: text)
        #expect(address.host == host && address.port == port && address.isTLS == isTLS)
        #expect(!address.hasRecords)
    }

    @Test(arguments: [
        "mqtt://meet.example.org", "mqtt://192.0.2.7:1883", "mqtt://[2001:db8::1]",
        "nats://meet.example.org",
    ])
    func withoutTLSOnlyThisMachine(text: String) throws {
        let error = #expect(throws: UserError.self) { try MeetAddress(parsing: text) }
        #expect(error?.code == .usage)
        #expect(error?.what == "rendezvous.url: TLS is required outside this machine")
    }

    @Test(
        arguments: [
            "", "mqtts://", "meet.example.org", "https://meet.example.org", "MQTTS://meet.test",
            "nats+tls://", "nats+tls:meet.test", "natss://meet.test", "nats+tls://meet.test/a",
            "mqtts://meet.test/", "mqtts://meet.test/a", "mqtts://ada@meet.test",
            "mqtts://meet.test:", "mqtts://meet.test:0", "mqtts://meet.test:65536",
            "mqtts://meet.test:+1", "mqtts://meet.test:1:2", "mqtts://[::1", "mqtts://[::1]x",
            "mqtts://::1", "mqtts://[meet.test]", "mqtts://-a.test", "mqtts://a..test",
            "mqtts://meet.test.", "mqtts://m\u{e9}t.test", "mqtts://a b", "mqtts://a_b.test",
            "mqtts://" + String(repeating: "a", count: 64) + ".test",
            "mqtts://" + String(repeating: "a.", count: 127) + "test",
        ])
    func nothingElseIsTaken(text: String) {
        let error = #expect(throws: UserError.self) { try MeetAddress(parsing: text) }
        #expect(error?.code == .usage && error?.advice != nil)
    }
}
