// SPDX-License-Identifier: Apache-2.0
import COpenSSL
package import System

/// One TLS connection as bytes in and bytes out, without a socket (docs/protocol.md section 4).
///
/// Ciphertext goes in by ``feed(_:into:)`` and comes out of ``sendOutput(_:)`` or
/// ``takeOutput()``. After an error the pipe is dead, but its output still holds the alert for the
/// peer.
package final class TLSPipe {
    /// Which end of the handshake.
    package enum Role: Sendable {
        /// Dialled.
        case client
        /// Was dialled.
        case server
    }

    /// Bytes a stranger may send before the handshake is over; an honest one needs about 1 KiB.
    package static let handshakeLimit = 16 * 1024
    /// Bytes that one call of ``feed(_:into:)`` takes: bounds what is decrypted in one go.
    package static let feedLimit = 64 * 1024
    /// Bytes that the library may answer by itself after the handshake, over the whole connection:
    /// about 150 key updates, where an honest agent makes none.
    package static let chatterLimit = 4 * 1024

    /// Which end of the handshake this is.
    package let role: Role
    /// The handshake is over on this end. On a client that does not mean yet that the server
    /// accepts the client's certificate: only its first bytes say so.
    private(set) var isEstablished = false
    /// The peer said that it will send nothing more (close_notify).
    private(set) var peerClosed = false
    /// The peer's Ed25519 key, 32 bytes; empty until the certificate was judged.
    private(set) var peerKey: [UInt8] = []

    /// Where the secrets of this connection are written; `nil` for nowhere.
    var keyLog: KeyLogFile? { context.keyLog }
    private let context: TLSContext
    /// `SSL *`, owned; it owns its BIO.
    private let connection: OpaquePointer
    private let memory = MemoryBIO()
    private var refusal: CertificateRefusal?
    private var handshakeBytes = 0
    private var chatterBytes = 0
    private var isDead = false

    /// A new connection. Throws ``TLSFailure/unusable(_:)``.
    package init(context: TLSContext, role: Role) throws(TLSFailure) {
        ERR_clear_error()
        guard let connection = SSL_new(context.handle) else {
            throw .unusableFromErrorQueue("no TLS connection")
        }
        guard let bio = memory.attach(method: context.method) else {
            SSL_free(connection)
            throw .unusableFromErrorQueue("no BIO")
        }
        // One BIO for both directions takes one reference.
        SSL_set_bio(connection, bio, bio)
        self.context = context
        self.connection = connection
        self.role = role
        copenssl_set_owner(connection, Unmanaged.passUnretained(self).toOpaque())
        switch role {
        case .client: SSL_set_connect_state(connection)
        case .server: SSL_set_accept_state(connection)
        }
    }

    deinit {
        context.gone(connection)
        SSL_free(connection)
    }

    // MARK: In

    /// Puts a client's first message into the output; a server waits.
    package func start() throws(TLSFailure) {
        guard role == .client, !isEstablished else { return }
        try advanceHandshake()
    }

    /// Takes bytes of the peer, at most ``feedLimit``, and appends what they say in plaintext.
    ///
    /// Plaintext can come with the bytes that end the handshake; look at ``isEstablished`` after
    /// each call.
    package func feed(
        _ bytes: UnsafeRawBufferPointer, into plaintext: inout [UInt8]
    ) throws(TLSFailure) {
        precondition(bytes.count <= Self.feedLimit, "fed too much at once")
        guard !isDead else { throw .broken("used after its end") }
        defer { memory.input = UnsafeRawBufferPointer(start: nil, count: 0) }
        var rest = bytes
        if !isEstablished {
            let allowed = min(bytes.count, Self.handshakeLimit - handshakeBytes)
            memory.input = UnsafeRawBufferPointer(rebasing: bytes[..<allowed])
            try advanceHandshake()
            let used = allowed - memory.input.count
            handshakeBytes += used
            rest = UnsafeRawBufferPointer(rebasing: bytes[used...])
            guard isEstablished else {
                if handshakeBytes == Self.handshakeLimit { throw die(.tooMuchHandshake) }
                return
            }
        }
        memory.input = rest
        try readAll(into: &plaintext)
    }

    private func advanceHandshake() throws(TLSFailure) {
        guard !isDead else { throw .broken("used after its end") }
        ERR_clear_error()
        let result = SSL_do_handshake(connection)
        guard result == 1 else {
            if SSL_get_error(connection, result) == SSL_ERROR_WANT_READ { return }
            // Who is blocked gets no alert either: the connection just ends.
            if refusal == .blocked { _ = takeOutput() }
            throw die(refusal.map { .refused($0) } ?? .fromErrorQueue())
        }
        guard chosenProtocol() == Array(TLSContext.protocolName.utf8) else {
            throw die(.wrongProtocolName)
        }
        // The library was told so; what everything else rests on is looked at once more.
        guard SSL_version(connection) == TLS1_3_VERSION, SSL_session_reused(connection) == 0,
            peerKey.count == 32
        else { throw die(.broken("not our profile")) }
        isEstablished = true
    }

    private func readAll(into plaintext: inout [UInt8]) throws(TLSFailure) {
        context.used(connection)
        let outputBefore = memory.outputCount
        // Once at least: what came behind the handshake lies in the library already.
        repeat {
            Self.clearErrors()
            let count = readOnce(into: &plaintext)
            if count > 0 { continue }
            let code = SSL_get_error(connection, count)
            if code == SSL_ERROR_WANT_READ { break }
            guard code == SSL_ERROR_ZERO_RETURN else { throw die(.fromErrorQueue()) }
            peerClosed = true
            break
        } while !memory.input.isEmpty || SSL_has_pending(connection) == 1
        chatterBytes += memory.outputCount - outputBefore
        guard chatterBytes <= Self.chatterLimit else { throw die(.tooMuchHandshake) }
    }

    /// Reads at most one record, into the caller's free capacity, or through the context's
    /// buffer if there is none.
    private func readOnce(into plaintext: inout [UInt8]) -> Int32 {
        var count: Int32 = 0
        let room = plaintext.capacity - plaintext.count
        guard room == 0 else {
            plaintext.append(addingCapacity: room) { span in
                span.withUnsafeMutableBufferPointer { buffer, filled in
                    count = SSL_read(connection, buffer.baseAddress, Int32(clamping: buffer.count))
                    filled = Int(max(count, 0))
                }
            }
            return count
        }
        count = SSL_read(connection, context.record.baseAddress, Int32(context.record.count))
        if count > 0 {
            plaintext.append(
                contentsOf: UnsafeRawBufferPointer(
                    rebasing: UnsafeRawBufferPointer(context.record)[..<Int(count)]))
        }
        return count
    }

    /// Room for what `count` bytes of the peer may say: a record may have
    /// begun in those before them.
    package func room(for count: Int) -> Int {
        count + (SSL_has_pending(connection) == 1 ? context.record.count : 0)
    }

    // MARK: Out

    /// Encrypts bytes into the output, in records of 16 KiB and a rest. Only when established.
    package func write(_ plaintext: UnsafeRawBufferPointer) throws(TLSFailure) {
        guard !plaintext.isEmpty else { return }
        guard isEstablished, !isDead else { throw .broken("written to before or after its time") }
        // The library's error queue is not looked into for a write: what failed failed.
        context.used(connection)
        var written = 0
        let result = SSL_write_ex(connection, plaintext.baseAddress, plaintext.count, &written)
        guard result == 1, written == plaintext.count else { throw die(.fromErrorQueue()) }
    }

    /// Puts close_notify into the output; nothing can be written after it.
    package func close() {
        guard isEstablished, !isDead else { return }
        ERR_clear_error()
        _ = SSL_shutdown(connection)
        isDead = true
    }

    /// Bytes that wait for the socket.
    package var outputCount: Int { memory.outputCount }

    /// Lends the waiting bytes to `send` and drops as many as it says it moved.
    package func sendOutput(_ send: (UnsafeRawBufferPointer) -> Transfer) -> Transfer {
        memory.withOutput { waiting in
            let outcome = waiting.withFront(waiting.count) { send($0) }
            if case .moved(let count) = outcome { waiting.drop(count) }
            return outcome
        }
    }

    /// Takes all waiting bytes.
    package func takeOutput() -> [UInt8] {
        memory.withOutput { waiting in
            let bytes = waiting.withFront(waiting.count) { Array($0) }
            waiting.drop(bytes.count)
            return bytes
        }
    }

    // MARK: Results

    /// 32 bytes that only the two ends of this connection know (RFC 8446 7.5): label
    /// `EXPORTER-seatswap-v1`, no context. Only when established.
    package func exporter() throws(TLSFailure) -> [UInt8] {
        guard isEstablished else { throw .broken("exported before its time") }
        let label = "EXPORTER-seatswap-v1"
        var value = [UInt8](repeating: 0, count: 32)
        ERR_clear_error()
        let result = SSL_export_keying_material(
            connection, &value, value.count, label, label.utf8.count, nil, 0, 0)
        guard result == 1 else { throw .unusableFromErrorQueue("no exporter") }
        return value
    }

    /// Called by the library during the handshake.
    ///
    /// A client hangs up on a blocked key before it shows its own. A server learns the key only
    /// after sending its own flight: a refusal would reveal the block, so the core takes the
    /// connection and stays mute.
    func judge(_ certificate: OpaquePointer?, count: Int) -> Bool {
        do throws(CertificateRefusal) {
            peerKey = try PeerCertificate.check(
                certificate, count: count, ownKey: context.certificate.publicKey,
                isBlocked: { role == .client && context.isBlocked($0) })
            return true
        } catch {
            refusal = error
            return false
        }
    }

    private func chosenProtocol() -> [UInt8] {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(connection, &name, &count)
        return Array(UnsafeBufferPointer(start: name, count: Int(count)))
    }

    /// Empties the library's error queue, which it looks into to name a result. It is empty nearly
    /// always, and to look costs a tenth of emptying it.
    private static func clearErrors() {
        if ERR_peek_error() != 0 { ERR_clear_error() }
    }

    private func die(_ failure: TLSFailure) -> TLSFailure {
        isDead = true
        return failure
    }
}
