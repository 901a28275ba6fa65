// SPDX-License-Identifier: Apache-2.0
import Protocol
import System
import Transport

/// A link and its session, joined as the agent joins them.
final class Talk {
    let link: PeerLink
    private(set) var end: LinkEnd?
    /// Both have said HELLO.
    private(set) var isOpen = false
    var onOpen: () -> Void = {}
    var onMessage: (Message) -> Void = { _ in }
    /// Fewer bytes wait for the kernel.
    var onDrained: () -> Void = {}
    /// Gets what comes in the session's place, once it is set.
    var onBytes: (([UInt8]) -> Void)?

    private let config: SessionConfig
    /// None or one, in a list as the core has them: an optional would be copied at each look.
    private var sessions: [Session] = []
    private let loop: EventLoop

    init(_ link: PeerLink, _ config: SessionConfig, _ loop: EventLoop) {
        self.link = link
        self.config = config
        self.loop = loop
        link.handler = { [unowned self] _, event in take(event) }
    }

    /// Hands a message to the session.
    func send(_ message: Message) { carry(.send(message)) }

    /// When the session wants to be called again.
    var nextDeadline: Instant? { sessions.isEmpty ? nil : sessions[0].nextDeadline }

    func tick() { carry(.tick) }

    private func take(_ event: LinkEvent) {
        switch event {
        case .established(let key, let exporter):
            guard let peer = PeerKey(key), let exporter = Bytes32(exporter) else {
                link.abort()
                return
            }
            sessions = [
                Session(
                    config, role: link.role == .client ? .initiator : .responder, peer: peer,
                    exporter: exporter, at: loop.now)
            ]
            carry(.started)
        case .received(let bytes):
            if let onBytes { onBytes(bytes) } else { carry(.received(bytes)) }
        case .drained(let pending):
            carry(.drained(pending: pending))
            onDrained()
        case .closed(let end): self.end = end
        }
    }

    private func carry(_ event: SessionEvent) {
        guard !sessions.isEmpty else { return }
        let effects = sessions[0].handle(event, at: loop.now)
        if !effects.bytes.isEmpty { link.send(effects.bytes) }
        if effects.opened != nil {
            link.isProven = true
            isOpen = true
            onOpen()
        }
        for message in effects.messages { onMessage(message) }
        if effects.closed != nil { link.close() }
    }
}
