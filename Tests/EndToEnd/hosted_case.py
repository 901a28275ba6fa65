# SPDX-License-Identifier: Apache-2.0
"""A laptop that takes guests in, and phones on its network."""

from agent import Agent
from case import Case
from page_client import inside


class HostedCase(Case):
    """Ada hosts; a phone is on a network with her laptop."""

    def setUp(self):
        super().setUp()
        self.cabin_ = self.cabin("ada", "phones")
        self.ada = Agent(self.cabin_["ada"], "ada", "14C").board()
        self.addCleanup(lambda: self.ada.command("host", "off", check=None))

    def inside(self, work):
        return inside(self.cabin_["phones"], work)
