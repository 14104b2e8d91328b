"""Harvests a site as a library does, with Sickle, a client that knows nothing of this project.

    tests/harvest/run                                 # starts a host of its own on invented articles, and changes them
    tests/harvest/run --at http://127.0.0.1:8448 --site oceanledger      # looks at a running host, and changes nothing

A host of its own holds more articles than fit into one answer, so that harvests resume; one article is removed, seen as deleted,
brought back and seen again. Fails with a sentence when anything is not as the protocol says.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from sickle import Sickle
from sickle.oaiexceptions import BadArgument, BadResumptionToken, CannotDisseminateFormat, IdDoesNotExist, NoRecordsMatch

ROOT = Path(__file__).resolve().parents[2]
FORMATS = ("oai_dc", "jats")
MADE = 250
ARTICLE = """<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article" xml:lang="en"><front>
<journal-meta><journal-title-group><journal-title>Harvest Letters</journal-title></journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="doi">10.5555/harvest.{number}</article-id>
<title-group><article-title>Harvested &amp; invented, number {number}</article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Lovelace</surname><given-names>Ada</given-names></name></contrib></contrib-group>
<pub-date pub-type="epub"><day>1</day><month>3</month><year>2026</year></pub-date>
<abstract><p>Nobody has to read this.</p></abstract></article-meta></front>
<body><sec><title>One</title><p>A body to harvest.</p></sec></body></article>
"""


def check(holds, words):
    if not holds:
        sys.exit(f"harvest: {words}")


class Site:
    """A site as its harvester sees it."""

    def __init__(self, address, name):
        self.name = name
        self.client = Sickle(f"{address}/{name}/oai", timeout=60)

    def identify(self):
        who = self.client.Identify()
        check(who.protocolVersion == "2.0" and who.deletedRecord == "persistent", f"{self.name} says {who}")
        print(f"{self.name}: {who.repositoryName}, since {who.earliestDatestamp}, {who.granularity}, {who.adminEmail}")
        formats = {one.metadataPrefix for one in self.client.ListMetadataFormats()}
        check(formats == set(FORMATS), f"{self.name} offers {formats}")
        sets = [one.setSpec for one in self.client.ListSets()]
        print(f"{self.name}: sets {', '.join(sets)}")
        return sets

    def harvest(self, prefix, **window):
        """All records by identifier. Sickle follows the resumption tokens itself."""
        records = {}
        for record in self.client.ListRecords(metadataPrefix=prefix, ignore_deleted=False, **window):
            identifier = record.header.identifier
            check(identifier not in records, f"{identifier} came twice")
            records[identifier] = record
        gone = sum(record.header.deleted for record in records.values())
        print(f"{self.name}: {prefix}: {len(records)} records, {gone} of them deleted")
        return records

    def resumed(self, prefix):
        """The number of answers that a list takes, followed by hand; a token in the middle is used twice."""
        first = self.client.ListIdentifiers(metadataPrefix=prefix)
        token = first.resumption_token
        if token is None or not token.token:
            return 1
        pages = [
            [header.identifier for header in self.headers(resumptionToken=token.token)]
            for _ in range(2)
        ]
        check(pages[0] == pages[1], "a token that is used again leads elsewhere")
        answers, rest = 2, self.token_behind(token.token)
        while rest:
            answers, rest = answers + 1, self.token_behind(rest)
        return answers

    def headers(self, **arguments):
        return iter_page(self.client.ListIdentifiers(**arguments))

    def token_behind(self, token):
        behind = self.client.ListIdentifiers(resumptionToken=token).resumption_token
        return behind.token if behind is not None else None

    def faults(self):
        for fault, ask in [
            (CannotDisseminateFormat, lambda: self.client.ListRecords(metadataPrefix="marc21")),
            (BadArgument, lambda: self.client.ListRecords(**{"metadataPrefix": "oai_dc", "from": "2026"})),
            (BadResumptionToken, lambda: self.client.ListRecords(resumptionToken="nonsense")),
            (IdDoesNotExist, lambda: self.client.GetRecord(identifier="oai:nowhere:1", metadataPrefix="oai_dc")),
            (NoRecordsMatch, lambda: self.client.ListRecords(**{"metadataPrefix": "oai_dc", "from": "2999-01-01"})),
        ]:
            try:
                ask()
            except fault:
                continue
            sys.exit(f"harvest: {self.name} did not answer with {fault.__name__}")
        print(f"{self.name}: faults are told as the protocol tells them")


def iter_page(iterator):
    """The items of one answer, without those behind its token."""
    iterator.resumption_token = None
    return list(iterator)


def look(address, name):
    """What may be done to anybody's host."""
    site = Site(address, name)
    sets = site.identify()
    by_format = {prefix: site.harvest(prefix) for prefix in FORMATS}
    check(set(by_format["oai_dc"]) == set(by_format["jats"]), "the formats do not hold the same records")
    for identifier, record in by_format["oai_dc"].items():
        check(record.header.deleted or record.metadata.get("title"), f"{identifier} has no title")
    for identifier, record in by_format["jats"].items():
        check(record.header.deleted or b"<article" in record.raw.encode(), f"{identifier} is no article")
    in_sets = sum(len(site.harvest("oai_dc", set=one)) for one in sets)
    check(in_sets == len(by_format["oai_dc"]), f"the sets hold {in_sets} records together")
    print(f"{name}: a list of headers takes {site.resumed('oai_dc')} answers")
    site.faults()
    return site, by_format["oai_dc"]


class Host:
    """A host of this run's own, with more articles than fit into one answer."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.articles = folder / "articles"
        self.articles.mkdir()
        for number in range(1, MADE + 1):
            self.write(number)
        self.command("import", "jats", str(self.articles), "--site", "plainpress")
        self.process = subprocess.Popen(
            [binary, "serve", "--demo", "--listen", "127.0.0.1:0", *self.places()],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        line = self.process.stdout.readline()
        found = re.search(r"http://[0-9.:]+", line)
        check(found, f"the host did not start: {line}")
        self.address = found.group(0)

    def places(self):
        return ["--sites", str(ROOT / "sites"), "--data", str(self.folder / "data")]

    def write(self, number):
        path = self.articles / f"{number:03}.xml"
        path.write_text(ARTICLE.format(number=number), encoding="utf-8")
        return path

    def command(self, *arguments):
        ran = subprocess.run([self.binary, *arguments, *self.places()], capture_output=True, text=True)
        check(ran.returncode == 0, f"masthead {' '.join(arguments)}: {ran.stderr}")
        return ran.stdout

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=20)


def change(host):
    """Removes an article, sees it as deleted from the moment on at which it went, brings it back."""
    site, before = look(host.address, "plainpress")
    check(len(before) >= MADE, f"there are only {len(before)} records")
    other, theirs = look(host.address, "oceanledger")
    check(not set(before) & set(theirs), "two sites share a record")
    last = max(record.header.datestamp for record in before.values())
    host.command("article", "remove", "--site", "plainpress", "--doi", "10.5555/harvest.7")
    changed = site.harvest("oai_dc", **{"from": last})
    gone = [identifier for identifier, record in changed.items() if record.header.deleted]
    check(len(gone) == 1 and gone[0] in before, f"removed was one article, deleted are {gone}")
    print(f"plainpress: {gone[0]} is seen as deleted")
    host.command("import", "jats", str(host.write(7)), "--site", "plainpress")
    record = site.client.GetRecord(identifier=gone[0], metadataPrefix="oai_dc")
    check(not record.header.deleted, "what came back is still told as deleted")
    check(len(site.harvest("jats")) == len(before), "there are not as many records as at the beginning")
    check(len(other.harvest("oai_dc")) == len(theirs), "another site's records changed")
    print(f"plainpress: {gone[0]} is back under its name")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--at", help="address of a running host; without it, one is started")
    parser.add_argument("--site", default="oceanledger", help="short name of the site to look at")
    parser.add_argument("--host", default=os.environ.get("MASTHEAD", str(ROOT / "target/debug/masthead")), help="the program to start")
    wanted = parser.parse_args()
    if wanted.at:
        look(wanted.at.rstrip("/"), wanted.site)
        return
    check(Path(wanted.host).exists(), f"{wanted.host} is not there: run `make host`, or name a running host with --at")
    with tempfile.TemporaryDirectory(prefix="masthead-harvest-") as folder:
        host = Host(wanted.host, Path(folder))
        try:
            change(host)
        finally:
            host.stop()
    print("harvest: all as the protocol says")


main()
