// SPDX-License-Identifier: Apache-2.0
import Protocol
import Text

/// The export of all records, page by page.
extension ControlDesk {
    /// Bytes of one page before Base64: a line of 256 KiB.
    private static let page = 192 * 1024

    func export() throws(UserError) -> Outcome {
        let after = try cursor()
        let (items, next) = Bundle.write(host.node.logs, after: after, limit: Self.page)
        let entries = items.count { item in
            if case .entry = item { return true }
            return false
        }
        return .done([
            "data": .string(Base64.encode(items.flatMap(\.bytes))), "entries": .int(entries),
            "next": next.map { .string("\($0.author.hex):\($0.seq)") } ?? .null,
        ])
    }

    /// Reads the `next` of the page before.
    private func cursor() throws(UserError) -> Bundle.Cursor? {
        guard let text = try request.optionalText("after") else { return nil }
        let parts = text.split(separator: ":")
        guard parts.count == 2, let author = bytes(hexadecimal: parts[0]).flatMap({ PeerKey($0) }),
            let seq = Int(parts[1]), seq >= 0
        else {
            throw UserError(
                .badRequest, "\"after\" is not the \"next\" of a page", why: "leave it out to begin"
            )
        }
        return Bundle.Cursor(author: author, seq: seq)
    }
}
