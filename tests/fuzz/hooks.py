"""Schemathesis hooks: checks of every response in addition to the OpenAPI document, and variants of the requests.

Each operation is requested in turn through the site's own host in Chinese, through the platform's host with `siteId` in English,
through another site, as generated (mostly without a site), and with unusual headers. Every other request uses ids and names of
the demo content, so that not only failures are tested.
"""

import atexit
import json
import os
import re
import threading
from collections import Counter

import requests
import schemathesis

BASE = os.environ["FUZZ_BASE"]
PORT = BASE.rsplit(":", 1)[1]
SITE = "oceanledger"
SHELF = "openshelf"
DOI = "10.5555/ocl.2026.06.01.0001"

# Internal details that no response may contain, unless they were part of the request.
INSIDE = re.compile(
    rb"panicked at|\b(?:sqlx|SQLite|sqlstate)|thread '|/rustc/|\bsrc/[a-z_/]+\.rs|\b(?:wasm trap|wasmtime|tantivy|serde|axum::)|Error \{|"
    rb"called `|deserialize|missing field|invalid digit|at line \d+ column|query string|RUST_BACKTRACE|stack backtrace|"
    rb"(?<!\w)/(?:root|home|tmp|work|var|usr|etc|proc)/\w",
    re.IGNORECASE,
)
# The bytes of a picture in a response (of a captcha, for instance) are random letters: among seven thousand of them, each 150th contains "sqlx".
PICTURE = re.compile(rb"data:image/[a-z+.-]+;base64,[A-Za-z0-9+/=]+")
TEXTS = ("application/json", "text/", "application/xml", "application/vnd.citationstyles")

# Unusual headers: long, empty, contradictory, not UTF-8, not a language, not a number.
ODD = [
    {"language": "xx-" + "y" * 200, "Accept": "application/x-nothing", "X-Forwarded-Proto": "gopher"},
    {"language": "", "token": "a" * 4000, "Cookie": "language=;;;=; mh_session=%00; userName=\"'<"},
    {"language": "en,zh;q=0.5", "Referer": "http://[::1", "Accept-Encoding": "gzip;q=x, deflate", "If-None-Match": "\"" * 50},
    {"language": "ZH", "captcha": "\u00ff\u00fe", "Range": "bytes=9-1", "X-Forwarded-For": "1.2.3.4, , ::"},
]

asked = Counter()
answered = Counter()
lock = threading.Lock()
known = {}


def ask(site, path):
    answer = requests.get(BASE + path, headers={"Host": f"{site}.localhost:{PORT}", "language": "zh"}, timeout=30)
    return answer.json().get("data") if answer.ok else None


def first(site, path, *keys):
    """A value of the first item in a list of the demo content."""
    data = ask(site, path)
    try:
        for key in keys:
            data = data[key]
    except (KeyError, IndexError, TypeError):
        return None
    return data


def examples():
    """Ids and names of the demo content, by parameter, or by path and parameter."""
    with lock:
        if known:
            return known
        article = first(SITE, f"/rc-pub/front/front-article/getArticleByDoi?doi={DOI}", "id")
        front = "/rc-pub/front"
        lists = {
            "front-news": "front-news/list", "front-information": "front-information/list", "front-column": "front-column/list",
            "front-wechat": "front-wechat/list", "front-link": "front-link/list", "front-composite": "front-composite/list",
            "front-virtual": "front-virtual/list", "album": "album", "front-topic": "front-topic/list",
            "vod/video": "vod/video/list", "vod/audio": "vod/audio/list", "front-conference": "front-conference/list",
            "front-expert/boards": "front-expert/boards",
        }
        shelf = {
            "rc-book/getBookInfo": "rc-book/list", "front-patent": "front-patent/list", "front-standard": "front-standard/list",
            "science-document": "science-document/list", "tools": "tools",
        }
        for name, path in lists.items():
            known[f"{front}/{name}/{{id}}"] = (SITE, first(SITE, f"{front}/{path}", "content", 0, "id"))
        for name, path in shelf.items():
            known[f"{front}/{name}/{{id}}"] = (SHELF, first(SHELF, f"{front}/{path}", "content", 0, "id"))
        known[f"{front}/front-expert/{{id}}"] = (SITE, first(SITE, f"{front}/front-expert/list", 0, "content", 0, "id"))
        values = {
            "id": article, "article": article, "doi": DOI, "sld": SITE, "q": "carbon",
            "siteId": first(SITE, f"{front}/site/getBasicInfo", "site", "id"),
            "journal": first(SITE, f"{front}/site/getBasicInfo", "journals", 0, "key"),
            "channelId": first(SITE, f"{front}/site/getChannelList", "channels", 0, "id"),
            "periodId": first(SITE, f"{front}/front-period/getFirstTwoPeriods", 0, "id"),
            "pictureId": first(SITE, f"{front}/pictures?article={article}", "content", 0, "id"),
            "tableId": first(SITE, f"{front}/tables?article={article}", "content", 0, "id"),
            "rankId": first(SITE, f"{front}/rankList", 0, "id"), "path": "/zh/home/", "type": None,
        }
        values["publicationId"] = values["journal"]
        values["publicationIndexId"] = values["journal"]
        values["tableNumber"] = values["tableId"]
        known.update({name: (SITE, value) for name, value in values.items()})
        missing = sorted(name for name, (_, value) in known.items() if value is None and name != "type")
        if missing:
            print(f"fuzz: the demo content has no example of {', '.join(missing)}")
        return known


def real(case):
    """Replaces parameters of a case with ids and names of the demo content; returns the site that they belong to."""
    values, site = examples(), SITE
    path = case.operation.path
    for container in (case.path_parameters, case.query):
        for name in list(container or {}):
            found = values.get(f"{path}" if name == "id" and path in values else name)
            if found and found[1] is not None:
                site, container[name] = found
    if case.query is not None and path.startswith("/rc-pub/front/front-news/getJumpUrl"):
        case.query["id"] = values["/rc-pub/front/front-news/{id}"][1]
    return site


def at(site):
    return {"Host": f"{site}.localhost:{PORT}"}


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Rewrites pairs as lists of two items: Schemathesis 4.32 converts `prefixItems` to an invalid schema before validation."""

    def simplify(node):
        if isinstance(node, list):
            for one in node:
                simplify(one)
        elif isinstance(node, dict):
            parts = node.pop("prefixItems", None)
            if parts:
                node.update(items={"anyOf": parts}, minItems=len(parts), maxItems=len(parts))
            for one in node.values():
                simplify(one)

    simplify(raw_schema)


@schemathesis.hook
def before_call(context, case, kwargs):
    label = case.operation.label
    with lock:
        turn = asked[label]
        asked[label] += 1
    site = real(case) if turn % 2 == 0 else SITE
    manner = turn // 2 % 5
    headers = dict(case.headers or {})
    drop = {"siteid", "language", "host"} if manner != 3 else set()
    headers = {name: value for name, value in headers.items() if name.lower() not in drop}
    if manner == 0:
        headers |= at(site) | {"language": "zh"}
    elif manner == 1:
        number = requests.get(f"{BASE}/rc-pub/front/site/findBySld?sld={site}", timeout=30).json()["data"]["id"]
        headers |= {"siteId": str(number), "language": "en"}
    elif manner == 2:
        headers |= at("hssxiv") | {"siteId": "1", "language": "en"}
    elif manner == 4:
        headers = headers | at(site) | ODD[turn // 10 % len(ODD)]
    # An invalid session is rejected before anything else is checked, so most requests have none.
    if manner in (0, 1):
        headers = {name: value for name, value in headers.items() if name.lower() not in ("token", "cookie")}
    case.headers = headers


@schemathesis.hook
def after_call(context, case, response):
    with lock:
        answered[response.status_code] += 1


@atexit.register
def tell():
    print("fuzz: responses", ", ".join(f"{status}: {count}" for status, count in sorted(answered.items())))


def body(response):
    return response.content if isinstance(response.content, bytes) else response.content.encode()


def kind(response):
    found = response.headers.get("content-type") or [""]
    return (found[0] if isinstance(found, list) else found).lower()


@schemathesis.check
def no_server_error(context, response, case):
    """No internal errors."""
    assert response.status_code < 500, f"{response.status_code}: {body(response)[:300]!r}"


@schemathesis.check
def nothing_inside_leaves(context, response, case):
    """No response reveals files, types or libraries of the program."""
    if not kind(response).startswith(TEXTS):
        return
    said = repr((case.path_parameters, case.query, case.headers, case.body)).lower().encode()
    text = PICTURE.sub(b"", body(response))
    for found in INSIDE.finditer(text):
        around = text[max(0, found.start() - 60) : found.end() + 60]
        assert found.group().lower() in said, f"internal detail {found.group()!r}: {around!r}"


def documented(case, status):
    """The content types of responses with this status in the OpenAPI document."""
    return case.operation.definition.raw["responses"].get(str(status), {}).get("content", {})


@schemathesis.check
def enveloped(context, response, case):
    """API responses are an envelope of status, data and message, a file, or a page that the document declares; failures have a status, a
    message and no data."""
    if not case.operation.path.startswith("/rc-pub/") or (response.status_code < 300 and not kind(response).startswith("application/json")):
        return
    if case.method.upper() == "HEAD" or (case.method.upper() == "OPTIONS" and response.status_code < 300):
        return
    if kind(response).startswith("text/html") and "text/html" in documented(case, response.status_code):
        return
    assert kind(response).startswith("application/json"), f"{response.status_code} of type {kind(response)!r}"
    envelope = json.loads(body(response))
    assert set(envelope) == {"status", "data", "message"}, f"not an envelope: {sorted(envelope)}"
    if response.status_code >= 400:
        fits = envelope["status"] != 0 and envelope["data"] is None and envelope["message"].strip()
        assert fits, f"{response.status_code}: {envelope}"
