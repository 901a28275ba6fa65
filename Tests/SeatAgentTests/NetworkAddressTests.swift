// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SeatAgent
@testable import Transport
@testable import System

@Suite struct NetworkAddressTests {
    @Test(arguments: [
        ("127.0.0.1:4000", "127.0.0.1:4000"),
        ("localhost:1", "127.0.0.1:1"),
        ("255.255.255.255:65535", "255.255.255.255:65535"),
        ("[::1]:80", "[::1]:80"),
        ("[2001:DB8:0:0:0:0:0:1]:7", "[2001:db8::1]:7"),
        ("[fe80::1%lo]:9", "[fe80::1%lo]:9"),
        ("[fe80::1%1]:9", "[fe80::1%lo]:9"),
        ("[::ffff:192.0.2.1]:5", "192.0.2.1:5"),
        ("10.0.0.1:0080", "10.0.0.1:80"),
    ])
    func reads(text: String, printed: String) throws {
        let address = try Address(parsing: text)
        #expect(address.description == printed)
        #expect(try Address(parsing: printed) == address)
    }

    @Test(arguments: [
        ("", AddressError.noPort),
        ("127.0.0.1", .noPort),
        ("::1", .noPort),
        ("fe80::1:80", .noPort),
        ("[::1]", .noPort),
        ("[::1]80", .noPort),
        ("127.0.0.1:", .port("")),
        ("127.0.0.1:0", .port("0")),
        ("127.0.0.1:65536", .port("65536")),
        ("127.0.0.1:-1", .port("-1")),
        ("127.0.0.1:+1", .port("+1")),
        ("127.0.0.1:1 ", .port("1 ")),
        ("[::1]:x", .port("x")),
        ("bo.local:80", .host("bo.local")),
        (":80", .host("")),
        ("127.1:80", .host("127.1")),
        ("0127.0.0.1:80", .host("0127.0.0.1")),
        ("256.0.0.1:80", .host("256.0.0.1")),
        ("[127.0.0.1]:80", .host("127.0.0.1")),
        ("[::1:80", .host("[::1:80")),
        ("[:::1]:80", .host(":::1")),
        ("[fe80::1%nosuchif0]:80", .interface("nosuchif0")),
        ("[fe80::1%]:80", .interface("")),
        ("127.0.0.1\u{0}:80", .host("127.0.0.1\u{0}")),
    ])
    func refuses(text: String, error: AddressError) {
        #expect(throws: error) { try Address(parsing: text) }
    }

    @Test(arguments: ["127.0.0.1:4000", "[::1]:1", "[fe80::1%lo]:65535", "192.0.2.255:443"])
    func survivesTheKernelsForm(text: String) throws {
        let address = try Address(parsing: text)
        let (_, back) = Address.filled { target, _ in
            address.withSocketAddress { source, size in
                UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: Int(size))
                return 0
            }
        }
        #expect(back == address)
    }

    @Test func bytesInNetworkOrder() throws {
        #expect(try Address.Host(parsing: "1.2.3.4").bytes == [1, 2, 3, 4])
        let six = try Address.Host(parsing: "102:304:506:708:90a:b0c:d0e:f10").bytes
        #expect(six == Array(1...16))
    }

    @Test func kinds() throws {
        #expect(try Address.Host(parsing: "127.9.9.9").isLoopback)
        #expect(Address.Host.loopback6.isLoopback)
        #expect(try !Address.Host(parsing: "128.0.0.1").isLoopback)
        #expect(try Address.Host(parsing: "169.254.1.1").isLinkLocal)
        #expect(try Address.Host(parsing: "febf::1").isLinkLocal)
        #expect(try !Address.Host(parsing: "fec0::1").isLinkLocal)
        #expect(try !Address.Host(parsing: "169.253.1.1").isLinkLocal)
    }

    @Test func loopbackInterfaceHasItsAddress() {
        #expect(Address.all(of: "lo").contains(Address(host: .loopback4, port: 0)))
        #expect(Address.all(of: "nosuchif0").isEmpty)
    }
}
