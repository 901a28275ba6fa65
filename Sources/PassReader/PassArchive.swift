// SPDX-License-Identifier: Apache-2.0
import CZip
import Text

/// The zip archive that contains a wallet's pass.
enum PassArchive {
    /// More bytes than a `pass.json` has; what follows them is never unpacked.
    static let largest = 1 << 20

    /// The bytes of `pass.json` in an archive. Throws `bad-pass`.
    static func passFile(in archive: [UInt8]) throws(UserError) -> [UInt8] {
        let result = archive.withUnsafeBytes { read($0) }
        switch result {
        case .success(let bytes): return bytes
        case .failure(let problem): throw WalletPass.refusal(problem.why)
        }
    }

    private enum Problem: Error {
        case damaged
        case noPass
        case tooLarge

        var why: String {
            switch self {
            case .damaged: "its archive is damaged"
            case .noPass: "its archive has no pass.json"
            case .tooLarge: "its pass.json has more than \(PassArchive.largest) bytes"
            }
        }
    }

    private static func read(_ bytes: UnsafeRawBufferPointer) -> Result<[UInt8], Problem> {
        // The buffer outlives the archive, and stays ours.
        guard let source = zip_source_buffer_create(bytes.baseAddress, UInt64(bytes.count), 0, nil)
        else { return .failure(.damaged) }
        guard let archive = zip_open_from_source(source, ZIP_RDONLY, nil) else {
            zip_source_free(source)
            return .failure(.damaged)
        }
        defer { zip_discard(archive) }
        let place = zip_name_locate(archive, "pass.json", 0)
        guard place >= 0, let index = UInt64(exactly: place) else { return .failure(.noPass) }
        guard let file = zip_fopen_index(archive, index, 0) else { return .failure(.damaged) }
        defer { zip_fclose(file) }
        // The archive's own statement of the size is not trusted.
        var content = [UInt8](repeating: 0, count: largest + 1)
        var filled = 0
        while filled < content.count {
            let count = content.withUnsafeMutableBytes { buffer in
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                guard let start = rest.baseAddress else { return Int64(-1) }
                return zip_fread(file, start, UInt64(rest.count))
            }
            guard count >= 0 else { return .failure(.damaged) }
            if count == 0 { break }
            filled += Int(count)
        }
        guard filled <= largest else { return .failure(.tooLarge) }
        content.removeLast(content.count - filled)
        return .success(content)
    }
}
