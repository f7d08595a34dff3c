"""What the list of what functions are built from contains."""

import json
import unittest

from sbom import document

REGISTRY = "registry+https://example"


def package(name, version="1.0.0", source=REGISTRY, folder="/registry", license="MIT"):
    return {
        "id": name, "name": name, "version": version, "source": source, "license": license, "manifest_path": f"{folder}/{name}/Cargo.toml"
    }


def node(name, *deps):
    return {"id": name, "deps": [{"pkg": on, "dep_kinds": [{"kind": kind} for kind in kinds]} for on, kinds in deps]}


METADATA = {
    "packages": [
        package("auth", source=None, folder="/checkout/functions", license=None),
        package("shared", source=None, folder="/checkout", license=None),
        package("runeport-local", source=None, folder="/checkout/infra", license=None),
        package("serde", license="MIT/Apache-2.0"),
        package("cc"), package("proptest"), package("node"),
        # A folder of that name in a registry makes nothing a function.
        package("lookalike", folder="/registry/functions"),
    ],
    "resolve": {"nodes": [
        node("auth", ("shared", [None]), ("proptest", ["dev"])),
        node("shared", ("serde", [None, "dev"]), ("cc", ["build"])),
        node("runeport-local", ("shared", [None]), ("node", [None])),
        node("serde"), node("cc"), node("proptest"), node("node"), node("lookalike"),
    ]},
}
LOCK = {"package": [{"name": "serde", "version": "1.0.0", "checksum": "ab"}, {"name": "shared", "version": "1.0.0"}]}


class Sbom(unittest.TestCase):
    def setUp(self):
        self.document = document(METADATA, LOCK)

    def test_it_has_what_functions_are_built_from_and_nothing_else(self):
        found = {one["name"]: one for one in self.document["components"]}
        self.assertEqual(list(found), ["auth", "cc", "serde", "shared"])
        self.assertEqual([name for name, one in found.items() if one["type"] == "application"], ["auth"])
        self.assertEqual(found["serde"]["hashes"], [{"alg": "SHA-256", "content": "ab"}])
        self.assertEqual(found["serde"]["licenses"], [{"expression": "MIT OR Apache-2.0"}])
        self.assertNotIn("hashes", found["shared"])
        self.assertNotIn("licenses", found["shared"])

    def test_dependencies_name_components(self):
        below = {one["ref"]: one["dependsOn"] for one in self.document["dependencies"]}
        self.assertEqual(below["pkg:cargo/shared@1.0.0"], ["pkg:cargo/cc@1.0.0", "pkg:cargo/serde@1.0.0"])
        self.assertEqual(below["pkg:cargo/auth@1.0.0"], ["pkg:cargo/shared@1.0.0"])
        refs = {one["bom-ref"] for one in self.document["components"]}
        self.assertTrue(set(below) == refs and all(set(each) <= refs for each in below.values()))

    def test_the_same_sources_make_the_same_document(self):
        turned = {"packages": METADATA["packages"][::-1], "resolve": {"nodes": METADATA["resolve"]["nodes"][::-1]}}
        self.assertEqual(json.dumps(document(turned, LOCK)), json.dumps(self.document))


if __name__ == "__main__":
    unittest.main()
