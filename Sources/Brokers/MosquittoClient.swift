// SPDX-License-Identifier: Apache-2.0
import CMosquitto
import Glibc

/// One connection as libmosquitto sees it, and the only file that calls it. What its callbacks say
/// waits in ``takeHeard()``: nothing may end a client within its own callback.
final class MosquittoClient {
    /// What a callback said.
    enum Heard {
        /// The answer to the login.
        case greeted(Greeting)
        /// A subscription was taken, or refused with a reason code.
        case subscribed(Int32, refused: UInt8?)
        /// The broker has a message, or refused it.
        case stored(Int32, refused: UInt8?)
        /// A message came; `nil` for a payload that is too large.
        case came(String, [UInt8]?)
        /// A message with a name in place of a topic, which nobody allowed.
        case alias
    }

    /// Who logs in.
    struct Login {
        var user: String?
        var password: String?
    }

    /// What a call of the library came to; `nil` for success.
    struct Fault: Error {
        let code: mosq_err_t
        var isSilence: Bool { code == MOSQ_ERR_KEEPALIVE }
        /// The other end is gone.
        var isEnd: Bool {
            [MOSQ_ERR_CONN_LOST, MOSQ_ERR_ERRNO, MOSQ_ERR_NO_CONN].contains(code)
        }
    }

    /// Seconds after which a quiet broker is asked for a sign of life.
    private let keepAlive: Int32
    private let largest: Int
    private var handle: OpaquePointer?
    private var heard: [Heard] = []

    /// Readies the library, once. Writes to a door that is closed are errors then, and no signal:
    /// the library writes plainly.
    static let isReady: Bool = {
        signal(SIGPIPE, SIG_IGN)
        return mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue
    }()

    /// A client with a name that nobody had before. `nil` where there is no memory.
    init?(_ login: Login, keepAlive: Int32, largest: Int) {
        self.keepAlive = keepAlive
        self.largest = largest
        guard Self.isReady else { return nil }
        let owner = Unmanaged.passUnretained(self).toOpaque()
        guard let client = mosquitto_new(Self.name(), true, owner) else { return nil }
        handle = client
        mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5)
        mosquitto_int_option(client, MOSQ_OPT_RECEIVE_MAXIMUM, BrokerLimits.underWayHere)
        mosquitto_int_option(client, MOSQ_OPT_SEND_MAXIMUM, BrokerLimits.underWay)
        if let user = login.user {
            guard mosquitto_username_pw_set(client, user, login.password) == 0 else { return nil }
        }
        mosquitto_connect_v5_callback_set(client, onConnect)
        mosquitto_subscribe_v5_callback_set(client, onSubscribe)
        mosquitto_publish_v5_callback_set(client, onPublish)
        mosquitto_message_v5_callback_set(client, onMessage)
    }

    deinit { mosquitto_destroy(handle) }

    /// 22 letters and digits, which every broker takes (MQTT 5.0 section 3.1.3.1): 131 random bits.
    private static func name() -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        return String((0..<22).map { _ in letters[Int.random(in: letters.indices)] })
    }

    /// Whether a filter names a topic (MQTT 5.0 section 4.7).
    static func matches(_ filter: String, _ topic: String) -> Bool {
        var result = false
        return mosquitto_topic_matches_sub(filter, topic, &result) == 0 && result
    }

    // MARK: Calls

    /// Connects to a door and says the login.
    func connect(to door: String) throws(Fault) {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        mosquitto_property_add_int32(
            &properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue),
            UInt32(BrokerLimits.packet))
        mosquitto_property_add_int32(
            &properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), 0)
        // Port 0 stands for a socket of Unix.
        try check(mosquitto_connect_bind_v5(handle, door, 0, keepAlive, nil, properties))
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    }

    /// Its end of the door; -1 once it gave up.
    var socket: Int32 { mosquitto_socket(handle) }

    /// Whether it has more to write than the door took.
    var wantsWrite: Bool { mosquitto_want_write(handle) }

    /// Takes what came, at most a packet or some.
    func read() throws(Fault) { try check(mosquitto_loop_read(handle, 1)) }

    /// Writes on.
    func write() throws(Fault) { try check(mosquitto_loop_write(handle, 1)) }

    /// Looks whether the broker is still there; to be called every second.
    func tend() throws(Fault) { try check(mosquitto_loop_misc(handle)) }

    /// Says good-bye.
    func disconnect() { mosquitto_disconnect_v5(handle, 0, nil) }

    /// Asks for the messages of a filter, with quality 1, and those of this client among them only
    /// `withOwn` (MQTT 5.0 section 3.8.3.1, No Local). Gives the number of the answer.
    func subscribe(_ filter: String, withOwn: Bool) throws(Fault) -> Int32 {
        var number: Int32 = 0
        let options = withOwn ? 0 : Int32(MQTT_SUB_OPT_NO_LOCAL.rawValue)
        try check(mosquitto_subscribe_v5(handle, &number, filter, 1, options, nil))
        return number
    }

    /// Asks for them no longer.
    func unsubscribe(_ filter: String) throws(Fault) {
        try check(mosquitto_unsubscribe_v5(handle, nil, filter, nil))
    }

    /// Says something with quality 1, kept for `stay` seconds if that is given; an empty one takes
    /// away what was kept. Gives the number of the answer.
    func publish(_ topic: String, _ payload: [UInt8], stay: UInt32?) throws(Fault) -> Int32 {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if let stay, !payload.isEmpty {
            mosquitto_property_add_int32(
                &properties, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), stay)
        }
        var number: Int32 = 0
        try check(
            mosquitto_publish_v5(
                handle, &number, topic, Int32(clamping: payload.count), payload, 1, stay != nil,
                properties))
        return number
    }

    /// What the callbacks said since the last call, in order.
    func takeHeard() -> [Heard] {
        defer { heard = [] }
        return heard
    }

    private func check(_ code: Int32) throws(Fault) {
        guard code != MOSQ_ERR_SUCCESS.rawValue else { return }
        throw Fault(code: mosq_err_t(rawValue: code))
    }

    fileprivate static func take(_ owner: UnsafeMutableRawPointer?, _ heard: Heard) {
        guard let owner else { return }
        Unmanaged<MosquittoClient>.fromOpaque(owner).takeUnretainedValue().heard.append(heard)
    }

    fileprivate static func largest(_ owner: UnsafeMutableRawPointer?) -> Int {
        guard let owner else { return 0 }
        return Unmanaged<MosquittoClient>.fromOpaque(owner).takeUnretainedValue().largest
    }
}

// Free functions: a closure could be taken for isolated code and trap when C calls it.

private func onConnect(
    _: OpaquePointer?, _ owner: UnsafeMutableRawPointer?, _ code: Int32, _ flags: Int32,
    _ properties: OpaquePointer?
) {
    func byte(_ name: mqtt5_property) -> UInt8? {
        var value: UInt8 = 0
        let found = mosquitto_property_read_byte(properties, Int32(name.rawValue), &value, false)
        return found == nil ? nil : value
    }
    func word(_ name: mqtt5_property) -> UInt16? {
        var value: UInt16 = 0
        let found = mosquitto_property_read_int16(properties, Int32(name.rawValue), &value, false)
        return found == nil ? nil : value
    }
    var size: UInt32 = 0
    let hasSize =
        mosquitto_property_read_int32(
            properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), &size, false) != nil
    let greeting = Greeting(
        code: UInt8(clamping: code), hasSession: flags & 1 != 0,
        retain: byte(MQTT_PROP_RETAIN_AVAILABLE), quality: byte(MQTT_PROP_MAXIMUM_QOS),
        wildcards: byte(MQTT_PROP_WILDCARD_SUB_AVAILABLE), packet: hasSize ? size : nil,
        keepAlive: word(MQTT_PROP_SERVER_KEEP_ALIVE))
    MosquittoClient.take(owner, .greeted(greeting))
}

private func onSubscribe(
    _: OpaquePointer?, _ owner: UnsafeMutableRawPointer?, _ number: Int32, _ count: Int32,
    _ granted: UnsafePointer<Int32>?, _: OpaquePointer?
) {
    // One filter was asked for, so one answer is there; a hostile broker may send none.
    let code = count == 1 ? granted.map { UInt8(clamping: $0.pointee) } ?? 0x80 : 0x80
    MosquittoClient.take(owner, .subscribed(number, refused: code < 0x80 ? nil : code))
}

private func onPublish(
    _: OpaquePointer?, _ owner: UnsafeMutableRawPointer?, _ number: Int32, _ code: Int32,
    _: OpaquePointer?
) {
    let reason = UInt8(clamping: code)
    MosquittoClient.take(owner, .stored(number, refused: reason < 0x80 ? nil : reason))
}

private func onMessage(
    _: OpaquePointer?, _ owner: UnsafeMutableRawPointer?,
    _ message: UnsafePointer<mosquitto_message>?, _ properties: OpaquePointer?
) {
    var number: UInt16 = 0
    let alias = mosquitto_property_read_int16(
        properties, Int32(MQTT_PROP_TOPIC_ALIAS.rawValue), &number, false)
    guard let message = message?.pointee, let topic = message.topic, alias == nil else {
        return MosquittoClient.take(owner, .alias)
    }
    let count = Int(message.payloadlen)
    let isSmall = (0...MosquittoClient.largest(owner)).contains(count)
    let bytes = UnsafeRawBufferPointer(start: message.payload, count: isSmall ? count : 0)
    MosquittoClient.take(
        owner, .came(String(cString: topic), isSmall ? Array(bytes) : nil))
}
