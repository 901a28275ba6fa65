// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import Discovery
@testable import Interfaces

@Suite struct ServiceLabelTests {
    @Test(arguments: [
        (UInt64.min, "0000000000000000"), (0xa, "000000000000000a"),
        (UInt64.max, "ffffffffffffffff"), (0x0123_4567_89ab_cdef, "0123456789abcdef"),
    ])
    func aLabelHasSixteenDigits(random: UInt64, text: String) {
        #expect(ServiceLabel(random: random).text == text)
        #expect(ServiceLabel.isInstanceName(text))
    }

    @Test(arguments: ["0123456789abcdef #2", "0123456789abcdef #123"])
    func avahisAlternativesAreNames(name: String) {
        #expect(ServiceLabel.isInstanceName(name))
    }

    @Test(arguments: [
        "", "0123456789abcde", "0123456789abcdeF", "0123456789abcdefg", "0123456789abcdef #",
        "0123456789abcdef #1234", "0123456789abcdef #a", "0123456789abcdef-2", "Anna's phone",
        "0123456789abcde\u{e9}",
    ])
    func othersAreNot(name: String) {
        #expect(!ServiceLabel.isInstanceName(name))
    }
}

@Suite struct ServiceAddressTests {
    private static let loopback6: [UInt8] = Array(repeating: 0, count: 15) + [1]
    private static let linkLocal: [UInt8] = [0xfe, 0x80] + Array(repeating: 0, count: 13) + [1]
    private static let unique: [UInt8] = [0xfd] + Array(repeating: 0, count: 14) + [1]

    @Test func text() throws {
        let four = try #require(ServiceAddress(bytes: [10, 77, 0, 2], port: 80, interface: 3))
        #expect(four.description == "10.77.0.2:80")
        let scoped = try #require(ServiceAddress(bytes: Self.linkLocal, port: 80, interface: 3))
        #expect(scoped.description == "[fe80::1%3]:80")
        let six = try #require(ServiceAddress(bytes: Self.unique, port: 80, interface: 3))
        #expect(six.host == "fd00::1")
    }

    @Test func theOrderIsTheOrderOfDialling() {
        let sorted = [
            ServiceAddress(bytes: [10, 0, 0, 1], port: 1, interface: 1),
            ServiceAddress(bytes: [10, 0, 0, 2], port: 1, interface: 1),
            ServiceAddress(bytes: Self.unique, port: 1, interface: 1),
            ServiceAddress(bytes: [169, 254, 0, 1], port: 1, interface: 1),
            ServiceAddress(bytes: Self.linkLocal, port: 1, interface: 1),
            ServiceAddress(bytes: Self.linkLocal, port: 1, interface: 2),
            ServiceAddress(bytes: Self.loopback6, port: 1, interface: 1),
            ServiceAddress(bytes: [127, 0, 0, 1], port: 1, interface: 1),
        ].compactMap(\.self)
        #expect(sorted.count == 8)
        #expect(Set(sorted.reversed().sorted().prefix(6)) == Set(sorted.prefix(6)))
        #expect(Array(sorted.reversed().sorted().prefix(6)) == Array(sorted.prefix(6)))
    }

    @Test(arguments: [
        [], [10, 0, 0], [0, 0, 0, 0], [0, 1, 2, 3], [224, 0, 0, 1], [255, 255, 255, 255],
        [127, 0, 0, 1], Array(repeating: 0, count: 16), loopback6,
        [0xff, 2] + Array(repeating: 0, count: 14),
        Array(repeating: 0, count: 10) + [0xff, 0xff, 10, 0, 0, 1],
    ])
    func noSuchPlace(bytes: [UInt8]) {
        #expect(ServiceAddress(bytes: bytes, port: 1, interface: 2) == nil)
    }

    @Test func loopbackIsForTheLoopbackInterfaceAndPortZeroForNobody() {
        #expect(ServiceAddress(bytes: [127, 0, 0, 1], port: 1, interface: 1) != nil)
        #expect(ServiceAddress(bytes: Self.loopback6, port: 1, interface: 1) != nil)
        #expect(ServiceAddress(bytes: [10, 0, 0, 1], port: 0, interface: 1) == nil)
    }
}

@Suite struct NoticeQueueTests {
    private func found(_ label: String, _ last: UInt8) -> DiscoveryNotice {
        MachineRig.found(label, MachineRig.address(last, on: 2))
    }

    @Test func ofOnePeerOnlyTheLatestIsKept() {
        var queue = NoticeQueue()
        for notice in [found("a", 1), found("b", 1), found("a", 2)] { queue.append(notice) }
        #expect(queue.takeAll() == [found("b", 1), found("a", 2)])
        #expect(queue.takeAll() == [])
    }

    @Test func aLossStandsBeforeANewFind() {
        var queue = NoticeQueue()
        for notice in [found("a", 1), .lost(label: "a"), found("a", 2), .lost(label: "a")] {
            queue.append(notice)
        }
        queue.append(found("a", 3))
        #expect(queue.takeAll() == [.lost(label: "a"), found("a", 3)])
    }
}

@Suite struct TroubleTests {
    @Test func whatIsMissingDecidesWhatToTry() {
        func trouble(_ hasBus: Bool, _ isInstalled: Bool) -> DiscoveryTrouble {
            .noDaemon(DaemonFacts(hasBus: hasBus, isInstalled: isInstalled))
        }
        #expect(trouble(true, true).remedy == "sudo systemctl start avahi-daemon")
        #expect(trouble(false, true).remedy == "sudo systemctl start dbus avahi-daemon")
        #expect(trouble(false, false).remedy == "sudo apt install avahi-daemon")
    }

    @Test func everyTroubleHasItsWords() {
        let all: [DiscoveryTrouble] = [
            .noDaemon(DaemonFacts(hasBus: true, isInstalled: true)), .daemonLost, .silent,
            .noInterface("va"), .refused(.unknown), .noRoom, .labelTaken(chosen: "x"),
        ]
        #expect(all.allSatisfy { !$0.what.isEmpty && !$0.remedy.isEmpty })
        #expect(Set(all.map(\.why)).count == all.count)
    }
}

@Suite struct InterfaceTests {
    private func made(
        _ name: String, _ index: UInt32, flags: UInt32 = 0x1043, _ addresses: [UInt8]...
    ) -> NetworkInterface {
        NetworkInterface(name: name, index: index, flags: flags, addresses: addresses)
    }

    private func global(_ prefix: UInt8, _ host: UInt8) -> [UInt8] {
        [0x20, 1, prefix] + Array(repeating: 0, count: 12) + [host]
    }

    @Test func theLoopbackIsThere() throws {
        let loopback = try #require(NetworkInterface.all().first { $0.isLoopback })
        #expect(loopback.index == 1)
        #expect(!loopback.isUsable)
    }

    @Test func flagsAreReadAsTheKernelMeansThem() {
        #expect(made("va", 2, [10, 0, 0, 1]).isUsable)
        #expect(!made("va", 2).isUsable)
        // Down, no carrier, loopback, no multicast, point to point.
        for flags: UInt32 in [0x1042, 0x1003, 0x104b, 0x43, 0x1053] {
            #expect(!made("va", 2, flags: flags, [10, 0, 0, 1]).isUsable)
        }
    }

    @Test func theFingerprintChangesWithTheNetworkOnly() {
        let before = NetworkFingerprint(of: [made("va", 2, [10, 0, 0, 1], global(1, 1))])
        let otherHostPart = [made("va", 2, [10, 0, 0, 1], global(1, 7), global(1, 9))]
        #expect(NetworkFingerprint(of: otherHostPart) == before)
        let idle = otherHostPart + [made("vb", 3)]
        #expect(NetworkFingerprint(of: idle) == before)
        #expect(NetworkFingerprint(of: [made("va", 2, [10, 0, 0, 2], global(1, 1))]) != before)
        #expect(NetworkFingerprint(of: [made("va", 2, [10, 0, 0, 1], global(2, 1))]) != before)
        #expect(NetworkFingerprint(of: []) != before)
    }

    @Test func ofAChosenInterfaceOnlyThatOneCounts() {
        let chosen = made("va", 2, [10, 0, 0, 1])
        let before = NetworkFingerprint(of: [chosen], named: "va")
        let more = [chosen, made("vb", 3, [10, 1, 0, 1])]
        #expect(NetworkFingerprint(of: more, named: "va") == before)
        #expect(NetworkFingerprint(of: more) != NetworkFingerprint(of: [chosen]))
    }
}

@Suite struct MailboxTests {
    @Test func aStartThatWasNotTakenIsStruckOut() throws {
        let mailbox = try #require(Mailbox())
        defer {
            close(mailbox.loopEnd)
            close(mailbox.workerEnd)
        }
        let starts = (1...2).map {
            ReferenceStart(id: ReferenceID(number: $0), request: .browse(interface: nil))
        }
        mailbox.order(stops: [], starts: starts)
        mailbox.order(stops: [starts[0].id, ReferenceID(number: 9)], starts: [])
        let order = mailbox.takeOrder()
        #expect(order.starts == [starts[1]])
        #expect(order.stops == [ReferenceID(number: 9)])
        #expect(mailbox.takeOrder().starts.isEmpty)
    }

    @Test func theLoopWaitsUntilTheWorkerTellsAndNoLonger() throws {
        let mailbox = try #require(Mailbox())
        defer {
            close(mailbox.loopEnd)
            close(mailbox.workerEnd)
        }
        let clock = ContinuousClock()
        #expect(clock.measure { mailbox.wait(30) } >= .milliseconds(30))
        mailbox.tellAsked()
        #expect(clock.measure { mailbox.wait(60_000) } < .seconds(60))
        #expect(mailbox.takeReports().isEmpty)
        #expect(clock.measure { mailbox.wait(30) } >= .milliseconds(30))
    }
}
