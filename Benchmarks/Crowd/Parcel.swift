// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What goes through the pipe between the crowd and the agent under test: numbers and byte strings.
struct Parcel {
    private(set) var bytes: [UInt8] = []
    private var offset = 0

    mutating func put(_ number: Int) {
        withUnsafeBytes(of: Int64(number)) { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ string: [UInt8]) {
        put(string.count)
        bytes += string
    }

    /// The next number; 0 behind the end.
    mutating func number() -> Int {
        guard offset + 8 <= bytes.count else { return 0 }
        defer { offset += 8 }
        return bytes[offset..<offset + 8].withUnsafeBytes {
            Int($0.loadUnaligned(as: Int64.self))
        }
    }

    /// The next byte string; an empty one behind the end.
    mutating func string() -> [UInt8] {
        let count = number()
        guard count >= 0, offset + count <= bytes.count else { return [] }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }
}

/// Parcels over two descriptors, each after its length.
struct Pipe {
    let input: Int32
    let output: Int32

    /// Sends one; `false` when the other end is gone.
    func send(_ parcel: Parcel) -> Bool {
        var length = Parcel()
        length.put(parcel.bytes.count)
        return write(length.bytes) && write(parcel.bytes)
    }

    /// The next one; `nil` when the other end is gone.
    func receive() -> Parcel? {
        guard let head = read(8) else { return nil }
        var length = Parcel()
        length.fill(head)
        guard let body = read(length.number()) else { return nil }
        var parcel = Parcel()
        parcel.fill(body)
        return parcel
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                Glibc.write(output, $0.baseAddress, $0.count)
            }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    private func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes[done...].withUnsafeMutableBytes {
                Glibc.read(input, $0.baseAddress, $0.count)
            }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }
}

extension Parcel {
    mutating func fill(_ received: [UInt8]) {
        bytes = received
        offset = 0
    }
}
