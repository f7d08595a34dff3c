import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

from botocore.exceptions import ClientError

from check_template import Check, Sources
from second_region import copied, main
from template import TEMPLATE, parse, read

STACK = "runeport-prod"
BEFORE = read()
NAMES = {
    "CosigningKey": "alias/runeport-prod-cosigning-copy",
    "DataKey": "alias/runeport-prod-data-copy",
    "DistributionKey": "alias/runeport-prod-distribution-copy",
    "MintTreasuryKey": "alias/runeport-prod-mint-treasury-copy",
}


class Kms:
    """KMS of the second region, with the four copies; `changes` are of one of them, by its alias."""

    def __init__(self, changes=None):
        self.keys = {
            alias: {"KeyId": f"mrk-{name.lower()}", "MultiRegion": True, "KeyState": "Enabled", "Deny": ["FunctionsAlone", "DeploymentsAlone"],
                    "KeySpec": "SYMMETRIC_DEFAULT" if name == "DataKey" else "ECC_SECG_P256K1"}
            for name, alias in NAMES.items()
        }
        for alias, change in (changes or {}).items():
            if change is None:
                del self.keys[alias]
            else:
                self.keys[alias].update(change)

    def describe_key(self, KeyId):
        if KeyId not in self.keys:
            raise ClientError({"Error": {"Code": "NotFoundException"}}, "DescribeKey")
        return {"KeyMetadata": {name: value for name, value in self.keys[KeyId].items() if name != "Deny"}}

    def get_key_policy(self, KeyId, PolicyName):
        assert PolicyName == "default"
        denied = next(each["Deny"] for each in self.keys.values() if each["KeyId"] == KeyId)
        statements = [{"Sid": "Account", "Effect": "Allow"}, *({"Sid": sid, "Effect": "Deny"} for sid in denied)]
        return {"Policy": json.dumps({"Statement": statements})}


def run(changes=None):
    """The text of the template afterwards, and what was printed; or the error, if nothing was changed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "template.yaml"
        path.write_text(TEMPLATE.read_text())
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                main(STACK, lambda service: {"kms": Kms(changes)}[service], path)
        except ValueError as error:
            assert path.read_text() == TEMPLATE.read_text()
            return None, str(error)
        return path.read_text(), said.getvalue()


class SecondRegion(unittest.TestCase):
    def test_all_keys_that_are_copied_have_an_alias(self):
        self.assertEqual({name: f"alias/{STACK}{end}-copy" for name, end in copied(BEFORE).items()}, NAMES)

    def test_the_stack_uses_the_copies_and_is_otherwise_the_same(self):
        text, said = run()
        after = parse(text)
        self.assertEqual(set(BEFORE["Resources"]) - set(after["Resources"]), set(NAMES))
        self.assertEqual(set(after["Resources"]) - set(BEFORE["Resources"]), set())

        def put(value):
            """A value of the template as it was, with the copies in it."""
            if isinstance(value, list):
                return [put(each) for each in value]
            if not isinstance(value, dict):
                return value
            if len(value) == 1 and "Ref" in value and value["Ref"] in NAMES:
                return f"mrk-{value['Ref'].lower()}"
            if list(value) == ["Fn::GetAtt"] and value["Fn::GetAtt"][0] in NAMES:
                arn = "arn:${AWS::Partition}:kms:${AWS::Region}:${AWS::AccountId}:key/mrk-" + value["Fn::GetAtt"][0].lower()
                return {"Fn::Sub": arn}
            return {key: put(each) for key, each in value.items()}

        expected = put(BEFORE)
        for name in NAMES:
            del expected["Resources"][name]
            self.assertIn(f"{name} is mrk-{name.lower()}", said)
        self.assertEqual(after, expected)

    def test_what_the_other_tools_check_still_holds(self):
        text, _said = run()
        self.assertEqual(Check(parse(text), Sources()).run(), Check(BEFORE, Sources()).run())

    def test_a_copy_that_does_not_fit_changes_nothing(self):
        alias = NAMES["CosigningKey"]
        for change, said in [
            (None, "NotFoundException"),
            ({"MultiRegion": False}, "no copy of a key"),
            ({"KeyState": "PendingDeletion"}, "is PendingDeletion"),
            ({"KeySpec": "SYMMETRIC_DEFAULT"}, "not ECC_SECG_P256K1"),
            ({"Deny": ["DeploymentsAlone"]}, "a policy without FunctionsAlone"),
            ({"Deny": []}, "a policy without DeploymentsAlone, FunctionsAlone"),
            ({"KeyId": "mrk-distributionkey"}, "the same copy"),
        ]:
            text, error = run({alias: change})
            self.assertIsNone(text)
            self.assertIn(said, error)
            if said != "the same copy":
                self.assertIn(alias, error)


if __name__ == "__main__":
    unittest.main()
