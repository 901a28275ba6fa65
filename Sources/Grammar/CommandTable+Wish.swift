// SPDX-License-Identifier: Apache-2.0
extension CommandTable {
    package static let wish: [Command] = [
        Command(
            .wish, summary: "say which seats you would take instead of yours",
            operands: "[WORD...]", count: 0...64, sample: "window, aisle",
            options: [
                Option(
                    name: "offer", value: .required("SEAT", sample: "all"), repeats: true,
                    summary: "seats that may be had: all, or some with commas"),
                Option(name: "none", summary: "take your offer back; the wish stays"),
                Option(
                    name: "stay-unless-better",
                    summary: "only what stands before your own seat in this wish"),
                Option(
                    name: "private",
                    summary: "keep the words here: others see the offer alone"),
                Option(name: "public", summary: "let others see the seats again"),
                Option(
                    name: "asks",
                    value: .required("nothing|similar|anything", sample: "nothing"),
                    summary: "what others may ask you for"),
                Option(
                    name: "auto", value: .optional("off"),
                    summary: "swaps that serve this wish need no word of yours; =off asks again"),
                note,
            ],
            details: [
                "Without words it shows your wish. Wishes stand in order, the best first, with a",
                "comma or `then` between them; four are allowed. Others get the seats that they",
                "come to, and never the words.",
                "",
                "window, aisle, middle   kinds of seats, as your agent draws the cabin",
                "front, back             further forward, or further back, than yours",
                "rows 1-10, row 7        these rows",
                "near 14C, near bo       at most two rows away",
                "next to 14C, next to bo beside, without an aisle between",
                "exit, legroom           and away from toilets: if the layout knows where",
                "12A 12B, 1-4CD          these seats",
                "not                     before any of these",
                "any                     whatever seat",
                "",
                "In one wish, seats and kinds add up, and all else narrows: `window aisle front`",
                "is either, further forward; `or` begins another. If somebody whom you name",
                "moves, the same words come to other seats, and others are told those. What you",
                "do not say stays as it was; only new words end --stay-unless-better.",
                "",
                "With --private, a request that gives you less is met with silence: whoever",
                "asks sees what they would see if you did not look, and you are not told. With",
                "--asks nothing that holds for every request, but not of passengers whom you",
                "ask for something. One wish in 5 s and 64 in all are told to others.",
                "",
                "With --auto your agent looks for swaps in which you give what you offer and get",
                "something better by this wish, and nobody is asked for a favour. It proposes",
                "at most three at a time, and says yes to such ones of others, once an hour for",
                "each passenger; not where you would be warned, nor to whoever merely claims their",
                "seat and would sign last, nor by a private wish but of those whom you verified or",
                "travel with. `requests` says what it did. It stays on until --auto=off or --none.",
            ],
            examples: [
                "seatagent wish", "seatagent wish window, not middle front",
                "seatagent wish next to bo then aisle --stay-unless-better",
                "seatagent wish 12A 12B --offer 14C --private", "seatagent wish --asks nothing",
                "seatagent wish window --auto", "seatagent wish --none",
            ])
    ]
}
