// SPDX-License-Identifier: Apache-2.0
@testable import Doctor
import Discovery
import Testing

@testable import SeatAgent
@testable import Text
@testable import Transport
@testable import Interfaces
@testable import System
@testable import Launch

/// Facts in, findings and one cause out.
@Suite("The judge of the doctor")
struct JudgeTests {
    private func address(_ last: UInt8, port: UInt16 = 7711) -> Address {
        Address(host: .v4(0x0a4d_0000 + UInt32(last)), port: port)
    }

    private func place(
        _ outcome: Place.Outcome, at last: UInt8 = 2, _ origin: Place.Origin = .seen
    ) -> Place {
        Place(origin: origin, tries: [.init(address: address(last), outcome: outcome)])
    }

    /// A machine on which nothing is wrong, with one agent beside it.
    private var well: DoctorFacts {
        var facts = DoctorFacts()
        facts.interfaces = [
            InterfaceFact(
                name: "lo", kind: .loopback, isMulticast: false, addresses: [.loopback4]),
            InterfaceFact(
                name: "wlan0", kind: .network, addresses: [address(1).host], way: .by("wlan0")),
        ]
        facts.probe.hear(.registered(label: "doctor-1"))
        facts.probe.hear(.ownSeen(interface: 2))
        facts.probe.hear(.ownHost("k7q2m5x4.local."))
        facts.desk.computer = "adas-thinkpad"
        facts.heard = HeardFacts(couldListen: true, own: true, others: ["10.77.0.2"])
        facts.places = [place(.connected)]
        facts.firewall = .rules([])
        facts.clock = ClockFacts(now: 1_790_000_000, newestFile: 1_789_000_000)
        return facts
    }

    private func changed(_ change: (inout DoctorFacts) -> Void) -> Diagnosis {
        var facts = well
        change(&facts)
        return facts.diagnosis
    }

    private func finding(_ name: Finding.Name, _ diagnosis: Diagnosis) throws -> Finding {
        try #require(diagnosis.findings.first { $0.name == name })
    }

    private func rules(_ hook: String, _ match: Ruleset.Match...) -> FirewallFacts {
        let rule = Ruleset.Rule(matches: match, action: .drop)
        return .rules([
            Ruleset(
                chains: [
                    .init(family: "inet", table: "f", name: "c", hook: hook, rules: [rule])
                ], source: .nft)
        ])
    }

    @Test("All well: every finding has its line, none is bad, nothing is an error")
    func allWell() {
        let diagnosis = well.diagnosis
        #expect(diagnosis.cause == .well && diagnosis.error == nil)
        #expect(diagnosis.what == "all is well: 1 other within reach")
        #expect(diagnosis.findings.map(\.name) == Finding.Name.ofNetwork)
        let unasked: [Finding.Name] = [.agent, .page, .hotspot]
        #expect(diagnosis.findings.allSatisfy { $0.state == .ok || unasked.contains($0.name) })
    }

    @Test("Phones come through the firewall, or the port that keeps them out is named")
    func page() throws {
        let page = PageFact(port: 7790, guests: 7712...7751)
        func said(_ firewall: FirewallFacts) throws -> Finding {
            try finding(
                .page,
                changed {
                    $0.page = page
                    $0.firewall = firewall
                })
        }
        #expect(try finding(.page, well.diagnosis).state == .skipped)
        #expect(try said(.rules([])).state == .ok)
        let shut = try said(rules("input", .port([7790...7790])))
        #expect(shut.state == .warn && shut.what.contains("7790, where phones get the page"))
        #expect(shut.advice?.contains("dport 7790 accept") == true)
        #expect(try said(rules("input", .port([7751...7751]))).what.contains("7751, where guests"))
        #expect(try said(rules("input", .port([7752...7752]))).state == .ok)
        #expect(try said(.unreadable).advice?.contains("nft list ruleset") == true)
        let both = changed {
            $0.page = page
            $0.firewall = rules("input", .port([7790...7790]))
        }
        // Agents meet all the same.
        #expect(both.cause == .well && both.error == nil)
    }

    @Test("A hotspot is seen in what NetworkManager says, and hostile words are not passed on")
    func hotspots() throws {
        let output = """
            1b2c3d4e-0000:802-11-wireless:wlan0
            5f6a:802-3-ethernet:eth0
            --help:802-11-wireless:wlan1
            :
            """
        let found = Hotspots.wireless(output)
        #expect(found.map(\.id) == ["1b2c3d4e-0000"] && found.map(\.device) == ["wlan0"])
        #expect(Hotspots.isAccessPoint("ap\n") && !Hotspots.isAccessPoint("infrastructure\n"))
        #expect(!Hotspots.isAccessPoint(""))
        let runs = try finding(.hotspot, changed { $0.hotspot = .runs("wlan0") })
        #expect(runs.state == .ok && runs.what.contains("hotspot on wlan0"))
        #expect(try finding(.hotspot, changed { $0.hotspot = .none }).state == .ok)
        #expect(try finding(.hotspot, changed { $0.hotspot = .unknown }).state == .skipped)
    }

    @Test("Without any network, or with one that is not there")
    func interfaces() {
        let lonely = changed { $0.interfaces.removeLast() }
        #expect(lonely.cause == .onlyLoopback && lonely.advice == "ip -brief link")
        let tunnelled = changed { facts in
            facts.interfaces[1] = InterfaceFact(
                name: "tun0", kind: .tunnel, addresses: [address(1).host])
        }
        #expect(tunnelled.cause == .onlyLoopback && tunnelled.why?.hasPrefix("tun0: ") == true)
        let off = changed { $0.interfaces[1].isUp = false }
        #expect(off.cause == .noNetwork && off.advice == "sudo ip link set wlan0 up")
        let loose = changed { $0.interfaces[1].hasCarrier = false }
        #expect(loose.cause == .noNetwork && loose.what.contains("not connected"))
        let bare = changed { $0.interfaces[1].addresses = [] }
        #expect(bare.cause == .noNetwork && bare.what == "wlan0 has no address")
        let unknown = changed { $0.interface = "eth7" }
        #expect(unknown.cause == .noNetwork && unknown.what.contains("eth7"))
        let chosen = changed { $0.interface = "lo" }
        #expect(chosen.cause == .well, "a loopback that was chosen is no fault")
    }

    @Test("Without multicast: at the interface, on the machine, on the network")
    func multicast() {
        let off = changed { $0.interfaces[1].isMulticast = false }
        #expect(off.cause == .noMulticast)
        #expect(off.advice == "sudo ip link set wlan0 multicast on")
        let mute = changed { facts in
            facts.probe = ProbeFacts()
            facts.probe.hear(.registered(label: "doctor-1"))
        }
        #expect(mute.cause == .noMulticast && mute.what.contains("does not come back"))
        let typed = changed { facts in
            facts.heard.others = []
            facts.places = [place(.connected, .typed)]
        }
        #expect(typed.cause == .noMulticast)
        #expect(typed.advice == "seatagent up --seat 14C --name ada --peer 10.77.0.2:7711")
        let aboard = changed { facts in
            facts.heard.others = []
            facts.places = [place(.connected, .typed)]
            facts.agent = AgentSeen(isSeen: true, directLinks: 0)
        }
        #expect(aboard.advice == "seatagent peers --add 10.77.0.2:7711")
    }

    @Test("The computer's own name on the air is said, with a line that changes it")
    func computerName() throws {
        let named = changed { $0.probe.hear(.ownHost("Adas-Thinkpad-2.local.")) }
        let warning = try finding(.computerName, named)
        #expect(named.cause == .well && warning.state == .warn)
        #expect(warning.what.contains("Adas-Thinkpad-2.local"))
        #expect(warning.advice == "sudo avahi-set-host-name k7q2m5x4")
        let bare = changed { facts in
            facts.probe.hear(.ownHost("adas-thinkpad.local."))
            facts.desk.hasHostNameProgram = false
            facts.desk.isRoot = true
        }
        #expect(try finding(.computerName, bare).advice == "apt-get install -y avahi-utils")
        #expect(try finding(.computerName, well.diagnosis).state == .ok)
        let unseen = changed { facts in
            facts.probe = ProbeFacts()
            facts.probe.hear(.registered(label: "doctor-1"))
            facts.probe.hear(.ownSeen(interface: 2))
        }
        #expect(unseen.cause == .well)
        #expect(try finding(.computerName, unseen).state == .skipped)
        #expect(!ComputerName.isOwn("ada.local.", computer: "adas"))
        #expect(!ComputerName.isOwn("adas-x.local.", computer: "adas"))
        #expect(!ComputerName.isOwn("linux.local.", computer: ""))
        let fresh = ComputerName.fresh()
        #expect(fresh.count == 10 && fresh != ComputerName.fresh())
    }

    @Test("Without avahi-daemon")
    func avahi() throws {
        let absent = changed { facts in
            facts.probe.hear(.trouble(.noDaemon(DaemonFacts(hasBus: true, isInstalled: true))))
        }
        #expect(absent.cause == .noAvahi && absent.advice == "sudo systemctl start avahi-daemon")
        #expect(try finding(.ownRegistration, absent).state == .skipped)
        let silent = changed { $0.probe = ProbeFacts() }
        #expect(silent.cause == .noAvahi)
        #expect(silent.advice == "sudo systemctl restart avahi-daemon")
    }

    @Test("A VPN that takes the neighbours' traffic, and one that does not")
    func vpn() throws {
        let tunnel = InterfaceFact(name: "tun0", kind: .tunnel, addresses: [address(9).host])
        let taken = changed { facts in
            facts.interfaces.append(tunnel)
            facts.interfaces[1].way = .by("tun0")
        }
        #expect(taken.cause == .vpn && taken.advice == "sudo ip link set tun0 down")
        let beside = changed { $0.interfaces.append(tunnel) }
        #expect(beside.cause == .well)
        #expect(try finding(.vpn, beside).what == "tun0: not in the way")
        let shut = changed { $0.interfaces[1].way = .nowhere("Permission denied") }
        #expect(shut.cause == .vpn && shut.why == "Permission denied")
    }

    @Test("A firewall here")
    func firewall() throws {
        let port = changed { facts in
            facts.port = 4000
            facts.firewall = rules("input", .portOf("tcp", [4000...4000]))
        }
        #expect(port.cause == .firewall && port.what.hasSuffix("TCP port 4000"))
        #expect(port.advice == "sudo nft insert rule inet f c tcp dport 4000 accept")
        let name = changed { $0.firewall = rules("output", .portOf("udp", [5353...5353])) }
        #expect(name.cause == .firewall && name.what.contains("its own mDNS"))
        let doubt = changed { $0.firewall = rules("input", .unclear) }
        #expect(doubt.cause == .well)
        #expect(try finding(.firewall, doubt).state == .skipped)
        let unread = changed { $0.firewall = .unreadable }
        #expect(try finding(.firewall, unread).advice == "sudo nft list ruleset")
        let met = changed { facts in
            facts.firewall = .unreadable
            facts.agent = AgentSeen(isSeen: true, directLinks: 1, dialledByOthers: 1)
        }
        #expect(try finding(.firewall, met).state == .ok)
    }

    @Test("Nobody answers: who is to blame")
    func unreached() {
        let hidden = changed { $0.places = [place(.silent(hasNeighbour: false))] }
        #expect(hidden.cause == .isolated && hidden.advice == "seatagent help doctor")
        let unknown = changed { $0.places = [place(.silent(hasNeighbour: nil))] }
        #expect(unknown.cause == .isolated)
        let there = changed { $0.places = [place(.silent(hasNeighbour: true))] }
        #expect(there.cause == .firewallThere)
        #expect(there.advice == "sudo seatagent doctor --port 7711")
        let several = changed { facts in
            facts.places = [3, 4].map { place(.silent(hasNeighbour: true), at: $0) }
        }
        #expect(several.cause == .isolated, "not everybody has a firewall")
        let ended = changed { $0.places = [place(.refused), place(.silent(hasNeighbour: true))] }
        #expect(ended.cause == .refused)
        let one = changed { $0.places.append(place(.silent(hasNeighbour: true), at: 3)) }
        #expect(one.cause == .well, "one who answers shows that the network lets them")
        let linked = changed { facts in
            facts.places = [place(.silent(hasNeighbour: false))]
            facts.agent = AgentSeen(isSeen: true, directLinks: 1)
        }
        #expect(linked.cause == .well)
    }

    @Test("A meeting point that may hold records back is said, and is no cause of being alone")
    func withheld() {
        let held = changed { facts in
            facts.agent = AgentSeen(isSeen: true, directLinks: 1)
            facts.agent?.withheld = 1
        }
        let finding = held.findings.first { $0.name == .agent }
        #expect(
            finding?.what == "runs, and others' cards are newer than their boxes for 1 passenger")
        #expect(finding?.state == .warn)
        #expect(finding?.why?.contains("(meetWithholds)") == true)
    }

    @Test("An agent that logs its keys is warned of, with the file that must not be given away")
    func keysAreLogged() {
        let logging = changed { facts in
            facts.agent = AgentSeen(isSeen: true, directLinks: 1)
            facts.agent?.keylog = "/home/ada/keys.log"
        }
        let finding = logging.findings.first { $0.name == .agent }
        #expect(finding?.state == .warn)
        #expect(finding?.what.contains("whoever has /home/ada/keys.log can read") == true)
        #expect(logging.cause == .well)
    }

    @Test("Alone, and alone in silence")
    func alone() {
        let alone = changed { $0.places = [] }
        #expect(alone.cause == .alone && alone.error == nil)
        let silence = changed { facts in
            facts.places = []
            facts.heard.others = []
        }
        #expect(silence.cause == .nobodyHeard && silence.error?.code == .networkTrouble)
        let own = changed { facts in
            facts.places = [Place(origin: .seen, isHere: true)]
            facts.heard.others = []
        }
        #expect(own.cause == .nobodyHeard, "an agent on this machine shows nothing")
    }

    @Test("A clock that is wrong")
    func clock() throws {
        let past = changed { $0.clock.now = 1_000_000 }
        #expect(past.cause == .clock && past.advice == "date -u")
        let behind = changed { $0.clock.newestFile = $0.clock.now + 2 * 86_400 }
        #expect(behind.cause == .clock)
        let ahead = changed { $0.clock.newestFile = $0.clock.now - 4 * 365 * 86_400 }
        #expect(try finding(.clock, ahead).state == .warn)
        #expect(ahead.cause == .well)
    }

    @Test("What stops most is named first")
    func order() {
        let all = changed { facts in
            facts.interfaces[1].isMulticast = false
            facts.firewall = rules("input")
            facts.places = [place(.silent(hasNeighbour: false))]
            facts.clock.now = 0
            facts.probe.hear(.trouble(.daemonLost))
        }
        #expect(all.cause == .noAvahi)
    }

    @Test("Commands as root has to type them, with and without sudo")
    func advice() {
        func line(_ isRoot: Bool, _ hasSudo: Bool) -> String {
            Advice(desk: DeskFacts(isRoot: isRoot, hasSudo: hasSudo)).asRoot("ip link")
        }
        #expect(line(true, false) == "ip link")
        #expect(line(false, true) == "sudo ip link")
        #expect(line(false, false) == "su -c 'ip link'")
        let root = Advice(desk: DeskFacts(isRoot: true))
        #expect(root.adapted("sudo systemctl start x") == "systemctl start x")
        #expect(root.adapted("systemctl status x") == "systemctl status x")
    }

    @Test("Commands for each kind of firewall, and none of a name that a shell could misread")
    func openings() {
        func line(_ source: Ruleset.Source, _ names: [String], _ chains: [String] = []) -> String {
            let place = FirewallPlace(
                source: source, family: names[0], table: names[1], chain: names[2])
            let all = chains.map { Ruleset.Chain(family: "ip", table: "filter", name: $0) }
            return Advice(desk: DeskFacts(isRoot: true)).open(
                7711, "tcp", at: place, in: [Ruleset(chains: all, source: source)])
        }
        #expect(
            line(.iptables, ["ip", "filter", "INPUT"])
                == "iptables -I INPUT -p tcp --dport 7711 -j ACCEPT")
        #expect(
            line(.ip6tables, ["ip6", "raw", "PREROUTING"])
                == "ip6tables -t raw -I PREROUTING -p tcp --dport 7711 -j ACCEPT")
        #expect(
            line(.iptables, ["ip", "filter", "INPUT"], ["ufw-user-input"]) == "ufw allow 7711/tcp")
        #expect(
            line(.nft, ["inet", "firewalld", "filter_INPUT"])
                == "firewall-cmd --add-port=7711/tcp")
        #expect(line(.nft, ["inet", "a;reboot", "c"]) == "nft list ruleset")
    }

    @Test("Interfaces are known by their names and flags")
    func kinds() {
        func kind(_ name: String, _ isPointToPoint: Bool = false) -> NetworkInterface.Kind {
            NetworkInterface.kind(
                of: name, isLoopback: name == "lo", isPointToPoint: isPointToPoint)
        }
        for name in ["tun0", "wg0", "tailscale0", "ppp0"] { #expect(kind(name) == .tunnel) }
        for name in ["docker0", "br-3f2a", "veth12", "virbr0"] {
            #expect(kind(name) == .container)
        }
        for name in ["wlp2s0", "eth0", "br0", "enx0011"] { #expect(kind(name) == .network) }
        #expect(kind("eth1", true) == .tunnel)
        #expect(kind("lo") == .loopback)
    }

    @Test("What the kernel says about a neighbour")
    func neighbours() {
        let start = "10.77.0.2 dev wlan0 lladdr 02:00:00:00:00:01 "
        #expect(Knocking.presence(start + "REACHABLE \n") == .there)
        #expect(Knocking.presence(start + "STALE \n") == .asking)
        #expect(Knocking.presence("10.77.0.2 dev wlan0 FAILED \n") == .gone)
        #expect(Knocking.presence("") == .unknown)
    }

    @Test("The report for people and the one for scripts say the same")
    func report() {
        let diagnosis = changed { $0.interfaces[1].isMulticast = false }
        #expect(diagnosis.lines.suffix(3).first?.contains("(no-multicast)") == true)
        #expect(diagnosis.json["cause"] == "no-multicast")
        #expect(diagnosis.json["findings"]?.list?.count == Finding.Name.ofNetwork.count)
        #expect(diagnosis.lines.last == "  try: sudo ip link set wlan0 multicast on")
        #expect(diagnosis.json["try"] == "sudo ip link set wlan0 multicast on")
    }
}
