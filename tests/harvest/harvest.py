"""Harvests a site over OAI-PMH with Sickle, an independent client.

    tests/harvest/run                                 # starts a host with generated articles, and changes them
    tests/harvest/run --at http://127.0.0.1:8448 --site oceanledger      # harvests a running host, and changes nothing

The host that the script starts has more articles than fit into one response, so that resumption is tested; one article is removed,
harvested as deleted, imported again and harvested again. Exits with a message if anything violates the protocol.
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
    """The OAI-PMH endpoint of a site."""

    def __init__(self, address, name):
        self.name = name
        self.client = Sickle(f"{address}/{name}/oai", timeout=60)

    def identify(self):
        who = self.client.Identify()
        check(who.protocolVersion == "2.0" and who.deletedRecord == "persistent", f"{self.name} identifies as {who}")
        print(f"{self.name}: {who.repositoryName}, since {who.earliestDatestamp}, {who.granularity}, {who.adminEmail}")
        formats = {one.metadataPrefix for one in self.client.ListMetadataFormats()}
        check(formats == set(FORMATS), f"{self.name} offers {formats}")
        sets = [one.setSpec for one in self.client.ListSets()]
        print(f"{self.name}: sets {', '.join(sets)}")
        return sets

    def harvest(self, prefix, **window):
        """All records by identifier. Sickle follows the resumption tokens."""
        records = {}
        for record in self.client.ListRecords(metadataPrefix=prefix, ignore_deleted=False, **window):
            identifier = record.header.identifier
            check(identifier not in records, f"{identifier} was listed twice")
            records[identifier] = record
        gone = sum(record.header.deleted for record in records.values())
        print(f"{self.name}: {prefix}: {len(records)} records, {gone} of them deleted")
        return records

    def resumed(self, prefix):
        """The number of responses for a complete list. The tokens are followed explicitly, and the first one is used twice."""
        first = self.client.ListIdentifiers(metadataPrefix=prefix)
        token = first.resumption_token
        if token is None or not token.token:
            return 1
        pages = [
            [header.identifier for header in self.headers(resumptionToken=token.token)]
            for _ in range(2)
        ]
        check(pages[0] == pages[1], "a resumption token that is used again gives another response")
        responses, rest = 2, self.next_token(token.token)
        while rest:
            responses, rest = responses + 1, self.next_token(rest)
        return responses

    def headers(self, **arguments):
        return iter_page(self.client.ListIdentifiers(**arguments))

    def next_token(self, token):
        following = self.client.ListIdentifiers(resumptionToken=token).resumption_token
        return following.token if following is not None else None

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
            sys.exit(f"harvest: {self.name} did not respond with {fault.__name__}")
        print(f"{self.name}: errors are reported as the protocol requires")


def iter_page(iterator):
    """The items of one response, without following its resumption token."""
    iterator.resumption_token = None
    return list(iterator)


def look(address, name):
    """Read-only checks, which are safe on any host."""
    site = Site(address, name)
    sets = site.identify()
    by_format = {prefix: site.harvest(prefix) for prefix in FORMATS}
    check(set(by_format["oai_dc"]) == set(by_format["jats"]), "the formats do not have the same records")
    for identifier, record in by_format["oai_dc"].items():
        check(record.header.deleted or record.metadata.get("title"), f"{identifier} has no title")
    for identifier, record in by_format["jats"].items():
        check(record.header.deleted or b"<article" in record.raw.encode(), f"{identifier} is not a JATS article")
    in_sets = sum(len(site.harvest("oai_dc", set=one)) for one in sets)
    check(in_sets == len(by_format["oai_dc"]), f"the sets have {in_sets} records in total")
    print(f"{name}: a list of headers takes {site.resumed('oai_dc')} responses")
    site.faults()
    return site, by_format["oai_dc"]


class Host:
    """A host started by this script, with more articles than fit into one response."""

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
    """Removes an article, checks that it is listed as deleted, and imports it again."""
    site, before = look(host.address, "plainpress")
    check(len(before) >= MADE, f"only {len(before)} records")
    other, theirs = look(host.address, "oceanledger")
    check(not set(before) & set(theirs), "two sites have a record in common")
    last = max(record.header.datestamp for record in before.values())
    host.command("article", "remove", "--site", "plainpress", "--doi", "10.5555/harvest.7")
    changed = site.harvest("oai_dc", **{"from": last})
    gone = [identifier for identifier, record in changed.items() if record.header.deleted]
    check(len(gone) == 1 and gone[0] in before, f"one article was removed, but the deleted records are {gone}")
    print(f"plainpress: {gone[0]} is listed as deleted")
    host.command("import", "jats", str(host.write(7)), "--site", "plainpress")
    record = site.client.GetRecord(identifier=gone[0], metadataPrefix="oai_dc")
    check(not record.header.deleted, "an article that was imported again is still listed as deleted")
    check(len(site.harvest("jats")) == len(before), "the number of records has changed")
    check(len(other.harvest("oai_dc")) == len(theirs), "the records of another site changed")
    print(f"plainpress: {gone[0]} is listed again with the same identifier")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--at", help="address of a running host; if omitted, a host is started")
    parser.add_argument("--site", default="oceanledger", help="short name of the site to harvest")
    parser.add_argument("--host", default=os.environ.get("MASTHEAD", str(ROOT / "target/debug/masthead")), help="path of the masthead program to start")
    options = parser.parse_args()
    if options.at:
        look(options.at.rstrip("/"), options.site)
        return
    check(Path(options.host).exists(), f"{options.host} does not exist: run `make host`, or give the address of a running host with --at")
    with tempfile.TemporaryDirectory(prefix="masthead-harvest-") as folder:
        host = Host(options.host, Path(folder))
        try:
            change(host)
        finally:
            host.stop()
    print("harvest: all checks passed")


main()
