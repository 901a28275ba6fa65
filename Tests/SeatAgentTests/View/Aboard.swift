// SPDX-License-Identifier: Apache-2.0
@testable import ControlAPI
@testable import View
import Protocol

@testable import Aviation
@testable import SeatAgent
@testable import Terminal
@testable import Text

/// A flight as the agent would tell it, for tests of the view.
struct Aboard {
    var state = ViewState()

    static func who(
        _ name: String, _ seat: String?, me: Bool = false, verified: Bool = false,
        offer: JSON? = nil
    ) -> JSON {
        .object(present: [
            "key": .string("key-\(name)"), "tag": .string("#\(name.prefix(4))"),
            "name": .string(name), "seats": .array(seat.map { [.string($0)] } ?? []),
            "me": me ? true : nil, "evidence": verified ? ["verified": true] : nil,
            "offer": offer ?? .null,
        ])
    }

    static let ada = who("ada", "14C", me: true)
    static let bo = who("bo", "12A", verified: true)
    static let dev = who("dev", "22D")

    /// ada in 14C, bo in 12A and dev in 22D, nothing said.
    init(width: Int = 80, height: Int = 24) {
        state.size = Grid.Point(x: width, y: height)
        answer(
            .status,
            [
                "me": Self.ada, "aboard": 2, "linked": 2, "alone": .null, "window": .null,
                "flight": ["practice": false, "designator": "XY123"],
            ])
        seats([("12A", [Self.bo]), ("14C", [Self.ada]), ("22D", [Self.dev])])
        answer(.peers, ["peers": [Self.bo, Self.dev]])
        answer(.requests, ["requests": []])
        state.stale = []
    }

    /// The agent draws by another layout.
    mutating func draw(by layout: CabinLayout) {
        answer(.status, status.adding(["cabin": layout.json]))
    }

    /// What the agent told of itself last.
    var status: JSON { JSON(state.status) }

    mutating func answer(_ purpose: Purpose, _ result: JSON) {
        _ = state.answered(purpose, .success(result))
    }

    mutating func seats(_ list: [(String, [JSON])]) {
        answer(
            .seats,
            [
                "seats": .array(
                    list.map { seat, holders in
                        [
                            "seat": .string(seat),
                            "state": holders.count > 1 ? "disputed" : "held",
                            "holders": .array(holders),
                        ]
                    })
            ])
    }

    /// dev asks for 14C and gives 22D.
    mutating func devAsks(number: Int = 1, note: String = "snacks included") {
        answer(.requests, ["requests": [Self.request(number, note: note)]])
    }

    static func request(_ number: Int, note: String, state: String = "open") -> JSON {
        [
            "event": "request", "at": "2026-11-21T10:06:00Z",
            "number": .int(number), "direction": "in", "state": .string(state),
            "needs_answer": .bool(state == "open"), "by": dev, "with": [dev],
            "note": .string(note), "left": 521, "contract": "c0ffee",
            "moves": [
                ["seat": "14C", "from": ada, "to": dev], ["seat": "22D", "from": dev, "to": ada],
            ],
        ]
    }

    @discardableResult
    mutating func type(_ text: String) -> [ViewIntent] {
        text.flatMap { state.handle(.letter($0)) }
    }

    @discardableResult
    mutating func press(_ keys: Key...) -> [ViewIntent] {
        keys.flatMap { state.handle($0) }
    }

    /// Time enough to read a question.
    mutating func wait() { state.now = state.now + .seconds(1) }

    mutating func hear(_ who: JSON, _ text: String, id: String = "") -> [ViewIntent] {
        state.handle(
            event: [
                "event": "chat", "at": "2026-11-21T10:02:00Z", "who": who, "text": .string(text),
                "id": .string(id.isEmpty ? text : id),
            ])
    }

    mutating func message(_ who: JSON, _ text: String, state word: String = "received") {
        _ = state.handle(
            event: [
                "event": "message", "at": "2026-11-21T10:03:00Z", "who": who,
                "text": .string(text), "id": .string(text), "state": .string(word),
                "outgoing": .bool(word != "received"),
            ])
    }

    /// The screen, with the minutes of the local clock left out.
    var screen: [String] { ScreenPicture.draw(state).lines }
}
