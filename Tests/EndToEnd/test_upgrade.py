# SPDX-License-Identifier: Apache-2.0
"""From 0.2.0 to this version: nothing is lost, and both versions trade with each other."""

import datetime
import glob
import json
import os
import subprocess
import tempfile
import unittest

from agent import Agent, finish
from case import Case, for_soak
from waiting import until

#: Where scripts/earlier put 0.2.0: its tarball, and itself below usr.
EARLIER = os.environ.get("SEATAGENT_EARLIER")
#: The tarball of this version, as `make dist` makes it.
LATER = os.environ.get("SEATAGENT_LATER")

SOON = (datetime.date.today() + datetime.timedelta(days=30)).isoformat()
PEOPLE = {"ada": "14C", "bo": "12A", "cy": "20C"}


def install(tarball, prefix):
    """As a passenger does: unpack, and type what the guide says; the version that is there then."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(["tar", "-xzf", tarball, "--strip-components=1", "-C", place], check=True)
        subprocess.run(["sh", "install.sh", f"PREFIX={prefix}"], cwd=place, check=True,
                       stdout=subprocess.DEVNULL)
    said = subprocess.run([f"{prefix}/bin/seatagent", "--version"], capture_output=True, text=True,
                          check=True).stdout
    return said.split()[1]


def facts(agent):
    """All that somebody has aboard and at home, as both versions say it."""
    me = agent.call("status")["me"]
    party, wish = agent.call("party"), agent.call("wish")
    others = [agent.call("who", name) for name in PEOPLE if name != agent.name]
    return {
        "me": [me[key] for key in ("key", "name", "seats", "tag")],
        "seats": agent.held(),
        "said": agent.said(),
        "requests": [[one.get(key) for key in ("number", "contract", "state", "direction", "note",
                                           "expires", "needs_answer")]
                     for one in agent.call("requests", "--all")["requests"]],
        "others": [[one.get(key) for key in ("key", "name", "seats", "verified", "blocked",
                                             "evidence")] for one in others],
        "party": [party["code"], party["trust"],
                  [[one["who"]["key"], one["who"]["name"]] for one in party["companions"]]],
        "needs": agent.call("needs")["people"],
        "wish": [wish[key] for key in ("choices", "note", "private", "seats", "told")],
        "flights": [[one["flight"], one["listed"], one["trip"]]
                    for one in agent.call("flights")["flights"]],
        "config": agent.call("config", "get", "notify.bell"),
    }


@unittest.skipUnless(EARLIER and LATER, "SEATAGENT_EARLIER and SEATAGENT_LATER name no programs")
class Upgrade(Case):
    slow = 60

    def setUp(self):
        super().setUp()
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.prefix = f"{place.name}/usr"
        [tarball] = glob.glob(f"{EARLIER}/seatagent-*.tar.gz")
        self.assertEqual(install(tarball, self.prefix), "0.2.0")

    def aboard(self, cabin, **binaries):
        """Those of `PEOPLE` whose program is named, each on a host, once all are linked."""
        agents = []
        for name, binary in binaries.items():
            agent = Agent(cabin[name], name, PEOPLE[name])
            agent.binary = binary
            agents.append(agent.board())
        for agent in agents:
            agent.wait_for(*(other for other in agents if other is not agent))
        return agents

    def verify(self, one, other):
        """They compare codes and find them right."""
        first = one.begin("verify", other.seats_of_mine()[0])
        until(f"{other.name} is asked", lambda: other.call("status")["verification"]["state"]
              == "asked", 10)
        other.call("verify", one.seats_of_mine()[0])
        finish(first)
        waits = one.begin("verify", "--match")
        until("one has found it right",
              lambda: one.call("status")["verification"]["state"] == "matched", 10)
        other.call("verify", "--match")
        self.assertEqual(finish(waits)[0], 0)

    def make_party(self, one, other):
        other.call("party", "join", one.call("party", "new")["code"])
        for asks, asked in ((one, other), (other, one)):
            until("a companion may be", lambda asks=asks: asks.call("party")["candidates"], 10)
            asks.call("party", "yes", asked.name)
        for agent in (one, other):
            until("they are companions", lambda agent=agent: any(
                who["here"] for who in agent.call("party")["companions"]), 10)

    def trade(self, one, other, note):
        """One asks for a seat of the other, who says yes; both know it in the end."""
        mine, theirs = one.seats_of_mine()[0], other.seats_of_mine()[0]
        one.swap(theirs, "--note", note)
        other.call("accept", other.incoming(), "--yes")
        for agent, seat in ((one, theirs), (other, mine)):
            until(f"{agent.name} has {seat}",
                  lambda agent=agent, seat=seat: agent.seats_of_mine() == [seat], 20)

    def live(self, ada, bo, cy):
        """A day of 0.2.0, until ada has asked cy for a seat."""
        ada.call("say", "hello both")
        self.trade(ada, bo, "aisle for window")
        self.verify(ada, bo)
        self.make_party(ada, bo)
        ada.call("party", "say", "galley in five")
        bo.call("msg", "ada", "only for you")
        bo.call("block", "cy")
        bo.call("needs", "14C", "child")
        bo.call("wish", "window, aisle")
        bo.call("flight", "add", "FR202", SOON, "DUB", "STN")
        ada.call("config", "set", "notify.bell", "off")
        ada.swap("20C", "--note", "would you?")
        cy.incoming()
        until("all has arrived", lambda: {"hello both", "galley in five"} <= set(bo.said())
              and "only for you" in ada.said() and "hello both" in cy.said(), 20)

    def replaced(self, *agents):
        """The new programs take the place of the old ones, and start with the same folders."""
        version = install(LATER, self.prefix)
        for agent in agents:
            agent.board()
            self.assertEqual(agent.call("status")["agent"], version)
        # The others are not linked: one blocked the other.
        for agent in agents[1:]:
            agent.wait_for(agents[0])

    def upgrade(self, end):
        cabin = self.cabin(*PEOPLE)
        people = self.aboard(cabin, **dict.fromkeys(PEOPLE, f"{self.prefix}/bin/seatagent"))
        ada, bo, cy = people
        self.live(*people)
        before = [facts(agent) for agent in people]
        receipt = bo.command("receipt", "--full", check=0).stdout
        for agent in people:
            end(agent)
        self.replaced(*people)
        for agent, was in zip(people, before):
            self.assertEqual(json.loads(json.dumps(facts(agent))), was, agent.name)
        self.assertEqual(bo.command("receipt", "--full", check=0).stdout, receipt)
        # The request of before is answered now.
        cy.call("accept", cy.incoming(), "--yes")
        until("ada sits in 20C", lambda: ada.seats_of_mine() == ["20C"], 20)
        until("cy sits in 12A", lambda: cy.seats_of_mine() == ["12A"], 20)
        self.assertEqual(until("bo knows it", lambda: bo.held() == ada.held() and bo.held(), 20),
                         {"20C": "ada", "14C": "bo", "12A": "cy"})
        bo.call("party", "say", "after the update")
        until("ada reads it", lambda: "after the update" in ada.said(), 20)

    @for_soak
    def test_nothing_is_lost_by_an_upgrade(self):
        self.upgrade(Agent.leave)

    @for_soak
    def test_nothing_is_lost_where_the_agents_were_killed(self):
        self.upgrade(Agent.kill)

    @for_soak
    def test_an_agent_that_still_runs_is_asked_and_restarted_by_the_new_command(self):
        ada = Agent(self.loopback(), "ada", "14C")
        ada.binary = f"{self.prefix}/bin/seatagent"
        ada.command("up", "--seat", "14C", "--name", "ada", *ada.options, check=0)
        self.addCleanup(ada.command, "down")
        key = ada.call("status")["me"]["key"]
        version = install(LATER, self.prefix)
        self.assertEqual((ada.call("status")["me"]["key"], ada.call("status")["agent"]),
                         (key, "0.2.0"))
        self.assertEqual(ada.held(), {"14C": "ada"})
        # What the changelog tells people to type.
        ada.command("restart", check=0)
        now = ada.call("status")
        self.assertEqual((now["agent"], now["me"]["key"], now["me"]["seats"]),
                         (version, key, ["14C"]))

    @for_soak
    def test_both_versions_trade_on_one_network(self):
        later = f"{self.prefix}-later"
        version = install(LATER, later)
        cabin = self.cabin("ada", "bo")
        ada, bo = self.aboard(cabin, ada=f"{self.prefix}/bin/seatagent",
                              bo=f"{later}/bin/seatagent")
        ada.call("say", "from the old one")
        bo.call("say", "from the new one")
        bo.call("msg", "ada", "only for you")
        self.trade(ada, bo, "the old one asks")
        self.trade(bo, ada, "the new one asks")
        self.verify(ada, bo)
        self.make_party(bo, ada)
        for one, other in ((ada, bo), (bo, ada)):
            text = f"{one.name} says so to the party"
            one.call("party", "say", text)
            until("it arrives", lambda other=other, text=text: text in other.said(), 20)
        receipts = {one.command("receipt", "--full", 1, check=0).stdout for one in (ada, bo)}
        self.assertEqual(len(receipts), 1)
        # The earlier one is told of the later one, and not the other way round.
        self.assertEqual([one.call("status")["newer"] for one in (ada, bo)], [version, None])
        # What only the later one knows is no misdeed to the other.
        bo.command("play", "ada", "--new", check=0)
        until("a game is a message there", lambda: any(
            text.startswith("four in a row 1") for text in ada.said()), 20)
        for one, other in ((ada, "bo"), (bo, "ada")):
            who = one.call("who", other)
            self.assertEqual((who["linked"], who["misdeed"]), (True, None))
        self.assertEqual(ada.seats(), bo.seats())
