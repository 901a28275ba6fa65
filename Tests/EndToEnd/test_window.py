"""The selection window: 48 hours before departure unless the flight says otherwise, to arrival."""

from datetime import datetime, timedelta, timezone

from agent import Agent
from case import Case

HOUR = timedelta(hours=1)


class Window(Case):
    def aboard(self, departs_in, *options):
        here = self.loopback()
        departs = datetime.now(timezone.utc) + departs_in
        flight = ["--flight", f"XY123/{departs:%Y-%m-%d}/DUB",
                  "--departs", f"{departs:%Y-%m-%dT%H:%M:%SZ}", *options]
        bo = Agent(here, "bo", "12A", options=flight).board()
        ada = Agent(here, "ada", "14C", peers=[bo], options=flight).board()
        ada.wait_for(bo)
        return ada, bo

    def test_before_it_opens_there_is_a_countdown_and_no_swap(self):
        ada, _ = self.aboard(50 * HOUR - timedelta(seconds=30))
        self.assertIn("open in 1 h 59 min", ada.command("status", check=0).stdout)
        refused = ada.command("swap", "12A", check=1)
        self.assertEqual(ada.call("swap", "12A", expect=1)["code"], "window-early")
        self.assertRegex(refused.stderr, r"open[s]? in 1 h 59 min")
        window = ada.call("status")["window"]
        self.assertEqual(window["state"], "early")
        self.assertTrue(0 < window["seconds"] <= 7200, window)

    def test_the_flight_may_open_it_earlier(self):
        ada, bo = self.aboard(50 * HOUR, "--opens-before", "72h")
        self.assertEqual(ada.call("status")["window"]["state"], "open")
        ada.swap("12A")
        bo.incoming()

    def test_after_arrival_it_is_closed(self):
        ada, _ = self.aboard(-21 * HOUR)
        refused = ada.command("swap", "12A", check=1)
        self.assertEqual(ada.call("swap", "12A", expect=1)["code"], "window-closed")
        self.assertIn("closed", refused.stderr)
        self.assertEqual(ada.call("status")["window"]["state"], "closed")
