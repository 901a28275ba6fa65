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
            examples: ["seatagent web", "seatagent web --port 8080"]),
        Command(
            .host, summary: "take in people who have a phone and no agent",
            operands: "on|poster FILE|guests|remove GUEST|off", count: 1...2, sample: "guests",
            options: [
                Option(name: "open", summary: "on: let everybody in without asking you"),
                Option(
                    name: "address", value: .required("ADDRESS", sample: "192.0.2.1"),
                    summary: "on: the address of this computer at which phones reach it"),
                Option(
                    name: "port", value: .required("PORT", sample: "7790"),
                    summary: "on: TCP port to serve the page on; 0 for any; default: 7790"),
                Option(
                    name: "https",
                    summary: "on: over HTTPS; browsers warn, and people compare a fingerprint"),
                Option(
                    name: "joins", value: .required("COUNT", sample: "3"),
                    summary: "on: how many may come in a minute; default: 3"),
                Option(
                    name: "wifi", value: .required("NAME", sample: "hotspot"),
                    summary: "poster: also the code that lets phones into this Wi-Fi"),
                Option(
                    name: "passphrase-file", value: .required("FILE", sample: "passphrase.txt"),
                    summary: "poster: its passphrase is the one line in FILE"),
                Option(
                    name: "get", value: .required("FILE", sample: "seatagent.tar.gz"),
                    summary: "on: give this file to laptops at /get: the tarball of make dist"),
                Option(
                    name: "force",
                    summary: "remove: also while a swap that the guest signed has no outcome"),
            ],
            details: [
                "on serves a page in this network until ctrl-C, and draws a code that phones scan.",
                "Whoever opens it types name and seat, and you are asked whether to let them in.",
                "Each guest then has an agent of their own on this computer, with a key and",
                "records of their own, and is a passenger like any other. At most 40 guests; the",
                "agents listen on ports 7712 to 7751. They take their flight from your agent, or",
                "its venue (--profile default_rec): there they type a name and no seat, and may",
                "book and check in.",
                "",
                "Whoever types the address without what stands behind # compares six words with",
                "your screen. A guest who comes back in another browser types a code of six",
                "digits, which on shows you: read it out to that guest alone.",
                "",
                "This computer holds the keys of its guests and could sign for them: the page says",
                "so. Who listens in the network cannot read what the page sends. Who can change",
                "what travels there could change the page. Against that is --https: each browser",
                "warns of your certificate, since nobody has signed it, and people go on only if",
                "its SHA-256 fingerprint begins as on your screen or poster. It stays the same",
                "until the address changes.",
                "",
                "poster writes the code of the page with words in six languages as a picture to",
                "print, or to show on a screen: PNG if FILE ends with .png, else SVG. With --wifi",
                "a second code lets phones into that network. Its passphrase is what",
                "NetworkManager tells of this computer's hotspot, or you are asked for it.",
                "guests lists them. remove ends the agent of one, by name or number, and deletes",
                "what is kept of them. off ends the page and all their agents; on starts them",
                "again.",
            ],
            examples: [
                "seatagent host on", "seatagent host on --open --address 10.42.0.1",
                "seatagent host poster poster.svg",
                "seatagent host poster poster.png --wifi hotspot", "seatagent host guests",
                "seatagent host remove mia", "seatagent host off",
            ]),
        Command(
            .key, summary: "bring in the key that you took along from a host's laptop",
            operands: "import [FILE]", count: 1...2, sample: "import key.txt",
            options: [
                Option(
                    name: "passphrase-file", value: .required("FILE", sample: "passphrase.txt"),
                    summary: "the passphrase stands in this file; do not ask for it")
            ],
            details: [
                "A guest with a phone takes their key along in the tab Me of the page: a code, and",
                "a text that begins with seatkey1:. import reads that text from FILE, or asks for",
                "it, and then for the passphrase that was typed on the phone. Without a terminal",
                "they are the first two lines of standard input.",
                "",
                "Import it once, on one computer: a key that signs in two places is shut out on",
                "the flight. The host's laptop signs nothing with it any more. Your agent here",
                "fetches your records from other passengers before it signs; private messages and",
                "the code of your party stay behind.",
            ],
            examples: ["seatagent key import", "seatagent key import key.txt --profile mia"]),
    ]
}
