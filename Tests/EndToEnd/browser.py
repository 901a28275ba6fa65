# SPDX-License-Identifier: Apache-2.0
"""Chromium without a screen, told what to do through its DevTools pipe."""

import base64
import contextlib
import glob
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

#: Seconds that a page may take to come to a state.
PATIENCE = 40
#: The checker of pages for people who see, hear or move less, from PyPI.
AXE = glob.glob(".build/venv/lib/*/site-packages/axe_playwright_python/axe.min.js")
PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")


def seat_is(seat, mark):
    """The expression that a seat has a mark on the page."""
    return f"document.querySelector('[data-seat=\"{seat}\"]')?.className === '{mark}'"


class Browser:
    """A browser with a profile of its own, in the namespace of `host` if one is given."""

    def __init__(self, prefix=(), options=()):
        self.folder = tempfile.mkdtemp(prefix="seatagent-browser-")
        told, self._write = os.pipe()
        self._read, tells = os.pipe()
        line = [*prefix, "bash", "-c", f"exec \"$@\" 3<&{told} 4>&{tells}", "chromium",
                PROGRAM, "--headless=new", "--no-sandbox", "--remote-debugging-pipe",
                "--no-first-run", "--disable-gpu", "--disable-background-networking",
                "--disable-component-update", "--disable-default-apps", "--disable-sync",
                "--disable-dev-shm-usage", "--no-default-browser-check", "--mute-audio",
                "--disable-features=Translate,OptimizationHints,MediaRouter",
                f"--user-data-dir={self.folder}/profile", *options]
        self.errors = open(f"{self.folder}/errors", "w+")
        self.process = subprocess.Popen(line, pass_fds=(told, tells), stdin=subprocess.DEVNULL,
                                        stdout=self.errors, stderr=self.errors,
                                        env={**os.environ, "HOME": self.folder,
                                             "TMPDIR": self.folder},
                                        start_new_session=True)
        os.close(told)
        os.close(tells)
        self._rest = b""
        self._last = 0
        self.events = []
        self.pages = []

    def close(self):
        """At once: nothing that it would tidy up is kept."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for end in (self._read, self._write):
            os.close(end)
        self.errors.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    # The wire: objects of JSON with a zero byte behind each.

    def _next(self, end):
        while b"\0" not in self._rest:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self._read], [], [], left)[0]:
                raise TimeoutError("the browser says nothing")
            piece = os.read(self._read, 1 << 16)
            if not piece:
                self.errors.seek(0)
                raise RuntimeError("the browser has ended: " + self.errors.read()[-2000:])
            self._rest += piece
        line, self._rest = self._rest.split(b"\0", 1)
        return json.loads(line)

    def tell(self, method, session=None, patience=PATIENCE, **arguments):
        self._last += 1
        asked = {"id": self._last, "method": method, "params": arguments}
        if session:
            asked["sessionId"] = session
        os.write(self._write, json.dumps(asked).encode() + b"\0")
        end = time.monotonic() + patience
        while True:
            said = self._next(end)
            if said.get("id") != asked["id"]:
                self.events.append(said)
                continue
            if "error" in said:
                raise RuntimeError(f"{method}: {said['error']}")
            return said["result"]

    def page(self, address, **options):
        self.pages.append(Page(self, address, **options))
        return self.pages[-1]

    def close_pages(self):
        for page in list(self.pages):
            page.close()


class Page:
    """A page of its own cookies and storage, as on a phone of its own."""

    def __init__(self, browser, address, language="en", dark=False, width=390, height=800,
                 before=None, beside=None):
        self.browser = browser
        # A page beside another one is a second tab of that phone.
        self.context = beside.context if beside else browser.tell(
            "Target.createBrowserContext")["browserContextId"]
        target = browser.tell("Target.createTarget", url="about:blank",
                              browserContextId=self.context)["targetId"]
        self.session = browser.tell("Target.attachToTarget", targetId=target,
                                    flatten=True)["sessionId"]
        self.target = target
        self.tell("Page.enable")
        self.tell("Runtime.enable")
        self.tell("Network.enable")
        self.tell("Log.enable")
        self.tell("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2, mobile=True)
        self.tell("Emulation.setTouchEmulationEnabled", enabled=True)
        self.tell("Emulation.setLocaleOverride", locale=language)
        agent = self.tell("Runtime.evaluate", expression="navigator.userAgent")["result"]["value"]
        self.tell("Network.setUserAgentOverride", userAgent=agent, acceptLanguage=language)
        self.tell("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        if before:
            before(self)
        self.go(address)

    def tell(self, method, **arguments):
        return self.browser.tell(method, session=self.session, **arguments)

    def close(self):
        """Closes it with its connections, of which a server gives an address only so many."""
        self.browser.pages.remove(self)
        self.browser.tell("Target.disposeBrowserContext", browserContextId=self.context)

    def go(self, address):
        self.tell("Page.navigate", url=address)

    def reload(self):
        self.tell("Page.reload", ignoreCache=True)

    def run(self, script):
        """What an expression comes to; a promise is waited for."""
        said = self.tell("Runtime.evaluate", expression=script, awaitPromise=True,
                         returnByValue=True)
        if "exceptionDetails" in said:
            raise RuntimeError(f"{script}: {said['exceptionDetails']}")
        return said["result"].get("value")

    def text(self, selector="body"):
        return self.run(f"(document.querySelector({json.dumps(selector)}) || {{}}).innerText || ''")

    def wait(self, script, patience=PATIENCE):
        """Waits until an expression is true."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            with contextlib.suppress(RuntimeError):
                found = self.run(script)
                if found:
                    return found
            time.sleep(0.02)
        raise AssertionError(f"{script} is not so after {patience} s:\n{self.text()}\n"
                             + "\n".join(self.complaints()))

    def wait_text(self, selector, words, patience=PATIENCE):
        self.wait(f"(document.querySelector({json.dumps(selector)}) || {{innerText: ''}})"
                  f".innerText.includes({json.dumps(words)})", patience)

    def click(self, selector, between=None):
        """Touches the middle of what a selector finds, once it is there; a script runs while the
        finger is down."""
        self.touch(f"document.querySelector({json.dumps(selector)})", between)

    def click_text(self, words, within="body"):
        """Touches a button by its words."""
        self.touch(f"[...document.querySelectorAll({json.dumps(within + ' button')})].find(b =>"
                   f" b.innerText.trim() === {json.dumps(words)} && b.getClientRects().length > 0"
                   " && !b.disabled)")

    def touch(self, script, between=None):
        """Touches the middle of an element, once a finger would meet it there: until a sheet above
        it has gone, it would meet the sheet, and while its own slides in, or the page is drawn anew
        above it, it would miss."""
        middle = (f"(() => {{ const n = {script};"
                  " if (!n || n.disabled || !n.getClientRects().length) return null;"
                  " if (document.getAnimations().some(one => one.playState === 'running'"
                  " && one.effect?.target?.contains(n))) return null;"
                  " n.scrollIntoView({block: 'center', behavior: 'instant'});"
                  " const b = n.getBoundingClientRect();"
                  " const at = [b.x + b.width / 2, b.y + b.height / 2];"
                  " return n.contains(document.elementFromPoint(...at)) ? at : null; })()")
        before, here = None, self.wait(middle)
        while here != before:
            time.sleep(0.05)
            before, here = here, self.wait(middle)
        self.press(*here, between)

    def press(self, x, y, between=None):
        for kind in ("mousePressed", "mouseReleased"):
            self.tell("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                      clickCount=1)
            if between and kind == "mousePressed":
                self.run(between)

    def key(self, name, code=0, text=None):
        more = {"text": text} if text else {}
        for kind in ("keyDown", "keyUp"):
            self.tell("Input.dispatchKeyEvent", type=kind, key=name, code=name,
                      windowsVirtualKeyCode=code, **(more if kind == "keyDown" else {}))

    def type(self, selector, words):
        self.run(f"document.querySelector({json.dumps(selector)}).focus()")
        self.run(f"document.querySelector({json.dumps(selector)}).select()")
        self.tell("Input.insertText", text=words)

    def choose(self, selector, path):
        """Puts a file into a field for files, as a camera or a person does."""
        self.wait(f"Boolean(document.querySelector({json.dumps(selector)}))")
        root = self.tell("DOM.getDocument")["root"]["nodeId"]
        node = self.tell("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.tell("DOM.setFileInputFiles", files=[path], nodeId=node)

    def axe(self):
        """What axe-core finds wrong with what is shown."""
        if not self.run("Boolean(window.axe)"):
            with open(AXE[0], encoding="utf-8") as file:
                self.run(file.read() + "; 0")
        return self.run(
            "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa',"
            " 'best-practice']}).then(said => said.violations.map(one =>"
            " one.id + ': ' + one.nodes.map(n => n.html).slice(0, 3).join(' ')))")

    def picture(self, path):
        data = self.tell("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def sent(self):
        """The addresses that the page asked for since it was made."""
        self.run("1")
        return [one["params"]["request"]["url"] for one in self.browser.events
                if one.get("sessionId") == self.session
                and one["method"] == "Network.requestWillBeSent"]

    def complaints(self):
        """What the browser found wrong with the page."""
        said = []
        for one in self.browser.events:
            if one.get("sessionId") != self.session:
                continue
            if one["method"] == "Runtime.exceptionThrown":
                said.append(str(one["params"]["exceptionDetails"].get("exception", {})
                                .get("description")))
            if one["method"] == "Log.entryAdded" and one["params"]["entry"]["level"] == "error":
                said.append(one["params"]["entry"]["text"])
        return said
