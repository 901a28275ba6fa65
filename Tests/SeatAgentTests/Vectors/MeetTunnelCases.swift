// SPDX-License-Identifier: Apache-2.0
@testable import Rendezvous

/// What comes to one end of a tunnel, in the order in which it comes.
extension MeetTunnelRuns {
    private static func data(_ count: Int) -> TunnelBody {
        .data([UInt8](repeating: 9, count: count))
    }

    private static let piece = TunnelLimits.piece

    static var runs: [Run] { order + patience + flow + wrong }

    private static var order: [Run] {
        [
            Run(
                name: "in order",
                steps: [(0, .frame(1, data(1))), (1, .frame(2, data(2))), (2, .frame(3, data(3)))]),
            Run(
                name: "twice, and one of before",
                steps: [
                    (0, .frame(1, data(1))), (1, .frame(1, data(1))), (2, .frame(2, data(2))),
                    (3, .frame(1, data(1))), (4, .frame(2, data(2))), (9000, .time),
                ]),
            Run(
                name: "early ones wait for the first, one of them twice",
                steps: [
                    (0, .frame(3, data(3))), (1, .frame(2, data(2))), (2, .frame(3, data(3))),
                    (4999, .frame(1, data(1))), (60_000, .time),
                ]),
            Run(
                name: "an end waits for its turn",
                steps: [(0, .frame(2, .end(.closed))), (9, .frame(1, data(5)))]),
            Run(
                name: "nothing follows an end",
                steps: [
                    (0, .frame(1, .end(.spent))), (1, .frame(2, data(5))), (2, .write(5)),
                    (200_000, .time),
                ]),
            Run(
                name: "what is early fills 64 KiB",
                steps: [
                    (0, .frames(2, 4, data(piece))), (1, .frame(6, data(4096))),
                    (2, .frame(1, data(1))),
                ]),
            Run(
                name: "what is early is a byte more",
                steps: [(0, .frames(2, 4, data(piece))), (1, .frame(6, data(4097)))]),
            Run(
                name: "256 are early", isOpener: true,
                steps: [
                    (0, .frames(2, 256, data(1))), (1, .frame(1, .ready)),
                    (2, .frame(258, data(2))),
                ]),
            Run(
                name: "257 are early", isOpener: true,
                steps: [(0, .frames(2, 256, data(1))), (1, .frame(258, data(1)))]),
        ]
    }

    private static var patience: [Run] {
        [
            Run(
                name: "a gap of 5 s",
                steps: [(0, .frame(2, data(1))), (4999, .time), (5000, .time)]),
            Run(
                name: "a gap that is closed, and another one",
                steps: [
                    (0, .frame(2, data(1))), (1, .frame(4, data(1))), (3000, .frame(1, data(1))),
                    (7999, .time), (8000, .time),
                ]),
            Run(
                name: "two behind one gap",
                steps: [
                    (0, .frame(2, data(1))), (3000, .frame(3, data(1))), (5000, .time),
                ]),
            Run(
                name: "nobody answers", isOpener: true, steps: [(9999, .time), (10_000, .time)]),
            Run(
                name: "an answer in the last moment", isOpener: true,
                steps: [(9999, .frame(1, .ready)), (129_998, .time), (129_999, .time)]),
            Run(
                name: "120 s without data",
                steps: [
                    (1000, .frame(1, data(1))), (120_999, .time), (121_000, .time),
                ]),
            Run(
                name: "what is sent counts, and TOOK does not",
                steps: [
                    (60_000, .write(10)), (100_000, .frame(1, .took(10))), (179_999, .time),
                    (180_000, .time),
                ]),
            Run(
                name: "4 MiB that came",
                steps: [
                    (0, .frames(1, 273, data(piece))), (1, .frame(274, data(1024))),
                    (2, .frame(275, data(1))),
                ]),
            Run(
                name: "4 MiB in both directions",
                steps: [
                    (0, .write(1024)), (1, .frames(1, 273, data(piece))), (2, .write(1)),
                ]),
        ]
    }

    private static var flow: [Run] {
        [
            Run(
                name: "TOOK at 32768",
                steps: [
                    (0, .frames(1, 2, data(piece))), (1, .frame(3, data(2047))),
                    (2, .frame(4, data(1))), (3, .frames(5, 3, data(piece))),
                ]),
            Run(
                name: "65536 are under way", isOpener: true,
                steps: [
                    (0, .write(40_000)), (1, .frame(1, .ready)), (2, .write(30_000)),
                    (3, .frame(2, .took(100))), (4, .frame(3, .took(32_768))), (5, .write(70_000)),
                ]),
            Run(
                name: "TOOK of what was not sent",
                steps: [(0, .write(10)), (1, .frame(1, .took(11)))]),
            Run(
                name: "TOOK of all", steps: [(0, .write(10)), (1, .frame(1, .took(10)))]),
        ]
    }

    private static var wrong: [Run] {
        [
            Run(name: "who asked is not told READY", steps: [(0, .frame(1, .ready))]),
            Run(
                name: "READY twice", isOpener: true,
                steps: [(0, .frame(1, .ready)), (1, .frame(2, .ready))]),
            Run(
                name: "data before READY", isOpener: true, steps: [(0, .frame(1, data(1)))]),
            Run(
                name: "TOOK before READY", isOpener: true, steps: [(0, .frame(1, .took(1)))]),
        ]
            + TunnelEnd.allCases.map { reason in
                Run(
                    name: "refused with \(reason.rawValue)", isOpener: true,
                    steps: [(0, .frame(1, .end(reason)))])
            }
    }
}
