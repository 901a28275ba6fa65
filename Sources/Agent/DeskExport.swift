// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import Text

/// The export of all records, page by page.
extension ControlDesk {
    /// Bytes of one page before Base64: a line of 256 KiB.
    private static let page = 192 * 1024

    func export(_ asked: Op.Export) throws(UserError) -> Work<Op.Export.Reply> {
        let after = try cursor(asked.after)
        let (items, next) = Bundle.write(host.node.logs, after: after, limit: Self.page)
        let entries = items.count { item in
            if case .entry = item { return true }
            return false
        }
        return .done(
            Op.Export.Reply(
                data: Base64.encode(items.flatMap(\.bytes)), entries: entries,
                next: next.map { "\($0.author.hex):\($0.seq)" }))
    }

    /// Reads the `next` of the page before.
    private func cursor(_ text: String?) throws(UserError) -> Bundle.Cursor? {
        guard let text else { return nil }
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
