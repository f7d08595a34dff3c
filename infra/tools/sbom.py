"""sbom.py LOCK: prints what the functions are built from, as a CycloneDX document. It reads the output of `cargo metadata` for the
platform of the functions from its input, and the checksums from LOCK, which is Cargo.lock. Dependencies of tests, and of the
packages that are not deployed, are left out; features that other packages of the workspace ask for are not, since cargo resolves them
together. The same sources make the same document."""

import json
import sys
from pathlib import Path

import tomlkit

FUNCTIONS = "/functions/"


def deployed(metadata):
    """The ids of the packages that go into the functions, the functions included."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    rest = [each["id"] for each in metadata["packages"] if FUNCTIONS in each["manifest_path"] and each["source"] is None]
    found = set()
    while rest:
        one = rest.pop()
        if one in found:
            continue
        found.add(one)
        rest += [each["pkg"] for each in nodes[one]["deps"] if any(kind["kind"] != "dev" for kind in each["dep_kinds"])]
    return found


def document(metadata, lock):
    """The packages in a CycloneDX document, in the order of their names."""
    checksums = {(each["name"], each["version"]): each["checksum"] for each in lock["package"] if "checksum" in each}
    packages, nodes = {each["id"]: each for each in metadata["packages"]}, {each["id"]: each for each in metadata["resolve"]["nodes"]}
    of, ids = {}, deployed(metadata)
    for one in ids:
        of[one] = f"pkg:cargo/{packages[one]['name']}@{packages[one]['version']}"
    components, dependencies = [], []
    for one in sorted(ids, key=of.get):
        package = packages[one]
        is_function = package["source"] is None and FUNCTIONS in package["manifest_path"]
        component = {
            "type": "application" if is_function else "library",
            "bom-ref": of[one],
            "name": package["name"],
            "version": package["version"],
            "purl": of[one],
        }
        if checksum := checksums.get((package["name"], package["version"])):
            component["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        if package["license"]:
            component["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
        components.append(component)
        below = sorted({of[each["pkg"]] for each in nodes[one]["deps"] if each["pkg"] in ids} - {of[one]})
        dependencies.append({"ref": of[one], "dependsOn": below})
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "application", "bom-ref": "runeport", "name": "runeport"}},
        "components": components,
        "dependencies": dependencies,
    }


if __name__ == "__main__":
    print(json.dumps(document(json.load(sys.stdin), tomlkit.parse(Path(sys.argv[1]).read_text()).unwrap()), indent=1))
