# SPDX-License-Identifier: Apache-2.0
"""The config file as people change it: commands, an editor, what a wrong line does."""

import os
import stat

from agent import BINARY, Agent
from case import Case

#: An editor: a shell that gets the draft as $1 and changes it.
EDITOR = "sh -c '{}' editor"


class Config(Case):
    def setUp(self):
        super().setUp()
        self.here = self.loopback()
        self.path = f"{self.here.env['XDG_CONFIG_HOME']}/seatagent/config"
        self.draft = self.path + ".draft"

    def config(self, *argv, check=0, **env):
        done = self.here.run([BINARY, "config", *argv], check=False, env=env)
        self.assertEqual(done.returncode, check, done.stdout + done.stderr)
        return done

    def write(self, text):
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(self.path, "w") as file:
            file.write(text)

    def text(self, path=None):
        with open(path or self.path) as file:
            return file.read()

    def test_set_keeps_the_file_and_get_says_what_holds(self):
        self.write("# mine\nmouse = off  \n")
        self.config("set", "name", "ada l.")
        self.config("set", "name", "bo", "--profile", "bo")
        self.assertEqual(
            self.text(), "# mine\nmouse = off  \nname = ada l.\n\n[profile bo]\nname = bo\n")
        self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode), 0o600)
        self.assertEqual(self.config("get", "name").stdout, "ada l.\n")
        self.assertEqual(self.config("get", "name", SEATAGENT_PROFILE="bo").stdout, "bo\n")
        self.assertEqual(self.config("get", "name", SEATAGENT_NAME="cy").stdout, "cy\n")
        said = self.config("set", "mouse", "on", SEATAGENT_MOUSE="off")
        self.assertIn("But SEATAGENT_MOUSE says off, and wins.", said.stderr)
        self.config("unset", "name")
        self.assertEqual(self.config("get", "name").stdout, "\n")
        self.assertRegex(self.config().stdout, r"(?m)^mouse +on +line 2$")
        self.assertEqual(self.config("path").stdout, self.path + "\n")

    def test_a_link_to_a_file_elsewhere_stays_one(self):
        self.write("")
        os.rename(self.path, self.here.env["HOME"] + ".dotfile")
        os.symlink(self.here.env["HOME"] + ".dotfile", self.path)
        self.config("set", "mouse", "off")
        self.assertTrue(os.path.islink(self.path))
        self.assertEqual(self.text(), "mouse = off\n")

    def test_a_wrong_line_is_named_and_nothing_is_guessed(self):
        self.write("\nmouse = maybe\n")
        failed = self.here.run([BINARY, "up", "--seat", "14C"], check=False)
        self.assertEqual(failed.returncode, 1)
        self.assertEqual(failed.stderr, (
            "seatagent: the config file is wrong on line 2\n"
            f"  why: {self.path}:2: mouse is on or off, not \"maybe\"\n"
            "  try: seatagent config edit\n"))
        view = self.here.run([BINARY], check=False)
        self.assertEqual((view.returncode, view.stderr), (1, failed.stderr))
        self.config(check=1)
        self.config("set", "mouse", "on", check=1)
        self.config("path")
        self.assertEqual(self.here.run([BINARY, "help"]).stderr, "")
        # An answer to a request must not wait for a file to be mended: it is said, and goes on.
        going = self.here.run([BINARY, "requests"], check=False)
        self.assertEqual(going.returncode, 3)
        self.assertTrue(going.stderr.startswith(failed.stderr), going.stderr)
        self.assertIn("standard settings", going.stderr)
        # Leaving must always be possible: 3, no agent, is not the file's fault.
        self.assertEqual(self.here.run([BINARY, "down"], check=False).returncode, 3)
        wrong = self.config("set", "mose", "on", check=2)
        self.assertIn("\"mose\" is not a setting; mouse is", wrong.stderr)
        self.assertIn("try: seatagent config set mouse off", self.fixed_set())

    def fixed_set(self):
        self.write("")
        return self.config("set", "mouse", "perhaps", check=2).stderr

    def test_edit_saves_what_is_right(self):
        done = self.config("edit", EDITOR=EDITOR.format('echo "mouse = off" >>"$1"'))
        self.assertEqual(done.stdout, f"Saved {self.path}.\n")
        self.assertTrue(self.text().endswith("#name = bo\nmouse = off\n"))
        self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode), 0o600)
        self.assertFalse(os.path.exists(self.draft))
        same = self.config("edit", VISUAL="true", EDITOR="false")
        self.assertEqual(same.stdout, "Nothing was changed.\n")
        self.assertFalse(os.path.exists(self.draft))

    def test_edit_keeps_a_wrong_text_and_goes_on_with_it(self):
        self.write("mouse = on\n")
        wrong = self.config("edit", EDITOR=EDITOR.format('echo "mose = off" >"$1"'), check=1)
        self.assertIn("not saved: the text is wrong on line 1", wrong.stderr)
        self.assertIn(f"your text is kept in {self.draft}", wrong.stderr)
        self.assertEqual(self.text(), "mouse = on\n")
        self.assertEqual(self.text(self.draft), "mose = off\n")
        again = self.config("edit", EDITOR=EDITOR.format('sed -i s/mose/mouse/ "$1"'))
        self.assertIn("Going on with what was not saved", again.stderr)
        self.assertEqual(self.text(), "mouse = off\n")

    def test_an_editor_that_is_missing_or_fails_changes_nothing(self):
        for editor, said in (("no-such-editor", "is not there"), ("exit 3;", "ended with 3")):
            failed = self.config("edit", EDITOR=editor, check=1)
            self.assertIn(said, failed.stderr)
            self.assertFalse(os.path.exists(self.draft))
            self.assertFalse(os.path.exists(self.path))

    def test_a_file_changed_meanwhile_is_not_overwritten(self):
        self.write("mouse = on\n")
        both = f'echo "ascii = on" >"$1"; echo "mouse = off" >"{self.path}"'
        failed = self.config("edit", EDITOR=EDITOR.format(both), check=7)
        self.assertIn("changed meanwhile", failed.stderr)
        self.assertEqual(self.text(), "mouse = off\n")
        self.assertEqual(self.text(self.draft), "ascii = on\n")

    def test_the_version_has_the_commit_where_the_build_was_told(self):
        first, second = self.here.run([BINARY, "--version"]).stdout.splitlines()
        self.assertRegex(first, r"^seatagent \d+\.\d+\.\d+ \(([0-9a-f]{7}|unknown)\)$")
        bare = self.here.run(["env", "-i", BINARY, "--version", "--json"])
        self.assertEqual(bare.stderr, "")
        self.assertIn('"parts":["OpenSSL ', bare.stdout)
        self.assertRegex(second, r"^with OpenSSL \d.*, SQLite \d.*, libsodium \d")

    def test_up_takes_name_and_interface_from_it(self):
        self.write("interface = nope0\n[profile ada]\nname = ada of the file\ninterface = lo\n")
        ada = Agent(self.here, "ada", "14C")
        try:
            self.here.run([BINARY, "up", "--profile", "ada", "--seat", "14C", "--no-mdns"])
            self.assertEqual(ada.call("status")["me"]["name"], "ada of the file")
        finally:
            ada.command("down")
