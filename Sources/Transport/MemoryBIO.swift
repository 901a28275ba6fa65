// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// The memory between OpenSSL and the socket: the library reads what the pipe lends it and writes
/// into a queue of the pipe.
///
/// Written by hand instead of the library's own memory BIO, because that one copies all input once
/// more and keeps the size of its largest burst for the life of the connection.
final class MemoryBIO {
    /// Lent for the length of one call of the pipe.
    var input = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Waiting for the socket.
    private var output = ByteQueue()
    /// Bytes that wait for the socket.
    var outputCount: Int { output.count }

    /// `BIO_METHOD *` with the functions below; the caller frees it after the last BIO.
    static func makeMethod() -> OpaquePointer? {
        let kind = BIO_get_new_index() | BIO_TYPE_SOURCE_SINK
        guard let method = BIO_meth_new(kind, "seatagent") else { return nil }
        BIO_meth_set_create(method, createBIO)
        BIO_meth_set_read(method, readBIO)
        BIO_meth_set_write(method, writeBIO)
        BIO_meth_set_ctrl(method, controlBIO)
        return method
    }

    /// A new `BIO *` that points to this object without keeping it alive.
    func attach(method: OpaquePointer) -> OpaquePointer? {
        guard let bio = BIO_new(method) else { return nil }
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        return bio
    }

    /// Lends the waiting bytes to `body`, which changes them.
    func withOutput<Result>(_ body: (inout ByteQueue) -> Result) -> Result {
        // Held here meanwhile: no other use of them needs the compiler's watch
        // then, in each round trip.
        var held = ByteQueue()
        swap(&held, &output)
        defer {
            assert(output.isEmpty, "written to while it was lent")
            swap(&held, &output)
        }
        return body(&held)
    }

    fileprivate static func of(_ bio: OpaquePointer?) -> MemoryBIO? {
        guard let data = BIO_get_data(bio) else { return nil }
        return Unmanaged<MemoryBIO>.fromOpaque(data).takeUnretainedValue()
    }
}

// Free functions: a closure could be taken for isolated code and trap when C calls it.

private func createBIO(_ bio: OpaquePointer?) -> Int32 {
    BIO_set_init(bio, 1)
    return 1
}

private func readBIO(
    _ bio: OpaquePointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32
) -> Int32 {
    guard let memory = MemoryBIO.of(bio), let buffer, size > 0 else { return -1 }
    copenssl_bio_begin(bio)
    let count = min(Int(size), memory.input.count)
    guard count > 0 else {
        copenssl_bio_retry_read(bio)
        return -1
    }
    UnsafeMutableRawBufferPointer(start: buffer, count: count)
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: memory.input[..<count]))
    memory.input = UnsafeRawBufferPointer(rebasing: memory.input[count...])
    return Int32(count)
}

private func writeBIO(
    _ bio: OpaquePointer?, _ bytes: UnsafePointer<CChar>?, _ count: Int32
) -> Int32 {
    guard let memory = MemoryBIO.of(bio), let bytes, count > 0 else { return -1 }
    copenssl_bio_begin(bio)
    memory.withOutput { $0.append(UnsafeRawBufferPointer(start: bytes, count: Int(count))) }
    return count
}

private func controlBIO(
    _ bio: OpaquePointer?, _ command: Int32, _ number: Int, _ pointer: UnsafeMutableRawPointer?
) -> Int {
    switch command {
    case BIO_CTRL_FLUSH: 1
    case BIO_CTRL_PENDING: MemoryBIO.of(bio)?.input.count ?? 0
    case BIO_CTRL_WPENDING: MemoryBIO.of(bio)?.outputCount ?? 0
    default: 0
    }
}
