"""A headless Chromium for tests of pages, driven by its DevTools protocol over pipes: nothing but Chromium itself is
needed."""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium():
    """Path of the program, or None."""
    return os.environ.get("WEFT_CHROMIUM") or next((path for path in map(shutil.which, NAMES) if path), None)


def run_tests():
    """As unittest.main(); once more if something failed, since a browser on a busy machine may be late. Both are
    printed."""
    if unittest.main(exit=False).result.wasSuccessful():
        sys.exit(0)
    print("some tests failed; once more:", file=sys.stderr)
    unittest.main()


class BrowserError(Exception):
    """What the browser did not do."""


class Browser:
    """One window; a context manager. `errors` holds what scripts of the page threw or said as errors."""

    def __init__(self, width=1280, height=900, limit_s=30):
        self.limit_s = limit_s
        self.profile = tempfile.mkdtemp(prefix="weft-chromium-")
        to_browser, self.out = os.pipe()
        self.inp, from_browser = os.pipe()

        def give_pipes():
            # Chromium reads from 3 and writes to 4; copies above both first, since they may be these numbers.
            reads, writes = os.dup(to_browser), os.dup(from_browser)
            high = [fd for fd in (reads, writes) if fd in (3, 4)]
            if high:
                reads, writes = os.dup2(reads, 30), os.dup2(writes, 31)
            os.dup2(reads, 3)
            os.dup2(writes, 4)

        command = [chromium(), "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
                   "--hide-scrollbars",
                   "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
                   "--disable-background-networking",
                   f"--user-data-dir={self.profile}", f"--window-size={width},{height}", "about:blank"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
                                        preexec_fn=give_pipes)
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.buffer, self.events, self.errors, self.session, self.requests = 0, b"", [], [], None, []
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        os.close(self.out)
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.inp)
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        until = time.monotonic() + self.limit_s
        number = self.number
        while True:
            answer = self.next_message(until, method)
            if answer.get("id") != number:
                continue
            if "error" in answer:
                raise BrowserError(f"{method}: {answer['error'].get('message')}")
            return answer["result"]

    def next_message(self, until, why):
        while b"\0" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.inp], [], [], left)[0]:
                raise BrowserError(f"no answer to {why} within {self.limit_s} s")
            part = os.read(self.inp, 1 << 20)
            if not part:
                raise BrowserError(f"the browser has ended ({why})")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        self.note(message)
        return message

    def note(self, message):
        method, given = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = given["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details.get("text"))
        elif method == "Runtime.consoleAPICalled" and given["type"] in ("error", "warning", "assert"):
            self.errors.append(" ".join(str(a.get("value", a.get("description"))) for a in given["args"]))
        elif method == "Log.entryAdded" and given["entry"]["level"] == "error":
            self.errors.append(given["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(given["request"]["url"])

    def size(self, width, height=900, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                  mobile=False)

    def dark(self, on):
        value = "dark" if on else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": value}])

    def open(self, path):
        """Opens the file and waits until all of its figures are drawn; seconds that it took."""
        begin = time.monotonic()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait("document.documentElement?.dataset.ready !== undefined")
        return time.monotonic() - begin

    def run(self, script):
        """The value of an expression; promises are awaited."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def wait(self, condition, limit_s=None):
        until = time.monotonic() + (limit_s or self.limit_s)
        while not self.run(condition):
            if time.monotonic() > until:
                raise BrowserError(f"never true: {condition}; errors: {self.errors}")
            time.sleep(0.02)

    def mouse(self, kind, x, y, buttons=0, clicks=0):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if buttons or clicks else "none",
                  buttons=buttons,
                  clickCount=clicks)

    def click(self, x, y, times=1):
        for count in range(1, times + 1):
            self.mouse("mousePressed", x, y, 1, count)
            self.mouse("mouseReleased", x, y, 0, count)

    def drag(self, x, y, to_x, to_y, steps=4):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, 1, 1)
        for step in range(1, steps + 1):
            self.mouse("mouseMoved", x + (to_x - x) * step / steps, y + (to_y - y) * step / steps, 1)
        self.mouse("mouseReleased", to_x, to_y, 0, 1)

    def key(self, name):
        text = name if len(name) == 1 else ""
        self.call("Input.dispatchKeyEvent", type="keyDown", key=name, text=text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name)

    def screenshot(self, path, whole=True):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole,
                         **({"clip": {**self.document(), "x": 0, "y": 0, "scale": 1}} if whole else {}))["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def document(self):
        return (self.run("({width: document.documentElement.clientWidth, height: "
                         "document.documentElement.scrollHeight})"))
