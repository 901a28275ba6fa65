// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import Testing

@testable import Terminal
@testable import Text
@testable import Venues
@testable import View

/// The page of a venue, as whole screens.
@Suite("F2, F3: the page of a venue")
struct VenueScreenTests {
    private func scene(width: Int, height: Int) throws -> InLibrary {
        var view = try InLibrary(width: width, height: height)
        view.count([1: 86, 2: 260])
        try view.comes(to: 1)
        view.state.hasHistory = true
        return view
    }

    @Test("LOOK")
    func look() throws {
        for (x, y) in [(80, 24), (120, 40), (60, 16), (59, 20)] {
            var view = try scene(width: x, height: y)
            for line in view.screen { print("|" + line) }
            view.press(.tab)
            for line in view.screen { print("|" + line) }
            view.press(.letter("p"), .down)
            for line in view.screen { print("|" + line) }
        }
    }
}
