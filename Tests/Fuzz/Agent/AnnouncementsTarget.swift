// SPDX-License-Identifier: Apache-2.0
import FuzzKit
@testable import Discovery
@testable import Protocol

/// Announced venues: a record that is read is a name, a key and a kind of volume, whose own record
/// and link read as the same. Whatever a daemon reports, a search asks few questions at a time,
/// ends in time, gives all references back, and reports each venue once.
///
/// Input: a byte, even for one record, which follows; else what a daemon reports, step by step, and
/// records with their lengths.
enum AnnouncementsTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        guard let first = input.first else { return .refused }
        let rest = Array(input.dropFirst())
        return first % 2 == 0 ? read(rest) : search(rest)
    }

    private static func read(_ record: [UInt8]) -> Verdict {
        guard let link = VenueRecord.link(record) else { return .refused }
        hold(record.count <= DiscoveryLimits.venueText, "a long record")
        hold(VenueName.isSlug(link.slug), "a name that is none")
        hold(VenueRecord.link(VenueRecord.text(link)) == link, "another one in its own record")
        hold((try? SeatLink(SeatLink.venue(link).text)) == .venue(link), "another link")
        return .accepted
    }

    private static func search(_ input: [UInt8]) -> Verdict {
        var rest = input[...]
        var machine = VenueSearchMachine(interface: nil)
        var open: [ReferenceStart] = []
        var now: Int64 = 0
        func handle(_ event: VenueSearchMachine.Event) {
            let effects = machine.handle(event, at: now)
            for id in effects.stops {
                hold(open.contains { $0.id == id }, "given back twice, or never had")
                open.removeAll { $0.id == id }
            }
            open += effects.starts
            hold(open.count <= DiscoveryLimits.lookups + 1, "too many questions")
        }
        handle(.start)
        while let code = rest.popFirst(), let value = rest.popFirst() {
            let label = ServiceLabel(random: UInt64(value % 32)).text
            let interface = UInt32(code / 16 % 3)
            // The search keeps what it has open in order: the browse first.
            let place = min(Int(value % 9), open.count - 1)
            switch code % 8 {
            case 0, 1:
                report(.appeared(label: label, interface: interface), of: 0)
            case 2: report(.disappeared(label: label, interface: interface), of: 0)
            case 3: report(.opened, of: 0)
            case 4, 5:
                let text = Array(rest.prefix(Int(value)))
                rest = rest.dropFirst(text.count)
                report(.text(text), of: place)
            case 6 where value < 16: report(.failed(.broken), of: place)
            case 6: report(.noAddress(bytes: [], interface: 1), of: place)
            default:
                now += Int64(value) * DiscoveryLimits.second / 100
                handle(.tick)
            }
        }
        func report(_ report: ReferenceReport, of place: Int) {
            guard open.indices.contains(place) else { return }
            handle(.report(open[place].id, report))
        }
        var turns = 0
        while let deadline = machine.nextDeadline {
            hold(deadline <= DiscoveryLimits.venueSearch, "it lasts too long")
            now = max(now, deadline)
            handle(.tick)
            turns += 1
            hold(turns < 10_000, "it never ends")
        }
        hold(machine.isDone && open.isEmpty, "something is left open")
        let found = machine.result
        hold(Set(found.venues).count == found.venues.count, "a venue twice")
        return found.venues.isEmpty ? .refused : .accepted
    }
}
