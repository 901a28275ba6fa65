// SPDX-License-Identifier: Apache-2.0
/// Rulesets as the programs print them.
enum Rulesets {
    /// `nft -j list ruleset` of a table with sets, maps, jumps and limits.
    static let desk = #"""
        {"nftables":[
        {"set":{"family":"inet","name":"open","table":"desk","type":"inet_service","flags":[
         "interval"],"elem":[22,{"range":[8000,9000]}]}},
        {"chain":{"family":"inet","table":"desk","name":"web"}},
        {"chain":{"family":"inet","table":"desk","name":"input","type":"filter","hook":"input",
         "prio":0,"policy":"drop"}},
        {"chain":{"family":"inet","table":"desk","name":"output","type":"filter","hook":"output",
         "prio":0,"policy":"accept"}},
        {"rule":{"family":"inet","table":"desk","chain":"web","expr":[{"match":{"op":">=","left":{
         "payload":{"protocol":"tcp","field":"dport"}},"right":8000}},{"return":null}]}},
        {"rule":{"family":"inet","table":"desk","chain":"web","expr":[{"match":{"op":"==","left":{
         "payload":{"protocol":"tcp","field":"dport"}},"right":{"range":[7000,7999]}}},{"drop":
         null}]}},
        {"rule":{"family":"inet","table":"desk","chain":"input","expr":[{"vmap":{"key":{"ct":{
         "key":"state"}},"data":{"set":[["invalid",{"drop":null}],["established",{"accept":null}],
         ["related",{"accept":null}]]}}}]}},
        {"rule":{"family":"inet","table":"desk","chain":"input","expr":[{"match":{"op":"==",
         "left":{"meta":{"key":"iifname"}},"right":"lo"}},{"accept":null}]}},
        {"rule":{"family":"inet","table":"desk","chain":"input","expr":[{"match":{"op":"==",
         "left":{"payload":{"protocol":"ip","field":"saddr"}},"right":{"prefix":{"addr":
         "192.168.0.0","len":16}}}},{"match":{"op":"==","left":{"payload":{"protocol":"tcp",
         "field":"dport"}},"right":"@open"}},{"counter":{"packets":0,"bytes":0}},{"accept":null}]}
         },
        {"rule":{"family":"inet","table":"desk","chain":"input","expr":[{"vmap":{"key":{"payload":
         {"protocol":"tcp","field":"dport"}},"data":{"set":[[80,{"accept":null}],[7711,{"jump":{
         "target":"web"}}]]}}}]}},
        {"rule":{"family":"inet","table":"desk","chain":"input","expr":[{"match":{"op":"==",
         "left":{"meta":{"key":"skuid"}},"right":7}},{"match":{"op":"==","left":{"payload":{
         "protocol":"tcp","field":"dport"}},"right":7800}},{"accept":null}]}},
        {"rule":{"family":"inet","table":"desk","chain":"input","expr":[{"match":{"op":"==",
         "left":{"meta":{"key":"pkttype"}},"right":"multicast"}},{"match":{"op":"==","left":{
         "payload":{"protocol":"udp","field":"dport"}},"right":5353}},{"accept":null}]}},
        {"rule":{"family":"inet","table":"desk","chain":"input","expr":[{"limit":{"rate":5,
         "burst":5,"per":"second"}},{"log":{"prefix":"denied: "}}]}},
        {"rule":{"family":"inet","table":"desk","chain":"output","expr":[{"match":{"op":"==",
         "left":{"meta":{"key":"oifname"}},"right":"wlan*"}},{"match":{"op":"==","left":{
         "payload":{"protocol":"udp","field":"dport"}},"right":5353}},{"drop":null}]}},
        {"rule":{"family":"inet","table":"desk","chain":"output","expr":[{"match":{"op":"!=",
         "left":{"payload":{"protocol":"tcp","field":"dport"}},"right":{"set":[80,443,7711]}}},{
         "reject":{"type":"icmpx","expr":"port-unreachable"}}]}}
        ]}
        """#

    /// The same, of zones as firewalld makes them.
    static let zones = #"""
        {"nftables":[
        {"chain":{"family":"inet","table":"firewalld","name":"filter_IN_public_allow"}},
        {"chain":{"family":"inet","table":"firewalld","name":"filter_IN_public"}},
        {"chain":{"family":"inet","table":"firewalld","name":"filter_INPUT_ZONES"}},
        {"chain":{"family":"inet","table":"firewalld","name":"filter_INPUT","type":"filter",
         "hook":"input","prio":10,"policy":"accept"}},
        {"rule":{"family":"inet","table":"firewalld","chain":"filter_IN_public_allow","expr":[{
         "match":{"op":"==","left":{"payload":{"protocol":"tcp","field":"dport"}},"right":22}},{
         "match":{"op":"==","left":{"ct":{"key":"state"}},"right":{"set":["new","untracked"]}}},{
         "accept":null}]}},
        {"rule":{"family":"inet","table":"firewalld","chain":"filter_IN_public_allow","expr":[{
         "match":{"op":"==","left":{"payload":{"protocol":"ip","field":"daddr"}},"right":
         "224.0.0.251"}},{"match":{"op":"==","left":{"payload":{"protocol":"udp","field":"dport"}}
         ,"right":5353}},{"accept":null}]}},
        {"rule":{"family":"inet","table":"firewalld","chain":"filter_IN_public","expr":[{"jump":{
         "target":"filter_IN_public_allow"}}]}},
        {"rule":{"family":"inet","table":"firewalld","chain":"filter_IN_public","expr":[{"match":{
         "op":"==","left":{"meta":{"key":"l4proto"}},"right":{"set":["icmp","ipv6-icmp"]}}},{
         "accept":null}]}},
        {"rule":{"family":"inet","table":"firewalld","chain":"filter_IN_public","expr":[{"reject":
         {"type":"icmpx","expr":"admin-prohibited"}}]}},
        {"rule":{"family":"inet","table":"firewalld","chain":"filter_INPUT_ZONES","expr":[{
         "match":{"op":"==","left":{"meta":{"key":"iifname"}},"right":"wlp2s0"}},{"goto":{
         "target":"filter_IN_public"}}]}},
        {"rule":{"family":"inet","table":"firewalld","chain":"filter_INPUT_ZONES","expr":[{"goto":
         {"target":"filter_IN_public"}}]}},
        {"rule":{"family":"inet","table":"firewalld","chain":"filter_INPUT","expr":[{"match":{
         "op":"==","left":{"ct":{"key":"state"}},"right":{"set":["established","related"]}}},{
         "accept":null}]}},
        {"rule":{"family":"inet","table":"firewalld","chain":"filter_INPUT","expr":[{"match":{
         "op":"in","left":{"ct":{"key":"status"}},"right":"dnat"}},{"accept":null}]}},
        {"rule":{"family":"inet","table":"firewalld","chain":"filter_INPUT","expr":[{"match":{
         "op":"==","left":{"meta":{"key":"iifname"}},"right":"lo"}},{"accept":null}]}},
        {"rule":{"family":"inet","table":"firewalld","chain":"filter_INPUT","expr":[{"match":{
         "op":"in","left":{"ct":{"key":"state"}},"right":"invalid"}},{"drop":null}]}},
        {"rule":{"family":"inet","table":"firewalld","chain":"filter_INPUT","expr":[{"jump":{
         "target":"filter_INPUT_ZONES"}}]}},
        {"rule":{"family":"inet","table":"firewalld","chain":"filter_INPUT","expr":[{"reject":{
         "type":"icmpx","expr":"admin-prohibited"}}]}}
        ]}
        """#

    /// `iptables-save` of chains as ufw makes them, letting SSH and mDNS in.
    static let ladder = """
        # Generated by iptables-save v1.8.9 (nf_tables) on Sat Nov 21 02:31:38 2026
        *nat
        :PREROUTING ACCEPT [0:0]
        -A PREROUTING -p tcp -m tcp --dport 7711 -j DROP
        COMMIT
        *filter
        :INPUT DROP [0:0]
        :FORWARD DROP [0:0]
        :OUTPUT ACCEPT [0:0]
        :ufw-before-input - [0:0]
        :ufw-logging-deny - [0:0]
        :ufw-not-local - [0:0]
        :ufw-user-input - [0:0]
        -A INPUT -j ufw-before-input
        -A INPUT -j ufw-user-input
        -A ufw-before-input -i lo -j ACCEPT
        -A ufw-before-input -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
        -A ufw-before-input -m conntrack --ctstate INVALID -j ufw-logging-deny
        -A ufw-before-input -m conntrack --ctstate INVALID -j DROP
        -A ufw-before-input -p icmp -m icmp --icmp-type 8 -j ACCEPT
        -A ufw-before-input -p udp -m udp --sport 67 --dport 68 -j ACCEPT
        -A ufw-before-input -j ufw-not-local
        -A ufw-before-input -d 224.0.0.251/32 -p udp -m udp --dport 5353 -j ACCEPT
        -A ufw-logging-deny -m limit --limit 3/min --limit-burst 10 -j LOG --log-prefix "[NO -j] "
        -A ufw-not-local -m addrtype --dst-type LOCAL -j RETURN
        -A ufw-not-local -m addrtype --dst-type MULTICAST -j RETURN
        -A ufw-not-local -m addrtype --dst-type BROADCAST -j RETURN
        -A ufw-not-local -m limit --limit 3/min --limit-burst 10 -j ufw-logging-deny
        -A ufw-not-local -j DROP
        -A ufw-user-input -p tcp -m tcp --dport 22 -j ACCEPT
        -A ufw-user-input -s 10.0.0.0/8 -p tcp -m multiport --dports 9000,9100:9200 -j ACCEPT
        -A ufw-user-input ! -s 10.0.0.0/8 -p tcp -m tcp --dport 9300 -j ACCEPT
        -A ufw-user-input -p tcp -m tcp --dport 9400 -m owner --uid-owner 7 -j ACCEPT
        -A ufw-user-input -i wlan+ -p tcp -m tcp --dport 9500 -m comment --comment "a b" -j ACCEPT
        COMMIT
        """
}
