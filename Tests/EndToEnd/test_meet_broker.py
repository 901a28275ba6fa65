# SPDX-License-Identifier: Apache-2.0
"""What operators get in examples/meet: Debian's mosquitto with that configuration and the plugin
gives away no names of groups, keeps nothing else, and forgets what is over."""

import signal

import mqtt
from agent import ROOT
from case import Case
from meet_broker import Broker, box, group
from waiting import until

#: Of the plugin: messages that one connection sends before it is refused.
BURST = 200
COUNT = "$SYS/broker/retained messages/count"
SHARED = "$share/all/"


class MeetBroker(Case):
    def begin(self, **options):
        self.here = self.loopback()
        self.meet = Broker(self.here, **options).start()

    def client(self, *place, **options):
        client = self.meet.client(*place, **options)
        self.addCleanup(client.close)
        return client

    def test_a_subscription_names_its_group(self):
        self.begin()
        ours, inbox = group(), box()
        wide = ["#", "+/#", "sa1/#", "sa1/+/x/e", "sa1/00/+/e", f"{ours}/#", f"{ours}/+",
                f"{ours}/e/#", f"{ours}/c/+/+", f"{ours}/l/+/+/+", f"{ours}/q/+/+", f"{ours}/t/+",
                f"{ours}/c/1/{inbox}/+", f"{SHARED}sa1/00/+/e", f"{SHARED}{ours}/e", "$SYS/#",
                COUNT, "$CONTROL/#", f"{ours.upper()}/e", "sa1/" + "a" * 19000, "lights/kitchen"]
        narrow = [f"{ours}/e", f"{ours}/c/1/+", f"{ours}/l/f/+/+", f"{ours}/c/1/{inbox}",
                  f"{ours}/l/1/{inbox}/+", f"{ours}/q/{inbox}/+", f"{ours}/t/{inbox}"]
        for port in (self.meet.port, self.meet.second_port):
            ada = self.client(port)
            self.assertEqual({text: ada.subscribe(text) for text in wide},
                             dict.fromkeys(wide, mqtt.NOT_AUTHORIZED))
            self.assertEqual(ada.subscribe(*narrow), [1] * len(narrow))
            # Nobody hears of a message whose group they did not name.
            bo = self.client(port)
            self.assertEqual(bo.publish(f"{group()}/e", b"elsewhere"), mqtt.NOBODY_LISTENS)
            self.assertEqual(bo.publish(f"{ours}/e", b"here"), 0)
            self.assertEqual([m.payload for m in ada.collect(1)], [b"here"])
        # The operator may ask for everything.
        with self.meet.operator() as operator:
            self.assertEqual(operator.subscribe("sa1/#", "$SYS/#"), [1, 1])

    def test_only_what_agents_write_is_kept(self):
        self.begin()
        ours, bo = group(), box()
        ada = self.client()
        most = b"x" * 16384
        kept = [f"{ours}/c/0/{bo}", f"{ours}/l/0/{bo}/3", f"{ours}/q/{bo}/{bo}"]
        for topic in kept:
            self.assertEqual(ada.publish(topic, most, kept=True, expiry=600), 0x10, topic)
        refused = [(f"{ours}/c/0/{bo}", most + b"x", True), (f"{ours}/e", b"x", True),
                   (f"{ours}/t/{bo}", b"x", True), (f"{ours}/l/0/{bo}/4", b"x", True),
                   (f"{ours}/c/g/{bo}", b"x", True), (f"{ours}/c/0/{bo}x", b"x", True),
                   (f"{ours}/x/{bo}", b"x", True), (f"{ours}/c", b"x", True),
                   ("sa1/0/x/e", b"x", False), ("lights/kitchen", b"on", True),
                   ("$SYS/broker/uptime", b"1", True), ("$CONTROL/dynamic-security/v1", b"{}", 0),
                   ("sa1/" + "a" * 19000, b"x", False)]
        for topic, payload, is_kept in refused:
            self.assertEqual(ada.publish(topic, payload, kept=is_kept, expiry=600),
                             mqtt.NOT_AUTHORIZED, topic[:80])
        # MQTT 3 cannot say when a message ends; a will is a message like others.
        old = self.client(version=4)
        old.publish(f"{ours}/c/1/{bo}", b"without an end", kept=True)
        self.assertEqual(old.subscribe(f"{ours}/e"), 0x80)
        rude = self.client(will=("lights/kitchen", b"off", True))
        rude.close(politely=False)
        dying = self.client(will=(f"{ours}/e", b"gone", False))
        ada.subscribe(f"{ours}/e")
        dying.close(politely=False)
        self.assertEqual([m.payload for m in ada.collect(1)], [b"gone"])
        with self.meet.operator() as operator:
            operator.subscribe("#")
            operator.ping()
            found = operator.collect(3)
        self.assertEqual(sorted(m.topic for m in found), sorted(kept))
        self.assertTrue(all(590 < m.expiry <= 600 for m in found), found)

    def test_a_flood_is_refused_and_a_neighbour_is_heard(self):
        self.begin()
        ours = group()
        flood, ada, bo = self.client(), self.client(), self.client()
        ada.subscribe(f"{ours}/e")
        sent = [flood.publish(f"{ours}/e", b"flood", waits=False) for _ in range(3 * BURST)]
        self.assertEqual(bo.publish(f"{ours}/e", b"bo"), 0)
        refused = [flood.published(number) for number in sent].count(mqtt.NOT_AUTHORIZED)
        heard = ada.collect(3 * BURST - refused + 1)
        self.assertIn(b"bo", [m.payload for m in heard])
        # What 20 a second let in beside the first ones is little, even on a slow machine.
        self.assertGreaterEqual(refused, BURST)
        self.assertLessEqual(refused, 2 * BURST)
        # Subscriptions are counted by themselves, and in a packet too.
        taken = flood.subscribe(*[f"{group()}/e" for _ in range(2 * BURST)])
        self.assertGreaterEqual(taken.count(1), BURST)
        self.assertGreaterEqual(taken.count(mqtt.NOT_AUTHORIZED), BURST // 2)
        until("it may publish again", lambda: flood.publish(f"{ours}/e", b"late") == 0)

    def test_the_sweep_drops_what_is_over(self):
        self.begin()
        ours, stays = group(), box()
        ada = self.client()
        for index in range(160):
            ada.publish(f"{ours}/c/{index % 16:x}/{box()}", b"x" * 512, kept=True, expiry=1)
        ada.publish(f"{ours}/c/0/{stays}", b"x" * 512, kept=True, expiry=600)
        watcher = self.meet.operator()
        self.addCleanup(watcher.close)
        watcher.subscribe(COUNT)
        counts = [0]

        def count():
            """Some 50 counts of $SYS among them."""
            counts.extend(int(m.payload) for m in watcher.collect(1, 0.05))
            return counts[-1]
        until("all are counted", lambda: count() > 160)
        # Their time ends within two seconds, and the broker goes on keeping them. Looking at ten of
        # them drops these.
        until("a message is over", lambda: not ada.collect_kept(f"{ours}/c/f/+"))
        self.assertGreater(count(), 140)

        def swept():
            self.here.run(["sh", f"{ROOT}/examples/meet/sweep.sh", self.meet.socket])
            return count() < 100
        until("the others are gone", swept)
        self.assertEqual(
            [m.topic for m in ada.collect_kept(f"{ours}/c/0/+")], [f"{ours}/c/0/{stays}"])

    def test_the_long_sweep_clears_what_never_ends(self):
        self.begin()
        ours = group("00")
        ada = self.client()
        stays = {}
        for expiry in (None, 600, 345600, 400000):
            topic = f"{ours}/c/0/{box()}"
            stays[topic] = expiry in (600, 345600)
            ada.publish(topic, b"x" * 512, kept=True, expiry=expiry)
        # A second for each of 256 shards is too long for a test.
        with open(f"{ROOT}/examples/meet/sweep.sh") as file:
            sweep = file.read().replace("digits='0 1 2 3 4 5 6 7 8 9 a b c d e f'", "digits=0")
        done = self.here.run(["sh", "-c", sweep, "sweep.sh", "--endless", self.meet.socket])
        self.assertEqual(done.stdout + done.stderr, "")
        self.assertEqual({m.topic for m in ada.collect_kept(f"{ours}/c/0/+")},
                         {topic for topic, is_kept in stays.items() if is_kept})

    def test_a_full_broker_keeps_nothing_more_and_goes_on(self):
        self.begin(flags="-DKEEP=4000000")
        ours, refused = group(), []
        ada = self.client()
        ada.subscribe(f"{ours}/e")

        def fills():
            with self.meet.client() as flood:
                sent = [flood.publish(f"{ours}/c/0/{box()}", bytes(16384), kept=True, expiry=1,
                                      waits=False) for _ in range(BURST // 2)]
                refused.extend(n for n in sent if flood.published(n) == mqtt.NOT_AUTHORIZED)
            return refused
        until("it refuses", fills)
        with self.meet.client() as bo:
            self.assertEqual(bo.publish(f"{ours}/e", b"live"), 0)
            self.assertEqual(bo.publish(f"{ours}/c/0/{box()}", b"", kept=True), 0x10)
            self.assertEqual([m.payload for m in ada.collect(1)], [b"live"])

            def keeps():
                self.here.run(["sh", f"{ROOT}/examples/meet/sweep.sh", self.meet.socket])
                return bo.publish(f"{ours}/c/0/{box()}", b"x", kept=True, expiry=600) == 0x10
            until("there is room again", keeps)

    def test_it_serves_again_after_a_crash_and_a_reload(self):
        self.begin()
        ours, bo = group(), box()
        ada = self.client()
        ada.publish(f"{ours}/c/0/{bo}", b"kept", kept=True, expiry=600)
        self.meet.stop()
        self.meet.start()
        again = self.client()
        again.subscribe(f"{ours}/c/0/+")
        self.assertEqual([m.payload for m in again.collect(1)], [b"kept"])
        self.meet.kill()
        self.meet.start()
        last = self.client()
        # A crash forgets at most what came since the last save, here nothing.
        last.subscribe(f"{ours}/c/0/+")
        self.assertEqual([m.payload for m in last.collect(1)], [b"kept"])
        self.meet.process.send_signal(signal.SIGHUP)
        with self.meet.operator() as operator:
            operator.ping()
        self.assertEqual(self.client().subscribe("#"), mqtt.NOT_AUTHORIZED)
        self.assertEqual(last.subscribe("#"), mqtt.NOT_AUTHORIZED)

    def test_its_log_names_nobody(self):
        self.begin()
        ours, me = group(), box()
        ada = self.client(client="ada-of-14C")
        ada.subscribe(f"{ours}/e", "sa1/#")
        ada.publish(f"{ours}/c/0/{me}", b"x" * 512, kept=True, expiry=600)
        ada.publish("lights/kitchen", b"x")
        for raw in (mqtt.packet(mqtt.PUBLISH, mqtt.string(f"{ours}/+") + b"\0", 1),
                    mqtt.packet(mqtt.SUBSCRIBE, b"\0\1\0" + mqtt.string("") + b"\1", 2),
                    mqtt.packet(mqtt.SUBSCRIBE, b"\0\1\0" + mqtt.string(f"{ours}/#x") + b"\1", 2),
                    mqtt.packet(mqtt.PUBLISH, mqtt.string(f"{ours}/e") + b"\0" + bytes(20001)),
                    mqtt.packet(mqtt.PUBLISH, b"\xff\xff"), bytes(64), b"\xf0" + bytes(999)):
            rude = self.client(client="rude-of-15C")
            rude.send(raw)
            rude.closed()
        self.client(client="ada-of-14C")  # takes the session over
        ada.closed()
        log = self.here.text(self.meet.log)
        words = ["127.0.0.1", "ada-of", "rude-of", ours.split("/")[2], me, "lights", "sa1/"]
        self.assertEqual([word for word in words if word in log], [], log)
        self.assertEqual(self.client().reason, 0)

    def test_a_closed_circle_asks_for_a_name(self):
        self.begin(users={"ada": "window seat"}, plain=True)
        for login in ({}, {"user": "ada", "password": "aisle"},
                      {"user": "bo", "password": "window seat"}):
            self.assertEqual(self.client(**login).reason, mqtt.NOT_AUTHORIZED, login)
        ada = self.client(user="ada", password="window seat")
        self.assertEqual(ada.reason, 0)
        self.assertEqual(ada.subscribe(f"{group()}/e", "#"), [1, mqtt.NOT_AUTHORIZED])
        with self.meet.plain() as other:
            self.assertEqual(other.subscribe(f"{group()}/e", "#"), [1, mqtt.NOT_AUTHORIZED])
