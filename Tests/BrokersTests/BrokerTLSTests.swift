// SPDX-License-Identifier: Apache-2.0
import Protocol
import Rendezvous
import System
import Testing
import Text

@testable import Brokers

/// Which broker is believed to be itself.
@Suite("Certificates of brokers") struct BrokerTLSTests {
    private let folder: TestFolder
    private let roots: String

    init() throws {
        folder = try TestFolder()
        roots = try folder.makeRoot("root")
        try folder.makeHost("meet.test", by: "root")
    }

    @Test func theRightHostIsBelievedAndAnotherIsNot() throws {
        let real = try RealBroker(in: folder, host: "meet.test")
        let probe = try PoolProbe("mqtts://meet.test:\(real.port)", in: folder, roots: roots)
        let broker = try probe.broker()
        try probe.connect()
        let large = [UInt8](repeating: 9, count: 16_384)
        try probe.ask(.subscribe("sa1/a", 1))
        for number in 2..<52 {
            try probe.ask(.publish(topic: "sa1/a", payload: large, stay: nil, number))
        }
        try probe.wait("all") { $0.count(.came(broker, topic: "sa1/a", payload: large)) == 50 }
        real.kill()
        try probe.wait("down", seconds: 2) { $0.count(.down(broker)) == 1 }
        #expect(probe.pool.troubles[broker] == .closed)

        try real.start()
        let url = "mqtts://other.test:\(real.port)"
        #expect(try PoolProbe(url, in: folder, roots: roots).failure() == .otherHost)
        let address = "mqtts://127.0.0.1:\(real.port)"
        #expect(try PoolProbe(address, in: folder, roots: roots).failure() == .otherHost)
        // A host below the certificate's is another one.
        let below = "mqtts://m1.meet.test:\(real.port)"
        #expect(try PoolProbe(below, in: folder, roots: roots).failure() == .otherHost)
    }

    @Test func whoIsNotTrustedIsRefused() throws {
        let real = try RealBroker(in: folder, host: "meet.test")
        let url = "mqtts://meet.test:\(real.port)"
        #expect(try PoolProbe(url, in: folder).failure() == .untrusted)
        let others = try folder.makeRoot("others")
        #expect(try PoolProbe(url, in: folder, roots: others).failure() == .untrusted)
    }

    @Test func aCertificateThatIsOverIsTold() throws {
        try folder.makeHost("old.test", by: "root", days: -1)
        let real = try RealBroker(in: folder, host: "old.test")
        let url = "mqtts://old.test:\(real.port)"
        #expect(try PoolProbe(url, in: folder, roots: roots).failure() == .expired)
    }

    @Test func aBrokerWithoutTLSIsNoBroker() throws {
        let real = try RealBroker(in: folder)
        let url = "mqtts://meet.test:\(real.port)"
        let trouble = try PoolProbe(
            url, in: folder, roots: roots, limits: PoolProbe.short
        ).failure()
        #expect(trouble == .closed || trouble == .timedOut)
        // One that answers something else.
        let loop = try EventLoop()
        let server = try RawServer(on: loop, saying: Array("HTTP/1.1 400 no\r\n\r\n".utf8))
        let probe = try PoolProbe(
            "mqtts://meet.test:\(server.port)", in: folder, on: loop, roots: roots)
        guard case .tls = try probe.failure() else {
            Issue.record("\(probe.pool.troubles)")
            return
        }
    }

    @Test func aServerThatNeverShakesHandsTimesOut() throws {
        let loop = try EventLoop()
        let server = try RawServer(on: loop, saying: [])
        let probe = try PoolProbe(
            "mqtts://meet.test:\(server.port)", in: folder, on: loop, roots: roots,
            limits: PoolProbe.short)
        #expect(try probe.failure() == .timedOut)
    }

    @Test func aFileWithoutRootsIsRefused() throws {
        try folder.write("empty.pem", "")
        let error = #expect(throws: UserError.self) {
            try ClientTrust(roots: folder.path + "/empty.pem")
        }
        #expect(error?.code == .usage)
    }
}
