// SPDX-License-Identifier: Apache-2.0
import Protocol
package import System

/// Looks names up beside the loop. However often a name is asked for, one thread at a time waits
/// for its answer.
package final class BrokerNames {
    /// The questions themselves, replaceable by a test.
    package struct Questions: Sendable {
        /// Addresses of a host.
        package var addresses: @Sendable (String) -> NameQuestion.Answer<[Address]> =
            NameQuestion.addresses(of:)
        /// The answer for SRV records of a name.
        package var services: @Sendable (String) -> NameQuestion.Answer<[UInt8]> =
            NameQuestion.services(of:)

        /// The machine's resolver.
        package init() {}
    }

    private typealias Addresses = (NameQuestion.Answer<[Address]>) -> Void

    private let loop: EventLoop
    private let questions: Questions
    private var waiting: [String: [Addresses]] = [:]
    private var isAskingServices = false

    /// Names of this machine's resolver.
    package init(loop: EventLoop, questions: Questions = Questions()) {
        self.loop = loop
        self.questions = questions
    }

    /// Gives the addresses of a host, with port 0, in a later turn; an address is its own.
    func addresses(
        of host: String, then: @escaping (NameQuestion.Answer<[Address]>) -> Void
    ) {
        if let address = try? Address.Host(parsing: host) {
            return loop.enqueue { then(.found([Address(host: address, port: 0)])) }
        }
        waiting[host, default: []].append(then)
        guard waiting[host]?.count == 1 else { return }
        let ask = questions.addresses
        SideWork.run(on: loop) {
            ask(host)
        } then: { answer in
            for then in self.waiting.removeValue(forKey: host) ?? [] { then(answer) }
        }
    }

    /// Gives the answer for SRV records; nothing while an earlier question is open.
    func services(of name: String, then: @escaping (NameQuestion.Answer<[UInt8]>) -> Void) {
        guard !isAskingServices else { return }
        isAskingServices = true
        let ask = questions.services
        SideWork.run(on: loop) {
            ask(name)
        } then: { answer in
            self.isAskingServices = false
            then(answer)
        }
    }
}
