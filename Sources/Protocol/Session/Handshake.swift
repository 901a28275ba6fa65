/// HELLO and the proofs of membership (protocol.md 2.3).
extension Session {
    func ownHello() -> Hello {
        Hello(
            minors: Limits.minor...Limits.minor, foldVersion: Int(FlightKey.foldVersion),
            boot: config.boot, connection: config.connection, maxFrame: Limits.frame,
            port: config.port, proofs: config.flights.map { proof($0, role: role) }, features: 0)
    }

    /// The first proof that belongs to a flight of ours, and to which.
    func match(_ proofs: [[UInt8]], role: FlightKey.Role) -> (theirs: Int, own: Int)? {
        let expected = config.flights.map { proof($0, role: role) }
        for (theirs, given) in proofs.enumerated() {
            for (own, known) in expected.enumerated() where isSame(given, known) {
                return (theirs, own)
            }
        }
        return nil
    }

    private func proof(_ flight: FlightKey, role proving: FlightKey.Role) -> [UInt8] {
        flight.proof(
            role: proving, exporter: exporter,
            initiator: role == .initiator ? config.me : peer,
            responder: role == .initiator ? peer : config.me, primitives: config.primitives)
    }

    /// Compares in a time that does not depend on where two proofs differ.
    private func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension FrameType {
    /// What may come before the session is open.
    static let greetings = [FrameType.hello, .helloAck, .close].map(\.rawValue)
}

extension CloseCode {
    /// Whether the peer did what no honest agent does.
    package var isFault: Bool {
        switch self {
        case .badLength, .badPayload, .unsupported, .unexpected, .badEntry, .tooMuch: true
        case .leaving, .noCommonFlight, .otherFoldVersion, .noCommonVersion, .tooSlow, .silent,
            .duplicate, .blocked, .full, .keyRunsTwice:
            false
        }
    }
}
