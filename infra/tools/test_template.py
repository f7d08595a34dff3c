"""Checks the expansion of template.yaml: the rules of loops and look-ups, and what the loops make."""

import json
import unittest
from collections import Counter

from template import (
    EXTENSIONS, ITEMS, LEADING_KEYS, LOOP, ROOT, TEMPLATE, expand, for_sam, of_transactions, parse, read, several,
)

SERVERLESS = "AWS::Serverless-2016-10-31"
LONGEST_LINE = 145
MOST_LINES = 2000
SMALL = """
Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]
Mappings:
  Colours: { Red: { Name: red, Shades: [dark, light] }, Blue: { Name: blue, Shades: [] } }
Resources:
  Fn::ForEach::Colours:
    - Colour
    - [Red, Blue]
    - ${Colour}Queue:
        Type: AWS::SQS::Queue
        Properties: PROPERTIES
"""


def expanded(properties, template=SMALL):
    """The properties of both queues."""
    found = expand(parse(template.replace("PROPERTIES", properties)))["Resources"]
    return [found[name]["Properties"] for name in ("RedQueue", "BlueQueue")]


class Rules(unittest.TestCase):
    def refused(self, why, properties="{}", template=SMALL):
        with self.assertRaises(ValueError) as raised:
            expanded(properties, template)
        self.assertIn(why, str(raised.exception))

    def test_short_forms_are_read_as_long_ones(self):
        self.assertEqual(
            parse("[!Ref A, !GetAtt A.B.C, !Sub [x, { y: !Ref z }], !Not [!Condition D]]"),
            [
                {"Ref": "A"},
                {"Fn::GetAtt": ["A", "B.C"]},
                {"Fn::Sub": ["x", {"y": {"Ref": "z"}}]},
                {"Fn::Not": [{"Condition": "D"}]},
            ],
        )

    def test_a_key_that_occurs_twice_is_refused(self):
        with self.assertRaisesRegex(ValueError, "line 2: a occurs twice"):
            parse("b:\n  { a: 1, a: 2 }")

    def test_the_name_of_a_loop_is_replaced_in_references_and_texts(self):
        self.assertEqual(expanded("{ QueueName: !Ref Colour }"), [{"QueueName": "Red"}, {"QueueName": "Blue"}])
        for properties, first in [
            ("{ A: { Ref: !Sub '${Colour}Key' } }", {"Ref": "RedKey"}),
            ("{ A: { Fn::GetAtt: [!Sub '${Colour}Queue', Arn] } }", {"Fn::GetAtt": ["RedQueue", "Arn"]}),
            ("{ A: !Sub '${Colour}-${AWS::Region}' }", {"Fn::Sub": "Red-${AWS::Region}"}),
            ("{ A: !Sub '${Colour}.${Other}' }", {"Fn::Sub": "Red.${Other}"}),
            ("{ A: [{ B: !Sub '${Colour}s' }] }", [{"B": "Reds"}]),
            ("{ A: !If [C, !Ref Colour, !Ref AWS::NoValue] }", {"Fn::If": ["C", "Red", {"Ref": "AWS::NoValue"}]}),
        ]:
            self.assertEqual(expanded(properties)[0], {"A": first}, properties)

    def test_mappings_are_looked_up(self):
        for properties, both in [
            ("{ A: !FindInMap [Colours, !Ref Colour, Name] }", ["red", "blue"]),
            ("{ A: !FindInMap [Colours, Red, Shades] }", [["dark", "light"]] * 2),
            ("{ A: !Sub ['a ${N}', { N: !FindInMap [Colours, !Ref Colour, Name] }] }", ["a red", "a blue"]),
            (
                "{ A: !Sub ['${P}/${N}/${O}', { N: !FindInMap [Colours, !Ref Colour, Name], O: !Ref Other }] }",
                [{"Fn::Sub": [f"${{P}}/{name}/${{O}}", {"O": {"Ref": "Other"}}]} for name in ("red", "blue")],
            ),
        ]:
            self.assertEqual(expanded(properties), [{"A": one} for one in both], properties)
        self.refused("the mapping Colours has no Green", "{ A: !FindInMap [Colours, Green, Name] }")
        self.refused("the mapping Colours has no {'Ref': 'Other'}", "{ A: !FindInMap [Colours, !Ref Other, Name] }")

    def test_loops_do_not_nest(self):
        inner = "    - Fn::ForEach::${Colour}: [A, [B], {}]\n      ${Colour}Queue:"
        self.refused("loops in loops", template=SMALL.replace("    - ${Colour}Queue:", inner))

    def test_what_cloudformation_would_not_replace_is_refused(self):
        self.refused("only in Fn::Sub", '{ QueueName: "${Colour}" }')
        self.refused("only in Fn::Sub", '{ "${Colour}": 1 }')

    def test_what_would_exist_twice_is_refused(self):
        self.refused("an item occurs twice", template=SMALL.replace("[Red, Blue]", "[Red, Red]"))
        self.refused("would exist more than once", template=SMALL.replace("${Colour}Queue", "RedQueue"))
        self.refused("RedQueue exists twice", template=SMALL + "  RedQueue: { Type: AWS::SNS::Topic }\n")

    def test_only_included_files_are_a_transform(self):
        self.refused("Macro is not expanded", "{ Fn::Transform: { Name: Macro, Parameters: {} } }")
        found = expanded("{ Fn::Transform: { Name: AWS::Include, Parameters: { Location: infra/dashboard.yaml } } }")[0]
        self.assertEqual(list(found), ["Fn::Sub"])

    def test_an_included_file_holds_resources_too(self):
        included = "  Fn::Transform: { Name: AWS::Include, Parameters: { Location: infra/watching.yaml } }\n"
        found = expand(parse(SMALL + included))["Resources"]
        self.assertLessEqual({"RedQueue", "BlueQueue", "RequestQuery"}, set(found))
        twice = SMALL + included + "  RequestQuery: { Type: AWS::SNS::Topic }\n"
        self.refused("RequestQuery exists twice", template=twice)


class Template(unittest.TestCase):
    TEXT = TEMPLATE.read_text()
    WRITTEN = parse(TEXT)
    READ = read()

    def test_nothing_is_left_to_expand(self):
        self.assertEqual(self.READ["Transform"], SERVERLESS)
        self.assertEqual(self.WRITTEN["Transform"], [EXTENSIONS, SERVERLESS])
        text = json.dumps(self.READ)
        for left in (LOOP, "Fn::FindInMap", "Fn::Transform", "Mappings"):
            self.assertNotIn(left, text)

    def test_the_number_of_resources(self):
        """A resource that is lost, or made by mistake, is noticed here even if no other test knows it."""
        kinds = Counter(resource["Type"].removeprefix("AWS::") for resource in self.READ["Resources"].values())
        expected = {
            "ApiGatewayV2::Api": 2,
            "ApiGatewayV2::ApiMapping": 1,
            "ApiGatewayV2::DomainName": 1,
            "ApiGatewayV2::Integration": 11,
            "ApiGatewayV2::Route": 43,
            "ApiGatewayV2::RouteResponse": 1,
            "ApiGatewayV2::Stage": 2,
            "Budgets::Budget": 1,
            "CloudFront::Distribution": 1,
            "CloudFront::OriginAccessControl": 1,
            "CloudFront::ResponseHeadersPolicy": 1,
            "CloudWatch::Alarm": 66,
            "CloudWatch::CompositeAlarm": 3,
            "CloudWatch::Dashboard": 1,
            "DynamoDB::Table": 3,
            "Events::Rule": 3,
            "IAM::Policy": 1,
            "KMS::Alias": 4,
            "KMS::Key": 5,
            "Lambda::Permission": 11,
            "Logs::LogGroup": 18,
            "Logs::MetricFilter": 19,
            "Logs::QueryDefinition": 5,
            "Route53::RecordSet": 1,
            "S3::Bucket": 2,
            "S3::BucketPolicy": 2,
            "SNS::Subscription": 1,
            "SNS::Topic": 1,
            "SNS::TopicPolicy": 1,
            "SQS::Queue": 8,
            "SQS::QueuePolicy": 1,
            "SSM::Parameter": 1,
            "SecretsManager::Secret": 1,
            "Serverless::Function": 17,
        }
        self.assertEqual(kinds, expected)

    def test_transactions_are_allowed_under_both_readings(self):
        """With TransactionKeys=together, one statement allows every key that a function writes, in transactions alone."""
        added = {}
        for name, resource in self.READ["Resources"].items():
            if resource["Type"] == "AWS::Serverless::Function":
                [policy] = resource["Properties"]["Policies"]
                *own, last = policy["Statement"]
                if "Fn::If" not in last:
                    self.assertIsNone(of_transactions(policy["Statement"]), name)
                    continue
                condition, statement, otherwise = last["Fn::If"]
                self.assertEqual((condition, otherwise), ("KeysTogether", {"Ref": "AWS::NoValue"}))
                added[name.removesuffix("Function")] = statement
                where = {"dynamodb:EnclosingOperation": "TransactWriteItems"}
                self.assertEqual(statement["Condition"]["StringEquals"], where)
                keys = statement["Condition"]["ForAllValues:StringLike"][LEADING_KEYS]
                for each in own:
                    for action in set(several(each["Action"])) & set(ITEMS) if each["Effect"] == "Allow" else ():
                        self.assertIn(action, statement["Action"])
                        self.assertIn(each["Resource"], statement["Resource"])
                        written = each.get("Condition", {}).get("ForAllValues:StringLike", {}).get(LEADING_KEYS, ["*"])
                        self.assertTrue(keys == ["*"] or set(written) <= set(keys), f"{name}, {action}")
        self.assertEqual(sorted(added), [
            "Account", "Auth", "ChainWatcher", "DownloadHistories", "EventWorker", "ExportWorker", "Prizes", "Refund", "Socket", "Transactions", "VmTransactions", "WebhookWorker", "Xchain",
        ])
        self.assertEqual(self.READ["Parameters"]["TransactionKeys"]["Default"], "each")

    def test_every_function_has_what_the_loops_make(self):
        """The lists of the loops and the mapping name exactly the functions that are written."""
        resources = self.READ["Resources"]
        functions = {
            name.removesuffix("Function"): resource["Properties"]
            for name, resource in resources.items()
            if resource["Type"] == "AWS::Serverless::Function"
        }
        mapped = self.WRITTEN["Mappings"]["Functions"]
        self.assertEqual({name: f"target/lambda/{one['Name']}/bootstrap.zip" for name, one in mapped.items()},
                         {name: one["CodeUri"] for name, one in functions.items()})
        partners = {"ORD_URL", "ESPLORA_URL", "EVM_RPC_URL", "PERP_VENUE_RPC_URL"}
        for name, properties in functions.items():
            variables = set(properties["Environment"]["Variables"])
            behind_the_api = "CORS_ORIGINS" in variables
            made = {"LogGroup": True, "Failing": True, "PartnerErrors": behind_the_api and bool(variables & partners)}
            made |= dict.fromkeys(["Integration", "Permission"], behind_the_api or name == "Socket")
            made |= dict.fromkeys(["Faults", "Throttled"], behind_the_api)
            self.assertEqual({one: f"{name}{one}" in resources for one in made}, made, name)
            self.assertEqual(properties["LoggingConfig"], {"LogGroup": {"Ref": f"{name}LogGroup"}})
            group = resources[f"{name}LogGroup"]["Properties"]["LogGroupName"]
            self.assertEqual(group, {"Fn::Sub": f"/runeport/${{AWS::StackName}}/{mapped[name]['Name']}"})

    def test_loops_make_nothing_that_the_local_stack_reads(self):
        """infra/local reads tables, queues, buckets, keys and functions without expanding the template."""
        kinds = {
            resource["Type"]
            for key, loop in self.WRITTEN["Resources"].items()
            if key.startswith(LOOP)
            for resource in loop[2].values()
        }
        self.assertEqual(kinds, {
            "AWS::ApiGatewayV2::Integration", "AWS::CloudWatch::Alarm", "AWS::Lambda::Permission",
            "AWS::Logs::LogGroup", "AWS::Logs::MetricFilter",
        })

    def test_sam_finds_the_zips(self):
        functions = [
            resource["Properties"]["CodeUri"]
            for resource in json.loads(for_sam(self.READ))["Resources"].values()
            if resource["Type"] == "AWS::Serverless::Function"
        ]
        self.assertEqual(len(functions), 17)
        for path in functions:
            self.assertTrue(path.startswith(f"{ROOT}/target/lambda/"), path)
        self.assertNotIn(str(ROOT), json.dumps(self.READ))

    def test_a_person_can_read_it(self):
        lines = self.TEXT.splitlines()
        self.assertLessEqual(len(lines), MOST_LINES)
        for number, line in enumerate(lines, 1):
            self.assertLessEqual(len(line), LONGEST_LINE, f"line {number}")


if __name__ == "__main__":
    unittest.main()
