// SPDX-License-Identifier: Apache-2.0
@testable import View
import Protocol
import Testing

@testable import Aviation
@testable import SeatAgent
@testable import Terminal
@testable import Text

@Suite("Cells and lines")
struct GridTests {
    @Test("What would act on a terminal does not get into a cell")
    func hostile() {
        var grid = Grid(width: 30, height: 1)
        grid.put("a\u{1B}[2J\u{9B}\u{202E}\n\u{200B}b", x: 0, y: 0)
        #expect(grid.lines == ["a\u{FFFD}[2J\u{FFFD}\u{FFFD} \u{FFFD}b"])
        grid.put(String(repeating: "e\u{301}\u{301}\u{301}\u{301}\u{301}", count: 2), x: 0, y: 0)
        #expect(grid.row(0).first?.text.unicodeScalars.count == 4)
    }

    @Test("Wide letters take two cells, are cut whole, and leave no halves")
    func wide() {
        var grid = Grid(width: 5, height: 1)
        #expect(grid.put("座席座", x: 0, y: 0) == 4)
        #expect(grid.lines == ["座席"])
        grid.put("x", x: 1, y: 0)
        #expect(grid.lines == [" x席"])
        grid.put("x", x: 2, y: 0)
        #expect(grid.lines == [" xx"])
        grid.put("\u{301}", x: 0, y: 0)
        grid.put("text", x: 3, y: 0)
        grid.put("out", x: 0, y: 7)
        grid.put("out", x: -2, y: 0)
        #expect(grid.lines == [" xxte"])
    }

    @Test("Lines are broken at blanks, else anywhere, and lose no letter")
    func wrapping() {
        #expect(Wrapping.lines("one two three", cells: 8) == ["one two", "three"])
        #expect(Wrapping.lines("abcdefgh", cells: 3) == ["abc", "def", "gh"])
        #expect(Wrapping.lines("座席を交換", cells: 5) == ["座席", "を交", "換"])
        #expect(Wrapping.lines("", cells: 5) == [""])
        #expect(Wrapping.lines("abc def", cells: 3) == ["abc", "def"])
        #expect(Wrapping.lines("abc   def", cells: 3) == ["abc", "def"])
        for width in 1...20 {
            let text = "a long text with words of several lengths andsomethatneverend"
            let lines = Wrapping.lines(text, cells: width)
            #expect(lines.allSatisfy { cellWidth($0) <= width })
            #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
        }
    }

    @Test("Colours come in pairs, and every state has a look without colours")
    func palette() {
        for style in Style.allCases where style != .plain && style != .active {
            let look = Palette.look(style, .none)
            #expect(!look.isEmpty, "\(style)")
            #expect(Palette.pair(style, .none) == nil)
        }
        #expect(Palette.pair(.available, .many) == Palette.Pair(text: 16, background: 214))
    }
}

@Suite("Where things stand")
struct LayoutTests {
    private func layout(_ x: Int, _ y: Int, _ cabin: CabinLayout = .standard) -> ScreenLayout {
        ScreenLayout(size: Grid.Point(x: x, y: y), cabin: cabin, around: Seat("14C"))
    }

    @Test("Lying, upright, or nothing at all")
    func shapes() {
        #expect(layout(80, 24).map == .lying(firstRow: 1, rows: 32))
        #expect(layout(120, 40).map == .upright(firstRow: 1, rows: 32))
        #expect(layout(99, 40).map == .lying(firstRow: 1, rows: 32))
        #expect(layout(120, 37).map == .lying(firstRow: 1, rows: 32))
        #expect(layout(60, 16).map == .lying(firstRow: 6, rows: 27))
        #expect(layout(59, 24).map == .none)
        #expect(layout(80, 15).map == .none)
        #expect(layout(80, 24).hasLegend)
        #expect(!layout(75, 24).hasLegend)
    }

    @Test("Every seat has its own place, and a click there finds it, in every window")
    func places() throws {
        for (x, y) in [(80, 24), (120, 40), (60, 21), (200, 60), (100, 38)] {
            for cabin in CabinLayout.bundled {
                let layout = layout(x, y, cabin)
                let cells = CabinPlane(layout: layout).plane { _ in ("o", .plain) }
                var taken: Set<Grid.Point> = []
                for seat in cabin.seats {
                    guard let point = layout.point(of: seat) else { continue }
                    #expect(taken.insert(point).inserted)
                    #expect(0..<x ~= point.x && 0..<y ~= point.y)
                    #expect(cells.key(at: point) == seat)
                }
                #expect(taken.count > 50, "\(cabin.id) in \(x)x\(y)")
            }
        }
    }

    @Test("A wide cabin wants a higher window, and says which")
    func least() {
        let wide = bundled("lufthansa-a350-900")
        #expect(layout(80, 19, wide).map == .none)
        #expect(layout(60, 20, wide).map != .none)
        #expect(layout(60, 20, wide).chatLines == 3)
        #expect(ScreenLayout.leastWords(wide) == "60x20")
        #expect(ScreenLayout.leastWords(.standard) == "60x16")
        #expect(ScreenLayout.leastWords(bundled("klm-e190")) == "60x16")
    }

    @Test("The seat that is looked at is always on the screen")
    func scrolling() throws {
        for cabin in CabinLayout.bundled {
            for (x, y) in [(60, 20), (80, 24), (120, 38), (110, 38)] {
                for seat in cabin.seats {
                    let layout = ScreenLayout(
                        size: Grid.Point(x: x, y: y), cabin: cabin, around: seat)
                    #expect(layout.point(of: seat) != nil, "\(cabin.id) \(seat.text)")
                }
            }
        }
    }
}
