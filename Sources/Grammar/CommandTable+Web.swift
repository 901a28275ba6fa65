// SPDX-License-Identifier: Apache-2.0
extension CommandTable {
    package static let pages: [Command] = [
        Command(
            .web, summary: "the page of your agent, for the browser of this computer",
            options: [
                Option(
                    name: "port", value: .required("PORT", sample: "7790"),
                    summary: "TCP port to serve it on; 0 for any; default: 7790")
            ],
            details: [
                "Prints an address to open, and serves the page until ctrl-C: the cabin, the talk,",
                "requests and plans, your wish and your party, as in the view. The agent goes on",
                "when the page ends, and may be started before or after it.",
                "",
                "The address lets one page in, once. That browser finds the page again at the same",
                "address without what stands behind the #, also after the next start. Only",
                "programs on this computer reach it, and nothing of it can be read on the way.",
            ],
            examples: ["seatagent web", "seatagent web --port 8080"])
    ]
}
