// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Protocol

@Suite struct HostAddressTests {
    @Test(arguments: [
        ("10.77.0.2", HostAddress.v4(0x0a4d_0002)), ("127.0.0.1", .v4(0x7f00_0001)),
        ("0.0.0.0", .v4(0)), ("::", .v6(high: 0, low: 0)), ("::1", .v6(high: 0, low: 1)),
        ("fe80::9%3", .v6(high: 0xfe80 << 48, low: 9)),
        ("fe80::9%cabin0", .v6(high: 0xfe80 << 48, low: 9)),
        ("::ffff:127.0.0.1", .v4(0x7f00_0001)), ("::FFFF:7f00:1", .v4(0x7f00_0001)),
        ("0:0:0:0:0:ffff:7f00:0001", .v4(0x7f00_0001)),
        ("2001:db8::ff00:42:8329", .v6(high: 0x2001_0db8_0000_0000, low: 0xff00_0042_8329)),
        ("1:2:3:4:5:6:7:8", .v6(high: 0x0001_0002_0003_0004, low: 0x0005_0006_0007_0008)),
        ("1::8", .v6(high: 1 << 48, low: 8)),
        ("1:2:3:4:5:6:7::", .v6(high: 0x0001_0002_0003_0004, low: 0x0005_0006_0007_0000)),
        ("64:ff9b::10.0.0.1", .v6(high: 0x0064_ff9b_0000_0000, low: 0x0a00_0001)),
    ])
    func whatIsAnAddress(text: String, address: HostAddress) {
        #expect(HostAddress(text) == address)
    }

    @Test(arguments: [
        "", "localhost", "adas-thinkpad.local", "10.77.0", "10.77.0.2.3", "10.77.0.256",
        "010.0.0.1", "10.77.0.02", "0x7f.0.0.1", "2130706433", "127.1", " 127.0.0.1", "127.0.0.1 ",
        "10..0.1",
        ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "12345::",
        "::1%", "::1%a%b", "g::", "::1.2.3", "1.2.3.4::", "[::1]", "::1:", ":1::2", "10.0.0.1%1",
        "::ffff:10.0.0.1.2", "٣.0.0.1",
    ])
    func whatIsNone(text: String) {
        #expect(HostAddress(text) == nil)
    }

    @Test func whatIsOfOneMachine() throws {
        for text in ["10.0.0.1", "127.0.0.1", "::1", "fd00::1", "fe80::1", "223.255.255.255"] {
            #expect(try #require(HostAddress(text)).isOfOneMachine, "\(text)")
        }
        for text in [
            "0.0.0.0", "0.1.2.3", "224.0.0.251", "240.0.0.1", "255.255.255.255", "::", "ff02::fb",
            "::10.0.0.1", "::2", "::ffff:0.0.0.0", "::ffff:224.0.0.1",
        ] {
            #expect(try !#require(HostAddress(text)).isOfOneMachine, "\(text)")
        }
    }

    private func networks(_ own: (String, Int)...) throws -> OwnNetworks {
        OwnNetworks(
            try own.map { NetworkPrefix(own: try #require(HostAddress($0.0)), length: $0.1) })
    }

    private func admitted(
        _ networks: OwnNetworks, told: Bool, _ hosts: [String]
    ) -> [String] {
        hosts.filter { host in
            let address = PeerAddress(host: host, port: 4000)
            return told ? networks.admitsTold(address) : networks.admitsSighted(address)
        }
    }

    private let all = [
        "10.77.0.2", "10.77.0.1", "10.77.0.0", "10.77.0.255", "10.78.0.2", "192.0.2.1", "127.0.0.1",
        "127.9.9.9", "::1", "::ffff:127.0.0.1", "::ffff:10.77.0.2", "0.0.0.0", "::", "localhost",
        "fd00:77::2", "fd00:77::1", "fd00:78::2", "fe80::2%2", "fe80::2", "169.254.3.3",
        "255.255.255.255", "224.0.0.251", "ff02::1%2", "",
    ]

    /// On a network: its machines only; this one is told by nobody, and mDNS may
    /// show another agent on it.
    @Test func onANetwork() throws {
        let here = try networks(("10.77.0.1", 24), ("fd00:77::1", 64), ("fe80::1", 64))
        #expect(
            admitted(here, told: true, all) == ["10.77.0.2", "::ffff:10.77.0.2", "fd00:77::2"])
        #expect(
            admitted(here, told: false, all) == [
                "10.77.0.2", "10.77.0.1", "::ffff:10.77.0.2", "fd00:77::2", "fd00:77::1",
                "fe80::2%2", "fe80::2",
            ])
        #expect(!here.admitsTold(PeerAddress(host: "10.77.0.2", port: 0)))
    }

    /// An agent that lives on loopback only dials loopback only.
    @Test func onLoopback() throws {
        let here = try networks(("127.0.0.1", 8), ("::1", 128))
        for told in [true, false] {
            #expect(
                admitted(here, told: told, all)
                    == ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
        }
        #expect(admitted(.none, told: true, all).isEmpty)
        #expect(admitted(.none, told: false, all).isEmpty)
    }

    /// A tunnel to everywhere is no network; one of two machines has no broadcast address.
    @Test func prefixesOfAllLengths() throws {
        for (own, length) in [("10.0.0.1", 0), ("10.0.0.1", 7), ("fd00::1", 0), ("fd00::1", 16)] {
            #expect(admitted(try networks((own, length)), told: true, all).isEmpty)
        }
        for length in [33, 129, 255, -1] {
            let odd = try networks(("10.77.0.1", length))
            #expect(admitted(odd, told: true, ["10.77.0.2"]).isEmpty)
        }
        let two = try networks(("10.77.0.0", 31))
        #expect(admitted(two, told: true, ["10.77.0.1", "10.77.0.2"]) == ["10.77.0.1"])
        let one = try networks(("fd00:77::1", 128))
        #expect(admitted(one, told: true, ["fd00:77::2"]).isEmpty)
        let odd = try networks(("fd00:77::1", 120))
        #expect(admitted(odd, told: true, ["fd00:77::fe", "fd00:77::1:2"]) == ["fd00:77::fe"])
        let whole = try networks(("10.77.0.1", 8))
        #expect(admitted(whole, told: true, ["10.78.0.2", "11.0.0.1"]) == ["10.78.0.2"])
    }
}
