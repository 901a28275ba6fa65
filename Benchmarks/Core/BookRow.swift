// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// What the bookings of a venue come to, for callgrind.
enum BookRow {
    private static let before = 300
    private static let counts = 100

    /// Grants on top of others of the same three days: each is weighed and read on.
    static func countGrants() {
        do {
            try grants()
        } catch {
            fail("no ledger: \(error)")
        }
    }

    private static func grants() throws {
        var desk = try MadeUpLedger(
            FakeSigner(1), rules: SmallVenue.rules(court: 100), in: .fake)
        var logs = LedgerVenue.fake.logs(desk)
        var running = RunningBook()
        for number in 0..<before + counts {
            let grant = Grant(
                holder: FakeSigner(UInt8(2 + number % 200)).key, place: 1,
                period: try SmallVenue.period(number % 3, 7 + number % 14, 60), flags: .override)
            _ = try desk.grant(grant)
            guard let entry = desk.entries.last else { fail("no grant") }
            logs.restore(entry)
            if number < before {
                running.follow(logs)
            } else {
                counted { _ = running.follow(logs) }
            }
        }
        guard running.book.mints.count == before + counts else { fail("a grant is missing") }
    }
}
