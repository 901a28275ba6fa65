// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit

@testable import Protocol

extension Story {
    static let all = [
        firstContact, lateJoiner, swap, refusal, counterOffer, ring, death, fork, relay,
        verification,
    ]

    private static func seat(_ text: String) throws -> Seat { try require(Seat(text)) }

    private static func ask(_ take: String, _ note: String = "", expires: Int? = nil) throws
        -> Intent
    {
        .swap(take: try seat(take), give: nil, note: note, expires: expires)
    }

    static let firstContact = Story(
        name: "first-contact", title: "First contact",
        about: """
            Two agents of one flight see each other's announcement. The one with the smaller
            instance name dials (docs/protocol.md section 3), both prove that they know the flight
            (section 6), compare what they have and fetch what they lack (section 11). No seat or
            name is told before the proof.
            """,
        points: [
            "sends    to Ann: HELLO_ACK", "ENTRIES kind 2 (last): Bo 1 (genesis, \"Bo\")",
            "told     Bo is aboard",
        ]
    ) { play in
        try play.board("Ann", "12A")
        try play.board("Bo", "14C")
        try play.point { try $0.meet("Ann", "Bo") }
        play.run(seconds: 2)
    }

    static let lateJoiner = Story(
        name: "late-joiner", title: "A late joiner",
        about: """
            Ann and Bo have talked and swapped before Cy comes. Cy fetches both logs, folds them,
            and finds everybody where they sit now, with the certificate as proof (docs/protocol.md
            sections 11 to 13).
            """,
        points: ["commit of contract c1", "told     Ann says: \"before you came\"", "12A  Bo"]
    ) { play in
        try play.cabin([("Ann", "12A"), ("Bo", "14C")])
        try play.point { play in
            try play.quietly { play in
                try play.wish("Ann", "talks", .say("before you came"))
                try play.wish("Bo", "asks", try ask("12A"))
                try play.wish("Ann", "agrees", .accept(1, override: false))
                play.run(seconds: 5)
            }
            play.say("Bo has asked Ann for 12A, Ann has agreed, and both have moved.")
        }
        try play.board("Cy", "20F")
        try play.meet("Ann", "Cy")
        try play.meet("Bo", "Cy")
        play.run(seconds: 3)
    }

    static let swap = Story(
        name: "swap", title: "A swap",
        about: """
            Bo asks Ann for a seat. Who was asked votes last (docs/protocol.md section 16). Each yes
            is durable before it is sent; the last yes and the certificate are one transaction;
            people are told to move when another agent has the proof (section 17).
            """,
        points: [
            "to Bo: PREPARE", "to Ann: VOTE", "to Bo: CERT", "told     request 1: you may move",
            "12A  Bo",
        ]
    ) { play in
        try play.cabin([("Ann", "12A"), ("Bo", "14C")])
        try play.wish("Bo", "asks Ann for 12A and gives 14C", try ask("12A", "my legs are long"))
        try play.point { try $0.wish("Ann", "says yes to request 1", .accept(1, override: false)) }
        play.run(seconds: 2)
    }

    static let refusal = Story(
        name: "refusal", title: "A refusal",
        about: """
            A no with words is sent; a no without words is not, and looks like somebody who has not
            answered: the request ends by its own time (docs/protocol.md section 16). Nothing is
            signed for either.
            """,
        points: ["to Bo: DECLINE", "told     request 1: Ann declines", "\"I like it here\""]
    ) { play in
        try play.cabin([("Ann", "12A"), ("Bo", "14C"), ("Cy", "20F")])
        try play.wish("Bo", "asks Ann for 12A", try ask("12A"))
        try play.point {
            try $0.wish("Ann", "says no with a note", .decline(1, note: "I like it here"))
        }
        try play.wish("Cy", "asks Ann for 12A, for 4 s", try ask("12A", expires: 4))
        try play.wish("Ann", "says no without a note", .decline(2, note: ""))
        play.run(seconds: 4)
    }

    static let counterOffer = Story(
        name: "counter-offer", title: "A counter-offer",
        about: """
            Ann has two seats and would rather give the other one. Her counter-offer ends the
            consent that was in Bo's ASK: it is revision 2, and needs Bo's READY (docs/protocol.md
            section 16).
            """,
        points: ["to Bo: PROPOSE thread t1, revision 2", "to Ann: READY", "12B  Bo"]
    ) { play in
        try play.cabin([("Ann", "12A"), ("Bo", "14C")])
        try play.quietly { play in
            try play.wish("Ann", "claims", .claim(try seat("12B"), dependant: true))
            play.run(seconds: 1)
        }
        play.say("Ann has claimed 12B too, for somebody in her care.")
        try play.wish("Bo", "asks Ann for 12A", try ask("12A"))
        try play.point {
            try $0.wish(
                "Ann", "offers 12B instead",
                .counter(1, give: try seat("12B"), take: nil, note: "12B is a window too"))
            try $0.wish("Bo", "says yes to that", .accept(1, override: false))
        }
        play.run(seconds: 2)
    }

    static let ring = Story(
        name: "ring", title: "A ring of three",
        about: """
            Ann gives to Bo, Bo to Cy, Cy to Ann, or nobody gives anything. Who asks several
            coordinates and votes last: two READYs, two votes, then one certificate with three yeses
            (docs/protocol.md section 16).
            """,
        points: [
            "PREPARE thread t1, contract c1, heads Ann 2, Bo 2, Cy 2", "sends    to Bo: CERT",
            "sends    to Cy: CERT", "3A   Ann", "told     request 1: you may move",
        ]
    ) { play in
        try play.cabin([("Ann", "1A"), ("Bo", "2A"), ("Cy", "3A")])
        let moves = try [("1A", "Bo"), ("2A", "Cy"), ("3A", "Ann")].map { name, to in
            SeatMove(seat: try seat(name), to: try play.key(to))
        }
        try play.wish(
            "Ann", "asks Bo and Cy for a ring", .propose(moves, note: "", expires: nil))
        try play.wish("Bo", "says yes", .accept(1, override: false))
        try play.point { try $0.wish("Cy", "says yes", .accept(1, override: false)) }
        play.run(seconds: 2)
    }

    static let death = Story(
        name: "death", title: "Death in the binding second",
        about: """
            Bo's agent dies between its yes and the certificate. The yes was durable and is out, so
            Ann completes the contract without Bo. Bo's agent finds its yes on its disk, reads what
            others have of its log before it writes (docs/protocol.md section 10), gets the
            certificate and holds 12A.
            """,
        points: ["dies     the process", "Bo starts again", "12A  Bo"]
    ) { play in
        try play.cabin([("Ann", "12A"), ("Bo", "14C")])
        try play.wish("Bo", "asks Ann for 12A", try ask("12A"))
        try play.point { play in
            try play.dies("Bo", afterCommits: 1)
            try play.wish("Ann", "says yes to request 1", .accept(1, override: false))
            play.run(seconds: 10)
            try play.restart("Bo")
        }
        play.run(seconds: 6)
    }

    static let fork = Story(
        name: "fork", title: "A fork is found",
        about: """
            Cy's program signs two entries at one position of the log and shows one to Ann, the
            other to Bo. Their frontiers differ in the same place, so one asks the other for that
            entry, and the two entries are the proof. Everybody gets it, Cy's log counts only before
            the fork, and Cy is muted for good (docs/protocol.md sections 10 and 11).
            """,
        points: [
            "FORKPROOF", "durable  fork proof", "told     Cy signed two things at one position",
            "Cy forked at 3",
        ]
    ) { play in
        try play.cabin([("Ann", "12A"), ("Bo", "14C"), ("Cy", "20F")])
        var cheat = Traitor(3)
        cheat.follow(play.world.hosts[0].node.logs)
        var other = cheat
        let one = try cheat.write(.claim(seat: try seat("1A"), dependant: false))
        let two = try other.write(.claim(seat: try seat("1F"), dependant: false))
        try play.smuggle(
            .entries(EntryBatch(kind: .push, entries: [one.bytes])), from: "Cy", to: "Ann")
        try play.point {
            try $0.smuggle(
                .entries(EntryBatch(kind: .push, entries: [two.bytes])), from: "Cy", to: "Bo")
        }
        play.run(seconds: 30)
    }

    static let relay = Story(
        name: "relay", title: "A relay",
        about: """
            The network does not let Ann and Cy reach each other. Both have dialled in vain, and Bo,
            who is linked with both, has said so (PEX). Ann has a message for Cy and asks Bo for a
            circuit. Bo carries sealed bytes: the session inside is one of Ann with Cy
            (docs/protocol.md section 24). The first 32 bytes of each end stand for the handshake of
            TLS.
            """,
        points: ["to Bo: RELAY_OPEN", "RELAY_DATA", "to Cy (sealed): DM", "(sealed): DM_ACK"]
    ) { play in
        play.point { $0.world.walls = [[0, 2]] }
        try play.cabin([("Ann", "12A"), ("Bo", "14C"), ("Cy", "20F")])
        try play.wish("Ann", "writes to Cy", .message(to: try play.key("Cy"), "are you there?"))
        play.run(seconds: 1)
    }

    static let verification = Story(
        name: "verification", title: "Verification by voice",
        about: """
            Ann and Bo read three numbers to each other. Ann commits to a nonce before she sees
            Bo's, so that nobody between them can choose what the numbers come to. Verified is who
            the own user found right and whose MAC is right (docs/protocol.md section 25).
            """,
        points: ["durable  Ann is verified", "durable  Bo is verified"]
    ) { play in
        try play.cabin([("Ann", "12A"), ("Bo", "14C")])
        try play.wish("Ann", "wants to verify Bo", .verify(try play.key("Bo")))
        try play.wish("Bo", "wants to verify Ann", .verify(try play.key("Ann")))
        try play.wish("Ann", "says that the codes are the same", .compared(isSame: true))
        try play.point {
            try $0.wish("Bo", "says that the codes are the same", .compared(isSame: true))
        }
        play.run(seconds: 2)
    }
}
