// SPDX-License-Identifier: Apache-2.0
extension CommandTable {
    package static let doctor: [Command] = [
        Command(
            .doctor, summary: "find out why nobody is found, and what to do about it",
            operands: "[HOST:PORT...]", count: 0...8,
            options: [
                Option(
                    name: "interface", value: .required("NAME", sample: "lo"),
                    summary: "one network interface; default: the agent's, or all"),
                Option(
                    name: "port", value: .required("PORT", sample: "7711"),
                    summary: "the TCP port others should reach; default: the agent's, or 7711"),
            ],
            details: [
                "Checks interfaces, VPNs, multicast, avahi-daemon, the firewall and the clock,",
                "announces a test, and connects to the agents it sees and to HOST:PORT, which",
                "`seatagent doctor` shows on another machine. It does not disturb agents.",
                "",
                "It exits with 0 if nothing is wrong, and with 9 if something keeps you from",
                "others. As root it can read the rules of the firewall.",
                "",
                "If the network keeps its clients apart, no setting of yours helps. Make a network",
                "of your own, a hotspot of a telephone or of one of the laptops, and join it; it",
                "needs no internet. A laptop that is on both networks carries the words of",
                "passengers who cannot reach each other.",
            ],
            examples: [
                "seatagent doctor", "seatagent doctor 10.77.0.2:7711", "seatagent doctor --json",
            ])
    ]
}
