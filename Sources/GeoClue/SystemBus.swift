// SPDX-License-Identifier: Apache-2.0
import CDBus
import Glibc
import Protocol
import System

/// Why a call on the bus gave nothing.
enum BusFault: Error, Hashable {
    /// There is no bus, or it closed the connection.
    case lost(String)
    /// The bus, or whoever was called, answered with this error.
    case refused(name: String, text: String)
    /// Nobody answered in time.
    case silent
    /// The answer has another form than it should.
    case odd
}

/// A connection of this process's own to the system's D-Bus. Every call waits, up to a moment
/// that it is told; nothing happens behind the caller's back.
final class SystemBus {
    /// One argument of a call.
    enum Argument {
        case plain(Value)
        /// In a variant, as properties are.
        case variant(Value)
    }

    /// The kinds of values that GeoClue is told.
    enum Value {
        case text(String)
        /// One that the bus gave.
        case path(String)
        case number(UInt32)
    }

    /// Whom a call is for: names and paths are our own, or were checked by the bus.
    struct Address {
        var name: String
        var path: String
        var interface: String

        /// The bus itself.
        static let bus = Address(
            name: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus")
    }

    /// The bus where the machine has it, if `DBUS_SYSTEM_BUS_ADDRESS` names no other one.
    private static let usual = "unix:path=/var/run/dbus/system_bus_socket"
    /// Bytes of a message, of those that are not read yet. Ours have some hundreds.
    private static let most = 1 << 16

    private let connection: OpaquePointer

    /// Connects and says hello, until then. Throws `lost` and `silent`.
    init(environment: [String: String], until end: Instant) throws(BusFault) {
        let given = environment["DBUS_SYSTEM_BUS_ADDRESS", default: ""]
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        // Private, so that nothing of the agent's Avahi shares it; and this process does not end
        // with it, as with dbus_bus_get.
        let opened = dbus_connection_open_private(given.isEmpty ? Self.usual : given, &error)
        guard let connection = opened else { throw .lost(Self.text(error.message)) }
        self.connection = connection
        dbus_connection_set_max_message_size(connection, Self.most)
        dbus_connection_set_max_received_size(connection, 4 * Self.most)
        _ = try call(.bus, "Hello", until: end)
    }

    deinit {
        dbus_connection_close(connection)
        dbus_connection_unref(connection)
    }

    /// Calls a method and waits for its answer until `end`.
    func call(
        _ address: Address, _ method: String, _ arguments: [Argument] = [], until end: Instant
    ) throws(BusFault) -> BusAnswer {
        let message = dbus_message_new_method_call(
            address.name, address.path, address.interface, method)
        guard let message else { throw .lost("no memory") }
        defer { dbus_message_unref(message) }
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(message, &iterator)
        for argument in arguments { Self.append(argument, &iterator) }
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        let answer = dbus_connection_send_with_reply_and_block(
            connection, message, Self.milliseconds(until: end), &error)
        if let answer { return BusAnswer(answer) }
        let name = Self.text(error.name)
        // libdbus has one name for "not in time" and for "ended before it answered".
        if name == DBUS_ERROR_NO_REPLY, SystemClock.now() >= end { throw .silent }
        if name == DBUS_ERROR_TIMEOUT { throw .silent }
        if name == DBUS_ERROR_DISCONNECTED { throw .lost(Self.text(error.message)) }
        throw .refused(name: name, text: Self.text(error.message))
    }

    /// Waits until something was said to us, or until `end`, and discards it: whoever waits looks
    /// again at what they wait for.
    func pause(until end: Instant) {
        while !discard(), SystemClock.now() < end {
            // A lost connection ends at once; the next call says so.
            guard dbus_connection_read_write(connection, Self.milliseconds(until: end)) != 0 else {
                return
            }
        }
    }

    private func discard() -> Bool {
        var hasHeard = false
        while let message = dbus_connection_pop_message(connection) {
            dbus_message_unref(message)
            hasHeard = true
        }
        return hasHeard
    }

    private static func append(_ argument: Argument, _ iterator: inout DBusMessageIter) {
        switch argument {
        case .plain(let value): append(value, &iterator)
        case .variant(let value):
            let form =
                switch value {
                case .text: "s"
                case .path: "o"
                case .number: "u"
                }
            var inner = DBusMessageIter()
            dbus_message_iter_open_container(&iterator, dbus_kind_variant(), form, &inner)
            append(value, &inner)
            dbus_message_iter_close_container(&iterator, &inner)
        }
    }

    private static func append(_ value: Value, _ iterator: inout DBusMessageIter) {
        switch value {
        case .text(let text): append(text, dbus_kind_text(), &iterator)
        case .path(let path): append(path, dbus_kind_path(), &iterator)
        case .number(var number):
            dbus_message_iter_append_basic(&iterator, dbus_kind_number(), &number)
        }
    }

    private static func append(
        _ text: String, _ kind: Int32, _ iterator: inout DBusMessageIter
    ) {
        text.withCString { bytes in
            var bytes: UnsafePointer<CChar>? = bytes
            _ = dbus_message_iter_append_basic(&iterator, kind, &bytes)
        }
    }

    /// At least one, since libdbus takes nothing less for a moment that is near.
    private static func milliseconds(until end: Instant) -> Int32 {
        let left = (end - SystemClock.now()).nanoseconds / 1_000_000
        return Int32(clamping: max(1, left))
    }

    private static func text(_ bytes: UnsafePointer<CChar>?) -> String {
        bytes.map { String(cString: $0) } ?? ""
    }
}

/// What came back. libdbus has checked its form; what it means, the reader checks.
final class BusAnswer {
    private let message: OpaquePointer

    fileprivate init(_ message: OpaquePointer) { self.message = message }

    deinit { dbus_message_unref(message) }

    private func has(_ form: String) -> Bool { dbus_message_has_signature(message, form) != 0 }

    /// The one text of it, which names somebody on the bus. Throws `odd`, as all of these do.
    func name() throws(BusFault) -> String {
        guard has("s") else { throw .odd }
        let name = try first()
        guard dbus_validate_bus_name(name, nil) != 0 else { throw .odd }
        return name
    }

    /// The one path of it: libdbus lets no other form pass.
    func path() throws(BusFault) -> String {
        guard has("o") else { throw .odd }
        return try first()
    }

    /// The one path of it, which stands in a variant.
    func pathInside() throws(BusFault) -> String {
        var iterator = DBusMessageIter()
        guard has("v"), dbus_message_iter_init(message, &iterator) != 0 else { throw .odd }
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        guard dbus_message_iter_get_arg_type(&inner) == dbus_kind_path() else { throw .odd }
        return try Self.text(&inner)
    }

    /// Of the properties in it those that are doubles, by name.
    func doubles() throws(BusFault) -> [String: Double] {
        var iterator = DBusMessageIter()
        guard has("a{sv}"), dbus_message_iter_init(message, &iterator) != 0 else { throw .odd }
        var entries = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &entries)
        var doubles: [String: Double] = [:]
        while dbus_message_iter_get_arg_type(&entries) == dbus_kind_entry() {
            var entry = DBusMessageIter()
            dbus_message_iter_recurse(&entries, &entry)
            let name = try Self.text(&entry)
            dbus_message_iter_next(&entry)
            var value = DBusMessageIter()
            dbus_message_iter_recurse(&entry, &value)
            if dbus_message_iter_get_arg_type(&value) == dbus_kind_double() {
                var number = 0.0
                dbus_message_iter_get_basic(&value, &number)
                doubles[name] = number
            }
            dbus_message_iter_next(&entries)
        }
        return doubles
    }

    private func first() throws(BusFault) -> String {
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(message, &iterator) != 0 else { throw .odd }
        return try Self.text(&iterator)
    }

    /// The text or path there: the caller knows that it is one.
    private static func text(_ iterator: inout DBusMessageIter) throws(BusFault) -> String {
        var bytes: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &bytes)
        guard let bytes else { throw .odd }
        return String(cString: bytes)
    }
}
