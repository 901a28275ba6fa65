// SPDX-License-Identifier: Apache-2.0
/// What a ledger of a venue says (docs/protocol.md section 32).
public enum LedgerEntry: Hashable, Sendable {
    /// 10: makes the log a ledger, or changes its rules.
    case charter(Charter)
    /// 11: mints a booking.
    case grant(Grant)
    /// 12: ends a booking.
    case close(LedgerClose)
    /// 13: says something about a member, an ask or a booking.
    case note(DeskNote)

    /// The number of the type on the wire.
    var type: Int {
        switch self {
        case .charter: 10
        case .grant: 11
        case .close: 12
        case .note: 13
        }
    }

    func write(to writer: inout CBORWriter) {
        switch self {
        case .charter(let charter): charter.write(to: &writer)
        case .grant(let grant): grant.write(to: &writer)
        case .close(let close): close.write(to: &writer)
        case .note(let note): note.write(to: &writer)
        }
    }
}

extension Entry {
    /// What it says as an entry of a ledger; `nil` for any other.
    package var ledger: LedgerEntry? {
        if case .ledger(let said) = body { said } else { nil }
    }
}

extension EntryCodec {
    /// Reads the body of an entry of type 10 to 13; `nil` for another type.
    func ledgerEntry(
        _ type: Int, from reader: inout CBORReader
    ) throws(DecodeError) -> LedgerEntry? {
        switch type {
        case 10: .charter(try Charter(&reader))
        case 11: .grant(try Grant(&reader))
        case 12: .close(try LedgerClose(&reader))
        case 13: .note(try DeskNote(&reader, primitives))
        default: nil
        }
    }

    /// Whether others would read what a ledger says: everything in it has its one form.
    func canRead(_ said: LedgerEntry) -> Bool {
        var writer = CBORWriter(capacity: 512)
        said.write(to: &writer)
        var reader = CBORReader(writer.bytes.span.bytes)
        guard let read = try? ledgerEntry(said.type, from: &reader), (try? reader.finish()) != nil
        else { return false }
        return read == said
    }

    /// Whether what `entry` carries of others is signed by them: a charter by the operator, an ask
    /// in a close by its author. Costs one Ed25519 verification for these two, none for all others.
    package func isWitnessed(_ entry: Entry) -> Bool {
        switch (entry.ledger, rules) {
        case (.charter(let charter), .venue(let runBy)):
            charter.isSigned(
                runBy: runBy, gathering: entry.flight, ledger: entry.author,
                primitives: primitives)
        case (.charter, .flight): false
        case (.close(let close), _):
            close.ask?.isSigned(gathering: entry.flight, primitives: primitives) ?? true
        case (.grant, _), (.note, _), (nil, _): true
        }
    }
}
