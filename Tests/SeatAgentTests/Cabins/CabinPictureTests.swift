// SPDX-License-Identifier: Apache-2.0
@testable import Wording
import Glibc
import Protocol
import Testing

@testable import Aviation
@testable import SeatAgent
@testable import System
@testable import Terminal
@testable import Text

/// Pictures of every layout, kept as text in `Pictures`: `GOLDENS=write` before
/// the test writes them anew.
@Suite("Pictures of the bundled cabins")
struct CabinPictureTests {
    /// A passenger in the first, the last and a middle seat, and what they want.
    private func scene(_ layout: CabinLayout, width: Int, height: Int) -> Aboard {
        var view = Aboard(width: width, height: height)
        view.draw(by: layout)
        let seats = layout.seats
        let places = [0, seats.count / 3, seats.count / 2, seats.count - 1].map { seats[$0].text }
        let bo = Aboard.who("bo", places[1], verified: true)
        let dev = Aboard.who(
            "dev", places[2], offer: ["seats": [.string(places[2])], "wants": ["any"]])
        let cy = Aboard.who("cy", places[3])
        let ada = Aboard.who("ada", places[0], me: true)
        view.answer(.status, view.status.adding(["me": ada]))
        view.answer(.peers, ["peers": [bo, dev, cy]])
        view.seats([
            (places[0], [ada]), (places[1], [bo]), (places[2], [dev]), (places[3], [cy, bo]),
        ])
        return view
    }

    private func pictures(_ layout: CabinLayout) -> [(title: String, lines: [String])] {
        let view = scene(layout, width: 80, height: 24)
        var seats = SeatPicture(marks: view.state.marks, cabin: layout)
        var pictures = [("seats", seats.upright), ("seats --wide", seats.lying)]
        seats.ascii = true
        pictures.append(("seats --ascii --wide", seats.lying))
        for (x, y) in [(80, 24), (120, 40), (64, 20)] {
            var view = scene(layout, width: x, height: y)
            view.press(.tab)
            // To the last passenger: a window that is too small has to follow.
            if x < 80 { view.type("N") }
            pictures.append(("view \(x)x\(y)", view.screen))
        }
        return pictures
    }

    @Test(
        "Every layout, upright and lying, as text and in the view", arguments: CabinLayout.bundled)
    func goldens(_ layout: CabinLayout) throws {
        let text = pictures(layout).map { title, lines in
            "== \(title)\n" + lines.joined(separator: "\n") + "\n"
        }.joined()
        let path = CabinFiles.root + "/Tests/SeatAgentTests/Cabins/Pictures/\(layout.id).txt"
        if getenv("GOLDENS").map({ String(cString: $0) }) == "write" {
            try PrivateFile.write(Array(text.utf8), to: path)
        }
        let kept = String(decoding: try #require(try PrivateFile.read(path)), as: UTF8.self)
        let seen = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in kept.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated() where number >= seen.count || seen[number] != line
        {
            Issue.record("\(layout.id).txt:\(number + 1) wants \"\(line)\"")
            return
        }
        #expect(kept == text)
    }

    @Test("Every picture shows every seat once, and fits where it is shown")
    func complete() {
        for layout in CabinLayout.bundled {
            let everybody = Dictionary(
                uniqueKeysWithValues: layout.seats.map { ($0, SeatMark.aboard) })
            let picture = SeatPicture(
                marks: everybody, cabin: layout, ascii: true, hasLegend: false)
            for lines in [picture.upright, picture.lying] {
                let marks = lines.map { $0.split(separator: " ").count { $0 == "o" } }
                #expect(marks.reduce(0, +) == layout.seats.count, "\(layout.id)")
                #expect(lines.allSatisfy { cellWidth($0) <= 80 })
            }
        }
    }

    @Test("The layout that is drawn without a choice is the design's own")
    func standard() {
        var view = Aboard()
        let before = view.screen
        view.draw(by: .standard)
        #expect(view.screen == before)
        view.draw(by: bundled("klm-e190"))
        #expect(view.screen != before)
        view.answer(.status, view.status.adding(["cabin": ["version": 99]]))
        #expect(view.screen == before)
    }

    @Test("Who sits where the layout has no seat is named below it")
    func outside() throws {
        let picture = SeatPicture(
            marks: [
                try #require(Seat("13A")): .aboard, try #require(Seat("1F")): .me,
                try #require(Seat("2F")): .aboard,
            ], cabin: bundled("ryanair-737-800"))
        #expect(picture.upright.last == "Not in this layout: 1F @, 13A o")
        #expect(picture.lying.last == "Not in this layout: 1F @, 13A o")
    }
}
