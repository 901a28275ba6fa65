# SPDX-License-Identifier: Apache-2.0
"""The page over a slow Wi-Fi: when its first picture is there, and what it weighs."""

#: 1 Mbit/s and 100 ms.
SLOW = {"offline": False, "latency": 100, "downloadThroughput": 1e6 / 8,
        "uploadThroughput": 1e6 / 8}


def first_picture(browser, address):
    """Opens an address as nobody has before: milliseconds until something is painted, until
    somebody can type who they are, and bytes on the wire."""
    page = browser.page("about:blank")
    page.tell("Network.emulateNetworkConditions", **SLOW)
    page.tell("Network.setCacheDisabled", cacheDisabled=True)
    page.go(address)
    ready = page.wait("document.querySelector('#join-seat') && performance.now()")
    painted = page.wait("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
    # What comes behind the picture counts as well.
    page.wait("typeof drawings.self === 'function'")
    weight = sum(one["params"]["encodedDataLength"] for one in browser.events
                 if one.get("sessionId") == page.session
                 and one["method"] == "Network.loadingFinished")
    return page, painted, ready, weight
