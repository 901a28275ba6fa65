// SPDX-License-Identifier: Apache-2.0
import FuzzKit
@testable import View
@testable import Wording
import Protocol

@testable import Aviation
@testable import Terminal
@testable import Text

/// Layouts of strangers: what is read is written in one form that reads as the same, every seat of
/// it has a place in every picture, every arrow ends on a seat, and nothing acts on a terminal.
///
/// Input: the text of a layout.
enum CabinsTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        let layout: CabinLayout
        do throws(CabinFault) {
            layout = try CabinLayout.read(input)
        } catch {
            hold(error.sentence.unicodeScalars.allSatisfy(\.isSafeToPrint), "a fault that acts")
            return .refused
        }
        hold(layout.bytes.count <= CabinLimits.bytes, "too large to send")
        hold((try? CabinLayout.read(layout.bytes)) == layout, "another as one line")
        hold((try? CabinLayout(json: layout.json)) == layout, "another as an object")
        hold(layout.rows.count <= CabinLimits.rows && !layout.rows.isEmpty, "too many rows")
        hold(layout.aisles < CabinLimits.blocks, "too many aisles")
        let seats = layout.seats
        hold(Set(seats).count == seats.count && !seats.isEmpty, "a seat comes twice")
        for seat in seats { look(at: seat, layout) }
        draw(layout, seats)
        return .accepted
    }

    private static func look(at seat: Seat, _ layout: CabinLayout) {
        let place = layout.kind(of: seat)
        hold(place.exists && layout.contains(seat), "a seat that is not there")
        hold(place.middle != (place.window || place.aisle), "neither and both")
        hold(layout.neighbours(of: seat).contains(seat), "a seat without itself")
        for by in [1, -1] {
            hold(layout.contains(layout.seat(seat, rowsOn: by)), "a step into a wall")
            hold(layout.contains(layout.seat(seat, columnsOn: by)), "a step into an aisle")
        }
    }

    private static func draw(_ layout: CabinLayout, _ seats: [Seat]) {
        let marks = Dictionary(seats.map { ($0, SeatMark.aboard) }, uniquingKeysWith: { $1 })
        let picture = SeatPicture(marks: marks, cabin: layout, hasLegend: false)
        for lines in [picture.upright, picture.lying] {
            let count = lines.reduce(0) { $0 + $1.split(separator: " ").count { $0 == "o" } }
            hold(count == seats.count, "a seat is not drawn")
        }
        for size in [Grid.Point(x: 80, y: 24), Grid.Point(x: 130, y: 50)] {
            for seat in [seats.first, seats.last] {
                let screen = ScreenLayout(size: size, cabin: layout, around: seat)
                guard screen.map != .none, let seat else { continue }
                hold(screen.point(of: seat) != nil, "the seat looked at is not shown")
            }
        }
    }
}
