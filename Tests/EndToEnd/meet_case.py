# SPDX-License-Identifier: Apache-2.0
"""Hosts at home, and the broker at which their agents meet."""

from agent import Agent
from case import Case
from meet_broker import Broker
from test_relay import apart


class MeetCase(Case):
    """Hosts that reach a broker, but not each other."""

    def begin(self, *names):
        """A host for each name, and a broker on one more."""
        self.cabin_ = self.cabin(*names, "meet", switch=True, avahi=False)
        apart(self.cabin_, *names)
        host = self.cabin_["meet"]
        self.meet = Broker(host, at=host.address, names=[f"IP:{host.address}"]).start()

    def passenger(self, name, seat, *options, peers=()):
        """An agent that meets there, not started yet."""
        url = f"mqtts://{self.meet.at}:{self.meet.port}"
        agent = Agent(self.cabin_[name], name, seat, peers=peers,
                      options=["--no-mdns", "--meet", url, *options])
        agent.command("config", "set", "rendezvous.ca", self.meet.authority, check=0)
        return agent

    def meeting(self, agent):
        return agent.call("status")["meeting"]

    def is_stored(self, agent, entries):
        """Whether the broker said that it has so many records of this agent."""
        there = self.meeting(agent)
        return there["entries"] >= entries and all(home["stored"] for home in there["homes"])
