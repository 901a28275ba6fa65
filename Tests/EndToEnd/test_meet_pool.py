# SPDX-License-Identifier: Apache-2.0
"""Pools of brokers, homes that change, and damage (docs/meet.md sections 3 and 5), with real
brokers and a DNS server."""

import os
import shutil
import ssl
import time
from concurrent.futures import ThreadPoolExecutor

import mqtt
import second_meet
from agent import Agent
from case import Case, for_soak
from meet_broker import Broker, network_of
from meet_case import MeetCase
from meet_dns import Records
from stranger import flight_auth
from test_relay import apart
from waiting import until

DOMAIN = "meet.test"


class Pool(Case):
    """Passengers at home, each with a DNS server that names brokers."""

    def begin(self, *names, brokers=3):
        self.cabin_ = self.cabin(*names, "meet", switch=True, avahi=False)
        apart(self.cabin_, *names)
        host = self.cabin_["meet"]
        made = [Broker(host, name=f"m{number}", at=host.address, names=[f"DNS:{DOMAIN}"])
                for number in range(brokers)]
        with ThreadPoolExecutor(brokers) as pool:
            list(pool.map(Broker.start, made))
        self.brokers = {(f"{broker.name}.{DOMAIN}", broker.port): broker for broker in made}
        self.authorities = f"{host.folder}/authorities.pem"
        with open(self.authorities, "w") as file:
            for broker in made:
                with open(broker.authority) as own:
                    file.write(own.read())
        self.records = {}
        for name in names:
            self.records[name] = Records(
                self.cabin_[name], DOMAIN, list(self.brokers), host.address)
            self.addCleanup(self.records[name].close)

    def passenger(self, name, seat):
        agent = Agent(self.cabin_[name], name, seat,
                      options=["--no-mdns", "--meet", f"mqtts://{DOMAIN}"])
        agent.command("config", "set", "rendezvous.ca", self.authorities, check=0)
        return agent

    def met(self):
        ada, bo = self.passenger("ada", "14C"), self.passenger("bo", "15B")
        for agent in (ada, bo):
            agent.board(wait=False)
        for agent in (ada, bo):
            until(f"the agent of {agent.name} answers", agent.answers, 20)
        until("they see each other",
              lambda: ada.held() == bo.held() == {"14C": "ada", "15B": "bo"}, 30)
        return ada, bo

    def homes(self, brokers=None):
        """The two homes of the flight among these, the first one first, as the second reader has
        them."""
        pool = second_meet.Flight(flight_auth()).pool
        return second_meet.homes(pool, brokers or list(self.brokers))

    def told(self, agent):
        return [(home["broker"], home["port"])
                for home in agent.call("status")["meeting"]["homes"]]

    def stored(self, agent, where):
        homes = agent.call("status")["meeting"]["homes"]
        return any((home["broker"], home["port"]) == where and home["stored"] for home in homes)

    def full(self, *agents):
        """The topics at both homes, once both have all of these agents."""
        first, second = self.homes()
        for agent in agents:
            until("both homes have all", lambda agent=agent: self.stored(agent, first)
                  and self.stored(agent, second), 30)
        full = self.brokers[first].topics()
        self.assertEqual(len(full), 2 * len(agents))
        self.assertEqual(self.brokers[second].topics(), full)
        return full

    def test_records_name_the_brokers_and_two_of_them_are_homes(self):
        self.begin("ada", "bo")
        ada, bo = self.met()
        homes = self.homes()
        self.assertEqual(self.told(ada), homes)
        self.full(ada, bo)
        third, = set(self.brokers) - set(homes)
        self.assertEqual(self.brokers[third].topics(), set())

    @for_soak
    def test_a_home_that_is_killed_and_comes_back_empty_is_full_again(self):
        self.begin("ada", "bo")
        full = self.full(*self.met())
        first, _ = self.homes()
        self.brokers[first].kill()
        self.brokers[first].forget()
        began = time.monotonic()
        self.brokers[first].start()
        until("it is full again", lambda: self.brokers[first].topics() == full, 60)
        self.note = f"full after {time.monotonic() - began:.1f} s"

    @for_soak
    def test_whoever_sees_another_pool_first_is_still_heard_at_the_old_homes(self):
        self.begin("ada", "bo")
        first, second = self.homes()
        new = next(one for one in self.brokers if one not in (first, second))
        ada, bo = self.met()
        # Only ada's DNS says so yet; a home that fails makes both look.
        self.records["ada"].brokers = [new]
        self.brokers[first].kill()
        until("ada has moved", lambda: self.told(ada) == [new], 90)
        ada.call("say", "from the new home")
        until("bo hears it at the old one", lambda: "from the new home" in bo.said(), 150)
        self.assertEqual(self.told(bo), [first, second])
        bo.call("say", "from the old home")
        until("bo's words lie there", lambda: self.stored(bo, second), 60)
        ada.call("say", "anything else?")
        until("ada reads them on their next visit", lambda: "from the old home" in ada.said(), 150)
        self.records["bo"].brokers = [new]
        until("bo has moved", lambda: self.told(bo) == [new], 150)


class Damage(MeetCase):
    """What a passenger can do to others' boxes, and to their own."""

    def member(self):
        """A passenger who says what they like."""
        context = ssl.create_default_context(cafile=self.meet.authority)
        context.set_alpn_protocols(["mqtt"])
        with network_of(self.meet.host):
            client = mqtt.Client((self.meet.at, self.meet.port), tls=context, name=self.meet.at)
        self.addCleanup(client.close)
        return client

    def kept(self):
        """What the broker keeps: payload by topic."""
        with self.meet.operator() as operator:
            return {one.topic: one.payload for one in operator.collect_kept("sa1/#")}

    def names(self):
        flight = second_meet.Flight(flight_auth())
        return flight.names(second_meet.epoch_at(int(time.time())))

    def opened(self, topic, kept):
        return second_meet.plain(second_meet.unseal(self.names(), topic, kept[topic]))

    def author(self, topic, kept):
        kind, members = self.opened(topic, kept)
        return second_meet.Card(members[0]).author if kind == 1 else members[0]

    def entries(self, topic):
        """How many entries stand in a part; 0 where there is none that opens."""
        kept = self.kept()
        try:
            return len(self.opened(topic, kept)[1][2])
        except (KeyError, ValueError):
            return 0

    @for_soak
    def test_a_box_that_a_member_overwrites_is_whole_again(self):
        self.begin("ada", "bo", "cy")
        ada = self.passenger("ada", "14C").board()
        until("ada's box is there", lambda: self.is_stored(ada, 2), 30)
        card, part = sorted(self.kept())
        self.assertTrue("/c/" in card and "/l/" in part)
        older = self.kept()[part]
        bo = self.passenger("bo", "15B").board()
        until("they meet", lambda: ada.held() == bo.held() and len(bo.held()) == 2, 30)
        ada.call("say", "the last word")
        until("ada's box has it", lambda: self.entries(part) == 3, 30)
        until("bo has it", lambda: "the last word" in bo.said(), 10)
        others = self.kept()
        other = next(topic for topic in others if "/c/" in topic and topic != card)
        names = self.names()
        # Bo's own card, good in itself, sealed for ada's box.
        moved = second_meet.seal(
            names, card, os.urandom(24), second_meet.unseal(names, other, others[other]))
        member = self.member()
        for topic, payload in ((part, b""), (part, os.urandom(512)), (card, moved), (part, older)):
            member.publish(topic, payload, kept=True, expiry=3600)
            until("it stands there", lambda payload=payload, topic=topic:
                  self.kept().get(topic, b"") == payload, 10)
            self.assertEqual(bo.held(), {"14C": "ada", "15B": "bo"})
            self.assertIn("the last word", bo.said())
            until("ada's box is whole again", lambda: self.entries(part) == 3
                  and self.author(card, self.kept()) == self.author(part, self.kept()), 90)
        cy = self.passenger("cy", "16A").board()
        until("somebody new reads it all", lambda: "the last word" in cy.said()
              and cy.held().get("14C") == "ada", 30)

    def copied(self, agent, *way):
        """Copies what the agent keeps on its disk, one way or back."""
        for folder in "cds":
            whole, copy = f"{agent.host.folder}/{folder}", f"{agent.host.folder}/copy-{folder}"
            whole, copy = (whole, copy) if not way else (copy, whole)
            if os.path.exists(whole):
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(whole, copy, symlinks=True)

    @for_soak
    def test_an_old_copy_of_the_disk_is_found_by_its_own_box(self):
        self.begin("ada")
        ada = self.passenger("ada", "14C").board()
        until("ada's box is there", lambda: self.is_stored(ada, 2), 30)
        part = next(topic for topic in self.kept() if "/l/" in topic)
        ada.kill()
        self.copied(ada)
        ada.board().call("say", "after the copy")
        until("the box has it", lambda: self.entries(part) == 3, 30)
        before = self.opened(part, self.kept())[1][2]
        ada.kill()
        self.copied(ada, "back")
        ada.board()
        # The only one who knows what was written after the copy is the broker.
        until("it comes back from the own box", lambda: "after the copy" in ada.said(), 30)
        ada.call("say", "and on")
        until("the log goes on behind it", lambda: self.entries(part) == 4, 30)
        after = self.opened(part, self.kept())[1][2]
        self.assertEqual(after[:len(before)], before)
