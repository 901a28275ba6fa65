// SPDX-License-Identifier: Apache-2.0
import Protocol
import System

/// What a link still has to send: plaintext that waits for its TLS record, then the good-bye.
///
/// Plaintext is gathered until the socket takes more, so that many small frames share a record.
final class LinkOutput {
    /// How far one push came.
    enum Outcome: Equatable {
        /// All that could be said is with the kernel.
        case done
        /// The kernel takes no more now.
        case blocked
        case failed(SystemError)
    }

    /// Plaintext that is encrypted in one go: four full records for one call of the kernel.
    private static let batch = 64 * 1024

    /// When bytes last moved, or began to wait.
    private(set) var lastProgress: Instant
    /// TLS was told that nothing more will come.
    private(set) var saidGoodbye = false
    private var plaintext = ByteQueue()

    init(at now: Instant) { lastProgress = now }

    /// Bytes that have not reached the kernel.
    func pending(_ pipe: TLSPipe?) -> Int { plaintext.count + (pipe?.outputCount ?? 0) }

    func append(_ bytes: [UInt8], _ pipe: TLSPipe?, at now: Instant) {
        if pending(pipe) == 0 { lastProgress = now }
        withPlaintext { plaintext in bytes.withUnsafeBytes { plaintext.append($0) } }
    }

    /// Hands as much to `send` as it takes; with `isLast`, the good-bye after everything else.
    func push(
        _ pipe: TLSPipe, isLast: Bool, at now: Instant,
        _ send: (UnsafeRawBufferPointer) -> Transfer
    ) throws(TLSFailure) -> Outcome {
        while true {
            if pipe.outputCount == 0 { try refill(pipe, isLast) }
            if pipe.outputCount == 0 { return .done }
            switch pipe.sendOutput(send) {
            case .moved: lastProgress = now
            case .wouldBlock, .ended: return .blocked
            case .failed(let error): return .failed(error)
            }
        }
    }

    private func refill(_ pipe: TLSPipe, _ isLast: Bool) throws(TLSFailure) {
        guard pipe.isEstablished, !saidGoodbye else { return }
        if plaintext.isEmpty {
            guard isLast else { return }
            saidGoodbye = true
            pipe.close()
        } else {
            try withPlaintext { plaintext throws(TLSFailure) in
                let count = min(plaintext.count, Self.batch)
                try plaintext.withFront(count) { front throws(TLSFailure) in try pipe.write(front) }
                plaintext.drop(count)
            }
        }
    }

    private func withPlaintext<Failure: Error>(
        _ body: (inout ByteQueue) throws(Failure) -> Void
    ) throws(Failure) {
        // Held here meanwhile, as in ``MemoryBIO``.
        var held = ByteQueue()
        swap(&held, &plaintext)
        defer {
            assert(plaintext.isEmpty, "added to while it was lent")
            swap(&held, &plaintext)
        }
        try body(&held)
    }
}
