// SPDX-License-Identifier: Apache-2.0

/// What a broker answers to a login, and what it says that it can do; `nil` for what it leaves out
/// (MQTT 5.0 section 3.2).
struct Greeting: Hashable {
    var code: UInt8 = 0
    var hasSession = false
    var retain: UInt8?
    var quality: UInt8?
    var wildcards: UInt8?
    var packet: UInt32?
    var keepAlive: UInt16?

    /// Why this broker is no use, if it is none.
    var trouble: BrokerTrouble? {
        guard code == 0 else { return .refusing(code) }
        // No session was asked for that could have been kept.
        if hasSession { return .malformed }
        if retain == 0 { return .lacks(.retain) }
        if quality == 0 { return .lacks(.quality1) }
        if wildcards == 0 { return .lacks(.wildcards) }
        if let packet, packet < BrokerLimits.ownPacket { return .lacks(.packetSize(packet)) }
        if let keepAlive, !BrokerLimits.keepAlives.contains(keepAlive) {
            return .lacks(.keepAlive(keepAlive))
        }
        return nil
    }
}
