# SPDX-License-Identifier: Apache-2.0
"""Reads a document of SPDX 2.3 in JSON as its specification says, and holds it against what is
given to others (https://spdx.github.io/spdx-spec/v2.3/; `7.9` is a section of it).

    python3 spdx.py FILE FOLDER [SOURCES]     ends with 1 and says what is wrong

FOLDER is the release that FILE is of, SOURCES the repository; without it, this one.
"""

import functools
import hashlib
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

ID = r"SPDXRef-[A-Za-z0-9.-]+"
DATE = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
CREATOR = r"(Tool|Organization|Person): \S.*"
#: Of the list of licences (annex A), what this project may name.
LICENCES = {
    "AFL-2.1", "Apache-2.0", "BSD-3-Clause", "EPL-2.0", "GPL-2.0-or-later", "GPL-3.0-or-later",
    "ISC", "LGPL-2.1-or-later", "MIT", "Unlicense", "X11", "Zlib", "blessing",
}
EXCEPTIONS = {"GCC-exception-3.1", "Swift-exception"}
#: Kinds of relationships between elements that are used here.
KINDS = {"DESCRIBES", "CONTAINS", "DYNAMIC_LINK", "STATIC_LINK"}
PURPOSES = {"APPLICATION", "LIBRARY", "SOURCE"}
LENGTHS = {"SHA1": 40, "SHA256": 64}


@functools.cache
def digest(kind, path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, kind.lower()).hexdigest()


@functools.cache
def needed(program):
    """The libraries that a program names."""
    said = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True)
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", said.stdout))


class Reader:
    """Collects complaints; `folder` and `sources` are where files stand."""

    def __init__(self, value, folder, sources=ROOT):
        self.value, self.folder, self.sources = value, folder, sources
        self.complaints = []

    def complain(self, where, what):
        self.complaints.append(f"{where}: {what}")

    def text(self, holder, name, pattern=r".+", where=""):
        """A field that must be there and look like that."""
        said = holder.get(name)
        if not isinstance(said, str) or not re.fullmatch(pattern, said, re.S):
            self.complain(where or holder.get("SPDXID", "?"), f"{name} is {said!r}")
            return ""
        return said

    def read(self):
        self.document()
        names = [one.get("SPDXID") for one in (*self.packages(), *self.files())]
        names.append("SPDXRef-DOCUMENT")
        for name in {name for name in names if names.count(name) > 1}:
            self.complain(name, "is there twice")
        for package in self.packages():
            self.package(package)
        for file in self.files():
            self.file(file)
        self.relationships(set(names))
        return self.complaints

    def packages(self):
        return self.value.get("packages", [])

    def files(self):
        return self.value.get("files", [])

    def document(self):
        """Section 6."""
        value, here = self.value, "document"
        self.text(value, "spdxVersion", "SPDX-2\\.3", here)
        self.text(value, "dataLicense", "CC0-1\\.0", here)
        self.text(value, "SPDXID", "SPDXRef-DOCUMENT", here)
        self.text(value, "name", ".+", here)
        # An address without a fragment.
        self.text(value, "documentNamespace", r"https://[^\s#]+", here)
        made = value.get("creationInfo", {})
        self.text(made, "created", DATE, "creationInfo")
        creators = made.get("creators", [])
        if not creators or not all(re.fullmatch(CREATOR, one) for one in creators):
            self.complain("creationInfo", f"creators are {creators!r}")
        for licence in value.get("hasExtractedLicensingInfos", []):
            self.text(licence, "licenseId", r"LicenseRef-[A-Za-z0-9.-]+", "licence")
            self.text(licence, "extractedText", ".+", "licence")

    def licence(self, holder, name):
        """An expression of annex D, without brackets; or that nobody says."""
        said = self.text(holder, name)
        known = LICENCES | {one.get("licenseId") for one in
                            self.value.get("hasExtractedLicensingInfos", [])}
        for one in re.split(" (?:OR|AND) ", said):
            plain, _, exception = one.partition(" WITH ")
            if said not in ("NOASSERTION", "NONE", "") and (
                    plain not in known or exception and exception not in EXCEPTIONS):
                self.complain(holder.get("SPDXID", "?"), f"{name} is {said!r}")

    def package(self, package):
        """Section 7."""
        self.text(package, "SPDXID", ID)
        self.text(package, "name")
        self.text(package, "downloadLocation", r"NOASSERTION|NONE|https://\S+")
        self.licence(package, "licenseConcluded")
        self.licence(package, "licenseDeclared")
        self.text(package, "copyrightText")
        if package.get("primaryPackagePurpose") not in PURPOSES:
            self.complain(package.get("SPDXID"), "no purpose")
        for other in package.get("externalRefs", []):
            self.text(other, "referenceCategory", "PACKAGE-MANAGER", "externalRefs")
            self.text(other, "referenceType", "purl", "externalRefs")
            self.text(other, "referenceLocator", r"pkg:[a-z]+/[^@\s]+@\S+", "externalRefs")
        self.verification(package)

    def verification(self, package):
        """Section 7.9: a package that was looked into has a sum over the sums of its files."""
        key = package.get("SPDXID")
        inside = [one for one in self.files() if one.get("SPDXID") in self.others(key, "CONTAINS")]
        if not package.get("filesAnalyzed", True):
            if inside or "packageVerificationCode" in package:
                self.complain(key, "has files, and nobody looked into it")
            return
        sums = sorted(check["checksumValue"] for one in inside for check in one["checksums"]
                      if check["algorithm"] == "SHA1")
        code = package.get("packageVerificationCode", {}).get("packageVerificationCodeValue")
        if not inside or code != hashlib.sha1("".join(sums).encode()).hexdigest():
            self.complain(key, f"packageVerificationCode is {code!r}")

    def file(self, file):
        """Section 8: each file is there, and is what its sums say."""
        key = file.get("SPDXID")
        name = self.text(file, "fileName", r"\./[^\s]+")
        self.text(file, "SPDXID", ID)
        self.licence(file, "licenseConcluded")
        self.text(file, "copyrightText")
        places = [os.path.join(top, name) for top in (self.folder, self.sources)]
        path = next((place for place in places if os.path.isfile(place)), None)
        if not path or ".." in name.split("/"):
            return self.complain(key, f"there is no {name}")
        sums = {one.get("algorithm"): one.get("checksumValue") for one in file.get("checksums", [])}
        if set(sums) != set(LENGTHS):
            return self.complain(key, f"its sums are {sorted(sums)}")
        for kind, said in sums.items():
            if said != digest(kind, path):
                self.complain(key, f"its {kind} is {said!r}")
        return None

    def others(self, key, kind):
        return {one.get("relatedSpdxElement") for one in self.value.get("relationships", [])
                if (one.get("spdxElementId"), one.get("relationshipType")) == (key, kind)}

    def relationships(self, names):
        """Section 11: they name what is there, and lead from the document to everything."""
        for one in self.value.get("relationships", []):
            ends = one.get("spdxElementId"), one.get("relatedSpdxElement")
            if not set(ends) <= names or one.get("relationshipType") not in KINDS:
                self.complain("relationship", f"{one!r}")
        reached, new = set(), {"SPDXRef-DOCUMENT"}
        while new:
            reached |= new
            new = {other for key in new for kind in KINDS
                   for other in self.others(key, kind)} - reached
        for name in sorted(names - reached):
            self.complain(name, "nothing leads to it")

    def libraries(self):
        """Each program of the release is in it, with just the libraries that it names."""
        for key, path in self.programs():
            wanted = needed(path)
            linked = {library for one in self.value["relationships"]
                      if (one["spdxElementId"], one["relationshipType"]) == (key, "DYNAMIC_LINK")
                      for library in one.get("comment", "").split()}
            swift = {library for library in wanted if "libswift" in library}
            kind = "DYNAMIC_LINK" if swift else "STATIC_LINK"
            if linked != wanted - swift:
                self.complain(key, f"differs in {sorted(linked ^ (wanted - swift))}")
            if "SPDXRef-Package-swift" not in self.others(key, kind):
                self.complain(key, "has no Swift in it")
        return self.complaints

    def programs(self):
        """The element of each program that packaging/programs lists, and where the program is."""
        with open(f"{self.sources}/packaging/programs", encoding="utf-8") as file:
            places = [line.split()[1] for line in file if not line.startswith("#")]
        for place in places:
            files = [one["SPDXID"] for one in self.files() if one["fileName"] == f"./{place}"]
            keys = [one["SPDXID"] for one in self.packages()
                    if set(files) & self.others(one["SPDXID"], "CONTAINS")]
            if len(keys) != 1:
                self.complain(place, f"is in {keys}")
            else:
                yield keys[0], f"{self.folder}/{place}"


def main(file, folder, sources=ROOT):
    with open(file, encoding="utf-8") as stream:
        reader = Reader(json.load(stream), folder, sources)
    complaints = reader.read() or reader.libraries()
    print("\n".join(complaints) or f"{file} is right")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
