#!/usr/bin/env python3
"""Writes the software bill of materials of a source tarball as SPDX 2.3 JSON: sbom.py TARBALL > NAME.spdx.json"""
# SPDX-License-Identifier: BSD-3-Clause
import hashlib
import json
import os
import re
import sys
import tarfile
from datetime import datetime, timezone
from pathlib import Path

# What a build may use or open at run time; nothing of them is in the tarball.
OPTIONAL = {"hwloc": "BSD-3-Clause", "PMIx": "BSD-3-Clause", "libfabric": "BSD-2-Clause OR GPL-2.0-only",
            "OTF2": "BSD-3-Clause", "nlohmann-json": "MIT"}


def files_of(tarball):
    with tarfile.open(tarball) as archive:
        for number, member in enumerate(m for m in archive if m.isfile()):
            data = archive.extractfile(member).read()
            name = "./" + member.name.split("/", 1)[-1]
            yield {
                "SPDXID": f"SPDXRef-File-{number}", "fileName": name, "copyrightText": "NOASSERTION",
                "checksums": [{"algorithm": "SHA1", "checksumValue": hashlib.sha1(data).hexdigest()},
                              {"algorithm": "SHA256", "checksumValue": hashlib.sha256(data).hexdigest()}],
                "licenseConcluded": "BSD-3-Clause", "licenseInfoInFiles":
                    ["BSD-3-Clause" if b"SPDX-License-Identifier: BSD-3-Clause" in data[:2000] else "NOASSERTION"],
            }


def package(name, version, license_, **more):
    return {"SPDXID": f"SPDXRef-{name}", "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
            "licenseConcluded": license_, "licenseDeclared": license_, "copyrightText": "NOASSERTION", **more}


def homepage_of(tarball):
    """HOMEPAGE_URL of the project, if it has one."""
    with tarfile.open(tarball) as archive:
        for member in archive:
            if member.name.split("/", 1)[-1] == "CMakeLists.txt":
                found = re.search(r'^project\(.* HOMEPAGE_URL "([^"]+)"', archive.extractfile(member).read().decode(), re.M)
                return found and found[1]
    return None


def time_of(tarball):
    """That of the newest file, or what SOURCE_DATE_EPOCH says: a bill written again is the same."""
    with tarfile.open(tarball) as archive:
        newest = max(member.mtime for member in archive)
    return datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", newest)), timezone.utc)


def document(tarball):
    version = re.search(r"-([0-9.]+)\.tar", tarball.name)[1]
    files = list(files_of(tarball))
    code = hashlib.sha1("".join(sorted(f["checksums"][0]["checksumValue"] for f in files)).encode()).hexdigest()
    digest = hashlib.sha256(tarball.read_bytes()).hexdigest()
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-Atrium")]
    relations += [("SPDXRef-Atrium", "CONTAINS", f["SPDXID"]) for f in files]
    relations += [(f"SPDXRef-{name}", "OPTIONAL_DEPENDENCY_OF", "SPDXRef-Atrium") for name in OPTIONAL]
    homepage = homepage_of(tarball)
    atrium = package("Atrium", version, "BSD-3-Clause", filesAnalyzed=True, packageFileName=tarball.name,
                     packageVerificationCode={"packageVerificationCodeValue": code},
                     checksums=[{"algorithm": "SHA256", "checksumValue": digest}], **({"homepage": homepage} if homepage else {}))
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"Atrium-{version}",
        "documentNamespace": f"{homepage or 'https://spdx.org/spdxdocs'}/atrium-{version}-{digest[:16]}",
        "creationInfo": {"created": time_of(tarball).strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Organization: The Atrium authors", "Tool: packaging/sbom.py"]},
        "packages": [atrium] + [package(n, "NOASSERTION", l, filesAnalyzed=False) for n, l in OPTIONAL.items()],
        "files": files,
        "relationships": [{"spdxElementId": a, "relationshipType": r, "relatedSpdxElement": b} for a, r, b in relations],
    }


json.dump(document(Path(sys.argv[1])), sys.stdout, indent=1)
print()
