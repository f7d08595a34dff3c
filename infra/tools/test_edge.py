"""Checks infra/edge.yaml, and what `make edge` does with it, against clients that keep parameters and stacks."""

import copy
import re
import unittest
from types import SimpleNamespace

from botocore.exceptions import ClientError
from edge import READ_AGAIN, REGION, TEMPLATE, edge
from template import ROOT, parse, read

CERTIFICATE = "arn:aws:acm:us-east-1:123456789012:certificate/1"
NAME = "/runeport/runeport-dev/edge-secret"


class Account:
    """SSM and CloudFormation, as far as they are used."""

    class exceptions:
        AlreadyExistsException = type("AlreadyExistsException", (Exception,), {})

    def __init__(self, domain="api.example.com", zone="", parameter=NAME, region="eu-central-1"):
        self.parameter, self.checked, self.meta, self.stacks = parameter, True, SimpleNamespace(region_name=region), set()
        outputs = [{"OutputKey": "DomainTarget", "OutputValue": "d-1.execute-api.example"}] if domain else []
        parameters = [{"ParameterKey": "DomainName", "ParameterValue": domain},
                      {"ParameterKey": "HostedZoneId", "ParameterValue": zone},
                      {"ParameterKey": "CorsOrigins", "ParameterValue":
                          "https://app.example.com, https://*.preview.example.com,https://app-*-team.example.app"}]
        self.stack = {"Parameters": parameters, "Outputs": outputs}
        self.kept, self.deployed, self.pauses, self.regions = None, [], [], []

    def client(self, service, region_name=None):
        self.regions.append((service, region_name))
        return self

    def describe_stacks(self, StackName):
        return {"Stacks": [self.stack]}

    def get_parameter(self, Name, WithDecryption):
        if self.kept is None:
            raise ClientError({"Error": {"Code": "ParameterNotFound"}}, "GetParameter")
        assert (Name, WithDecryption) == (self.parameter, True)
        return {"Parameter": {"Value": self.kept}}

    def put_parameter(self, Name, Value, Type, Overwrite):
        assert (Name, Type, Overwrite) == (self.parameter, "SecureString", True)
        self.kept = Value

    def create_stack(self, StackName, TemplateBody, Parameters, Capabilities):
        if self.deployed:
            raise self.exceptions.AlreadyExistsException
        self.update_stack(StackName, TemplateBody, Parameters, Capabilities)

    def update_stack(self, StackName, TemplateBody, Parameters, Capabilities):
        parameters = {each["ParameterKey"]: each["ParameterValue"] for each in Parameters}
        if self.deployed and self.deployed[-1] == parameters:
            raise ClientError({"Error": {"Code": "ValidationError", "Message": "No updates are to be performed."}}, "UpdateStack")
        # The functions accept what CloudFront is about to send.
        assert not self.checked or parameters["Secret"] in self.kept.split()
        self.deployed.append(parameters)

    def get_waiter(self, name):
        return self

    def wait(self, StackName):
        self.stacks.add(StackName)

    def edge(self, rotate=False):
        edge("runeport-dev", CERTIFICATE, "Z1", rotate, self.client, self.pauses.append)


class Edge(unittest.TestCase):
    def test_the_secret_is_made_once_and_rotated_without_a_gap(self):
        account = Account()
        account.edge()
        first = account.kept
        self.assertRegex(first, "^[A-Za-z0-9_-]{43}$")
        self.assertEqual(account.deployed, [{
            "DomainName": "api.example.com", "Origin": "d-1.execute-api.example", "CertificateArn": CERTIFICATE,
            "HostedZoneId": "Z1", "CorsOrigins": "https://app.example.com,https://*.preview.example.com", "Secret": first,
        }])
        self.assertEqual(account.stacks, {"runeport-dev-eu-central-1-edge"})
        self.assertIn(("cloudformation", REGION), account.regions)
        account.edge()
        self.assertEqual((account.kept, len(account.deployed), account.pauses), (first, 1, []))
        account.edge(rotate=True)
        second, old = account.kept.split()
        self.assertEqual((old, account.deployed[-1]["Secret"], account.pauses), (first, second, [READ_AGAIN]))
        account.edge()
        self.assertEqual((account.kept, len(account.deployed)), (second, 2))

    def test_each_region_has_a_cloudfront_of_its_own(self):
        account = Account(region="eu-west-1")
        account.edge()
        self.assertEqual(account.stacks, {"runeport-dev-eu-west-1-edge"})

    def test_cloudfront_needs_the_domain_of_the_api_and_its_record(self):
        with self.assertRaisesRegex(SystemExit, "has no DomainName"):
            Account(domain="").edge()
        with self.assertRaisesRegex(SystemExit, 'set HostedZoneId = ""'):
            Account(zone="Z1").edge()


class Template(unittest.TestCase):
    READ = parse(TEMPLATE.read_text())
    RULES = READ["Resources"]["Firewall"]["Properties"]["Rules"]

    def test_the_firewall_knows_addresses_bodies_and_common_attacks(self):
        self.assertEqual([rule["Name"] for rule in self.RULES], ["address", "body", "common", "inputs"])
        self.assertEqual([rule["Priority"] for rule in self.RULES], [0, 1, 2, 3])
        rate = self.RULES[0]["Statement"]["RateBasedStatement"]
        self.assertEqual((rate["AggregateKeyType"], rate["Limit"]), ("IP", {"Ref": "RequestsOfOneAddress"}))
        pattern = re.compile(self.RULES[1]["Statement"]["RegexMatchStatement"]["RegexString"])
        for length, refused in [
            (0, False), (99_999, False), (262_144, False), (262_999, False), (263_000, True), (269_999, True),
            (270_000, True), (299_999, True), (300_000, True), (999_999, True), (1_000_000, True), (10**9, True),
        ]:
            self.assertEqual(bool(pattern.search(str(length))), refused, length)
        for rule in self.RULES[2:]:
            self.assertEqual(rule["Statement"]["ManagedRuleGroupStatement"]["VendorName"], "AWS")

    def test_cloudfront_proves_itself_and_names_the_client(self):
        distribution = self.READ["Resources"]["Distribution"]["Properties"]["DistributionConfig"]
        self.assertEqual(distribution["WebACLId"], {"Fn::GetAtt": ["Firewall", "Arn"]})
        [origin] = distribution["Origins"]
        header = {"HeaderName": "x-edge-secret", "HeaderValue": {"Ref": "Secret"}}
        self.assertEqual(origin["OriginCustomHeaders"], [header])
        self.assertEqual(self.READ["Parameters"]["Secret"]["NoEcho"], True)
        passes = self.READ["Resources"]["Passes"]["Properties"]["OriginRequestPolicyConfig"]["HeadersConfig"]
        self.assertEqual(passes["Headers"], ["CloudFront-Viewer-Address"])
        self.assertEqual(distribution["DefaultCacheBehavior"]["OriginRequestPolicyId"], {"Ref": "Passes"})

    def test_what_functions_let_everybody_keep_is_kept(self):
        """Those are answers of public routes: they are the same for all, so no token is part of what they are kept by."""
        public, kept = set(), {}
        for source in (ROOT / "functions").glob("*/src/*.rs"):
            text = source.read_text()
            public.update(re.findall(r'\.get\(\s*Public,\s*"([^"]+)"', text))
            if found := re.search(r'"public, max-age=(\d+)"', text):
                kept.update({path: int(found[1]) for path in re.findall(r'^    path = "([^"]+)"', text, re.MULTILINE)})
        self.assertEqual(len(kept), 8)
        self.assertLessEqual(set(kept), public)
        resources = self.READ["Resources"]
        config = resources["Distribution"]["Properties"]["DistributionConfig"]
        behaviours = {each.pop("PathPattern"): each for each in copy.deepcopy(config["CacheBehaviors"])}
        self.assertEqual(set(behaviours), {re.sub(r"{\w+}", "*", path) for path in kept})
        same = {**config["DefaultCacheBehavior"], "CachePolicyId": {"Ref": "Kept"}}
        for pattern, behaviour in behaviours.items():
            self.assertEqual(behaviour, same, pattern)
        policy = resources["Kept"]["Properties"]["CachePolicyConfig"]
        # As long as the function says, and nothing of which it says nothing.
        self.assertEqual((policy["MinTTL"], policy["DefaultTTL"], policy["MaxTTL"]), (0, 0, max(kept.values())))
        key = policy["ParametersInCacheKeyAndForwardedToOrigin"]
        self.assertEqual(key["HeadersConfig"], {"HeaderBehavior": "whitelist", "Headers": ["Origin"]})
        self.assertEqual((key["CookiesConfig"], key["QueryStringsConfig"]), ({"CookieBehavior": "none"}, {"QueryStringBehavior": "all"}))

    def test_no_error_is_kept(self):
        """By default CloudFront keeps them for ten seconds: what one client's request met would be everybody's answer."""
        config = self.READ["Resources"]["Distribution"]["Properties"]["DistributionConfig"]
        kept = {400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504}
        self.assertEqual({each["ErrorCode"]: each["ErrorCachingMinTTL"] for each in config["CustomErrorResponses"]}, dict.fromkeys(kept, 0))

    def test_pages_can_read_what_no_function_answered(self):
        policy = self.READ["Resources"]["Readable"]["Properties"]["ResponseHeadersPolicyConfig"]["CorsConfig"]
        # Functions decide about their own answers.
        self.assertEqual((policy["OriginOverride"], policy["AccessControlAllowCredentials"]), (False, False))
        self.assertEqual(policy["AccessControlAllowOrigins"], {"Items": {"Ref": "CorsOrigins"}})
        behaviour = self.READ["Resources"]["Distribution"]["Properties"]["DistributionConfig"]["DefaultCacheBehavior"]
        used = {"Fn::If": ["BrowsersCall", {"Ref": "Readable"}, {"Ref": "AWS::NoValue"}]}
        self.assertEqual(behaviour["ResponseHeadersPolicyId"], used)
        for rule in self.RULES[:2]:
            headers = rule["Action"]["Block"]["CustomResponse"]["ResponseHeaders"]
            self.assertIn({"Name": "access-control-allow-origin", "Value": "*"}, headers)

    def test_the_address_of_the_api_is_the_one_that_answers(self):
        address = read()["Outputs"]["ApiUrl"]["Value"]
        from_aws = {"Fn::GetAtt": ["HttpApi", "ApiEndpoint"]}
        self.assertEqual(address, {"Fn::If": ["HasDomain", {"Fn::Sub": "https://${DomainName}"}, from_aws]})
        named = read()["Resources"]["MediasFunction"]["Properties"]["Environment"]["Variables"]["API_URL"]
        self.assertEqual(named["Fn::If"][:2], address["Fn::If"][:2])

    def test_the_api_is_closed_to_others_once_it_knows_the_secret(self):
        template = read()
        self.assertEqual(template["Parameters"]["EdgeSecret"]["Default"], "")
        self.assertTrue(re.match(template["Parameters"]["EdgeSecret"]["AllowedPattern"], f"ssm:{NAME}"))
        closed = template["Resources"]["HttpApi"]["Properties"]["DisableExecuteApiEndpoint"]
        # With a domain of its own it has no other name, and a secret needs a domain.
        self.assertEqual(closed, {"Fn::If": ["HasDomain", True, False]})
        (needs,) = template["Rules"]["EdgeHasDomain"]["Assertions"]
        self.assertEqual(needs["Assert"], {"Fn::Not": [{"Fn::Equals": [{"Ref": "DomainName"}, ""]}]})
        for name, resource in template["Resources"].items():
            if resource["Type"] == "AWS::Serverless::Function":
                variables = resource["Properties"]["Environment"]["Variables"]
                behind_the_api = "CORS_ORIGINS" in variables
                self.assertEqual(variables.get("EDGE_SECRET"), {"Ref": "EdgeSecret"} if behind_the_api else None, name)

    def test_the_number_of_resources(self):
        kinds = sorted(resource["Type"].removeprefix("AWS::") for resource in self.READ["Resources"].values())
        self.assertEqual(kinds, [
            "CloudFront::CachePolicy", "CloudFront::Distribution", "CloudFront::OriginRequestPolicy", "CloudFront::ResponseHeadersPolicy", "Route53::RecordSet", "Route53::RecordSet",
            "WAFv2::WebACL",
        ])


if __name__ == "__main__":
    unittest.main()
