"""Checks template.yaml: SAM expands it without other tools, a person can read it, and resources that each
function, queue or table has are alike."""

import copy
import fnmatch
import json
import re
import unittest
from collections import Counter

from check_template import ITEMS, LEADING_KEYS, binary, of_transactions, several
from expansion import expanded
from samconfig import ENVIRONMENTS, settings, values_of
from template import TEMPLATE as FILE
from template import functions, parse, read

SERVERLESS = "AWS::Serverless-2016-10-31"
LONGEST_LINE = 145
TEMPLATE = read()
RESOURCES = TEMPLATE["Resources"]


class Rules(unittest.TestCase):
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


class Template(unittest.TestCase):
    def test_sam_alone_expands_it(self):
        """A second transform would need further rights and capabilities, `sam build` skips loops, and no
        linter sees the resources of an included file."""
        self.assertEqual(TEMPLATE["Transform"], SERVERLESS)
        text = json.dumps(TEMPLATE)
        for macro in ("Fn::ForEach", "Fn::Transform", "Fn::FindInMap"):
            self.assertNotIn(macro, text)
        # CloudFormation's own limits.
        self.assertLess(len(text), 1_000_000)

    def test_sam_builds_each_function(self):
        found = functions(TEMPLATE)
        self.assertEqual(len(found), 18)
        for name, properties in found.items():
            self.assertEqual(
                RESOURCES[name]["Metadata"], {"BuildMethod": "makefile", "ContextPath": ".", "WorkingDirectory": "."}, name
            )
            self.assertEqual(properties["CodeUri"], f"functions/{binary(name)}")
            self.assertTrue((FILE.parent / properties["CodeUri"] / "Cargo.toml").exists(), name)

    def test_nothing_that_others_write_has_a_value_here(self):
        """An update of the resource, of its tags for example, would put that value back."""
        for name, resource in RESOURCES.items():
            self.assertNotEqual(resource["Type"], "AWS::SSM::Parameter", name)
            if resource["Type"] == "AWS::SecretsManager::Secret":
                self.assertEqual(set(resource["Properties"]), {"Description"}, name)
            if resource["Type"] == "AWS::DynamoDB::Table":
                self.assertNotIn("ImportSourceSpecification", resource["Properties"], name)

    def test_no_function_writes_the_keys_of_tokens(self):
        """Who writes the public keys can issue tokens of any account: operators do, with make rotate-keys."""
        found = set()
        for name, properties in functions(TEMPLATE).items():
            for statement in properties["Policies"][0]["Statement"]:
                statement = statement["Fn::If"][1] if "Fn::If" in statement else statement
                if statement["Effect"] == "Allow":
                    found |= {action for action in several(statement["Action"]) if action.split(":")[0] in ("ssm", "secretsmanager", "*")}
        self.assertEqual(found, {"ssm:GetParameter", "secretsmanager:GetSecretValue"})

    def test_the_number_of_resources(self):
        """A resource that is lost, or made by mistake, is noticed here even if no other test knows it."""
        kinds = Counter(resource["Type"].removeprefix("AWS::") for resource in TEMPLATE["Resources"].values())
        expected = {
            "ApiGatewayV2::Api": 2,
            "ApiGatewayV2::ApiMapping": 1,
            "ApiGatewayV2::DomainName": 1,
            "ApiGatewayV2::Integration": 12,
            "ApiGatewayV2::Route": 46,
            "ApiGatewayV2::RouteResponse": 1,
            "ApiGatewayV2::Stage": 2,
            "Budgets::Budget": 1,
            "CloudFront::Distribution": 1,
            "CloudFront::OriginAccessControl": 1,
            "CloudFront::ResponseHeadersPolicy": 1,
            "CloudWatch::Alarm": 74,
            "CloudWatch::CompositeAlarm": 3,
            "CloudWatch::Dashboard": 1,
            "DynamoDB::Table": 3,
            "Events::Rule": 4,
            "IAM::Policy": 2,
            "IAM::Role": 1,
            "KMS::Alias": 4,
            "KMS::Key": 5,
            "Lambda::Permission": 12,
            "Logs::LogGroup": 19,
            "Logs::MetricFilter": 38,
            "Logs::QueryDefinition": 5,
            "Route53::RecordSet": 2,
            "S3::Bucket": 2,
            "S3::BucketPolicy": 2,
            "SNS::Subscription": 1,
            "SNS::Topic": 1,
            "SNS::TopicPolicy": 1,
            "SQS::Queue": 10,
            "SQS::QueuePolicy": 1,
            "SecretsManager::Secret": 1,
            "Serverless::Function": 18,
        }
        self.assertEqual(kinds, expected)

    def test_transactions_are_allowed_under_both_readings(self):
        """With TransactionKeys=together, one statement allows every key that a function writes, in transactions alone."""
        added = {}
        for name, resource in RESOURCES.items():
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
            "Account", "Auth", "ChainWatcher", "DownloadHistories", "EventWorker", "ExportWorker", "MailWorker", "Prizes", "Refund", "Socket", "Support", "Transactions", "VmTransactions", "WebhookWorker", "Xchain",
        ])
        self.assertEqual(TEMPLATE["Parameters"]["TransactionKeys"]["Default"], "each")

    def test_pushes_take_a_fifth_of_the_rate_of_the_account_at_most(self):
        """A rule for each rate allows the pairs of runs and pushes a second of each that fit it, and no others."""
        parameters = TEMPLATE["Parameters"]
        pairs = parameters["SocketsAtOnce"]["AllowedValues"]
        rates = parameters["GatewayRate"]["AllowedValues"]

        def total(pair):
            runs, each = map(int, pair.split(","))
            # A run posts to 500 readers, perhaps twice to each, within its 25 s; and SQS accepts no fewer
            # than two runs.
            self.assertGreaterEqual(each * 20, 2 * 500, pair)
            self.assertGreaterEqual(runs, 2, pair)
            return runs * each

        for rate in rates:
            fitting = [pair for pair in pairs if total(pair) * 5 <= rate]
            self.assertTrue(fitting, rate)
            if fitting == pairs:
                continue
            rule = TEMPLATE["Rules"][f"PushesFit{rate}"]
            self.assertEqual(rule["RuleCondition"], {"Fn::Equals": [{"Ref": "GatewayRate"}, str(rate)]})
            [assertion] = rule["Assertions"]
            self.assertEqual(assertion["Assert"], {"Fn::Contains": [fitting, {"Ref": "SocketsAtOnce"}]})
        self.assertEqual(sum(name.startswith("PushesFit") for name in TEMPLATE["Rules"]), len(rates) - 1)
        self.assertLessEqual(total(parameters["SocketsAtOnce"]["Default"]) * 5, parameters["GatewayRate"]["Default"])
        for environment in ENVIRONMENTS:
            values = values_of(settings(), environment)
            rate = int(values.get("GatewayRate", parameters["GatewayRate"]["Default"]))
            self.assertLessEqual(total(values.get("SocketsAtOnce", parameters["SocketsAtOnce"]["Default"])) * 5, rate, environment)

    def test_a_run_of_the_worker_of_sockets_knows_its_pace(self):
        """The event source and the reservation have the first number, and the function the second one."""
        properties = functions(TEMPLATE)["SocketWorkerFunction"]

        def part(index):
            return {"Fn::Select": [index, {"Fn::Split": [",", {"Ref": "SocketsAtOnce"}]}]}

        self.assertEqual(properties["Environment"]["Variables"]["SOCKET_PUSHES_PER_SECOND"], part(1))
        self.assertEqual(properties["Events"]["Sockets"]["Properties"]["ScalingConfig"], {"MaximumConcurrency": part(0)})
        self.assertEqual(properties["ReservedConcurrentExecutions"]["Fn::If"][1], part(0))

    def test_a_lost_tick_of_a_schedule_is_made_up_for_by_the_next_one(self):
        """Why rules of EventBridge suffice for schedules (decision 34): no times of day, no retries, short rates, and alarms on missing runs."""
        rates = {}
        for name, properties in functions(TEMPLATE).items():
            for event in properties.get("Events", {}).values():
                if event["Type"] != "SQS":
                    self.assertEqual(event["Type"], "Schedule", name)
                    self.assertEqual(event["Properties"]["RetryPolicy"], {"MaximumRetryAttempts": 0}, name)
                    self.assertEqual(properties["EventInvokeConfig"]["MaximumRetryAttempts"], 0, name)
                    rates[name] = event["Properties"]["Schedule"]
        for name, resource in RESOURCES.items():
            if resource["Type"] == "AWS::Events::Rule" and "ScheduleExpression" in resource["Properties"]:
                rates[name] = resource["Properties"]["ScheduleExpression"]
        # A mail to people; preflight.py says so, too.
        self.assertEqual(rates.pop("TokenKeyDue"), "cron(0 9 1 1,4,7,10 ? *)")
        minute, sweep = "rate(1 minute)", "rate(5 minutes)"
        self.assertEqual(rates, {"EventWorkerFunction": minute, "ChainWatcherFunction": minute, "ExportSweep": sweep})
        for alarm, function in [("WatcherLagging", "ChainWatcherFunction"), ("EventWorkerStopped", "EventWorkerFunction")]:
            properties = RESOURCES[alarm]["Properties"]
            self.assertEqual(properties["TreatMissingData"], "breaching")
            self.assertEqual(properties["Dimensions"], [{"Name": "FunctionName", "Value": {"Ref": function}}])
        (rule,) = [each for each in RESOURCES["ExportBucket"]["Properties"]["LifecycleConfiguration"]["Rules"] if "ExpirationInDays" in each]
        self.assertEqual(rule["Status"], "Enabled")

    def test_every_function_has_what_belongs_to_it(self):
        partners = {"ORD_URL", "ESPLORA_URL", "EVM_RPC_URL", "PERP_VENUE_RPC_URL"}
        for name, properties in functions(TEMPLATE).items():
            short, variables = name.removesuffix("Function"), set(properties["Environment"]["Variables"])
            behind_the_api = "CORS_ORIGINS" in variables
            made = {"LogGroup": True, "Failing": True, "Refusals": True, "PartnerErrors": behind_the_api and bool(variables & partners)}
            made |= dict.fromkeys(["Integration", "Permission"], behind_the_api or short == "Socket")
            made |= dict.fromkeys(["Faults", "Throttled"], behind_the_api)
            self.assertEqual({one: f"{short}{one}" in RESOURCES for one in made}, made, name)
            self.assertEqual(properties["LoggingConfig"], {"LogGroup": {"Ref": f"{short}LogGroup"}})
            group = RESOURCES[f"{short}LogGroup"]["Properties"]["LogGroupName"]
            self.assertEqual(group, {"Fn::Sub": f"/runeport/${{AWS::StackName}}/{binary(name)}"})

    def test_source_addresses_are_kept_no_longer_than_their_own_parameter_says(self):
        for name, one in RESOURCES.items():
            if one["Type"] == "AWS::Logs::LogGroup":
                parameter = "AccessLogRetentionDays" if name == "AccessLogGroup" else "LogRetentionDays"
                self.assertEqual(one["Properties"]["RetentionInDays"], {"Ref": parameter}, name)
        self.assertEqual(TEMPLATE["Parameters"]["AccessLogRetentionDays"]["Default"], 30)

    def test_every_role_has_the_boundary(self):
        wanted = {"Fn::If": ["HasBoundary", {"Ref": "PermissionsBoundary"}, {"Ref": "AWS::NoValue"}]}
        roles = {name: one for name, one in expanded(copy.deepcopy(TEMPLATE), "us-east-1").items() if one["Type"] == "AWS::IAM::Role"}
        self.assertEqual(set(roles), {f"{name}Role" for name in functions(TEMPLATE)} | {"ShiftingRole"})
        for name, one in roles.items():
            self.assertEqual(one["Properties"]["PermissionsBoundary"], wanted, name)

    def test_a_policy_of_all_functions_is_that_of_each(self):
        roles = {f"{name}Role" for name in functions(TEMPLATE)}
        for name in ("LogGroupsPolicy", "TracesPolicy"):
            self.assertEqual({one["Ref"] for one in RESOURCES[name]["Properties"]["Roles"]}, roles, name)

    def test_lines_of_functions_are_left_out_by_log_level_alone(self):
        """Lambda would drop lines below its own level, which is INFO unless it is set, and RUST_LOG decides that already."""
        config = TEMPLATE["Globals"]["Function"]["LoggingConfig"]
        self.assertEqual(config, {"LogFormat": "JSON", "ApplicationLogLevel": "TRACE", "SystemLogLevel": "WARN"})
        for name, one in expanded(copy.deepcopy(TEMPLATE), "us-east-1").items():
            if one["Type"] == "AWS::Lambda::Function":
                self.assertEqual(set(one["Properties"]["LoggingConfig"]), {*config, "LogGroup"}, name)

    def test_what_is_alike_differs_by_its_name_alone(self):
        """An alarm that somebody corrects for one function, queue or table is corrected for all."""
        behind_the_api = [name.removesuffix("Integration") for name in RESOURCES if name.endswith("Integration")]
        behind_the_api.remove("Socket")
        all_functions = [name.removesuffix("Function") for name in functions(TEMPLATE)]
        workers = [name for name in all_functions if name not in behind_the_api]
        queues = [name.removesuffix("DeadLetters") for name in RESOURCES if name.endswith("DeadLetters")]
        words = {"Mail": "A mail", "Export": "A message about exports", "Webhook": "A message about webhooks"}
        words["Socket"] = "A message about sockets"
        groups = [
            (behind_the_api, ["Integration", "Permission", "Faults", "PartnerErrors", "Failing", "Throttled", "Refusals"]),
            (all_functions, ["LogGroup"]),
            (workers, ["Failing", "Refusals"]),
            (queues, ["DeadLettersFilled", "DeadLettersOld"]),
            (["Accounts", "Activity", "Ephemeral"], ["TableErrors"]),
            (["Accounts", "Ephemeral"], ["TableThrottled"]),
        ]
        compared = 0
        for names, kinds in groups:
            for kind in kinds:
                shapes = {}
                for name in names:
                    if resource := RESOURCES.get(f"{name}{kind}"):
                        text = json.dumps(resource, sort_keys=True).replace(f'"{words.get(name, name)} was', '"It was')
                        text = re.sub(rf"(?<![A-Za-z:]){name}(?=[A-Z])", "NAME", text)
                        text = re.sub(rf"(?<![\w-]){binary(name)}(?![\w])(?!-worker)", "name", text)
                        shapes.setdefault(text, []).append(name)
                        compared += 1
                self.assertEqual(len(shapes), 1, f"{kind}: {list(shapes.values())} {list(shapes)}")
        self.assertEqual(compared, 11 * 6 + 8 + 18 + 2 * 7 + 2 * 4 + 3 + 2)

    def test_every_partner_is_asked_over_tls(self):
        """What is on the way to Esplora decides what is confirmed. Addresses of pages are no partners: they are shown to users."""
        pages = {"AppUrl", "CorsOrigins", "PasskeyOrigins", "SignInUri"}
        partners = set()
        for name, parameter in TEMPLATE["Parameters"].items():
            pattern = parameter.get("AllowedPattern", "")
            if re.match(pattern, "https://partner.example") and "http" in pattern and name not in pages:
                partners.add(name)
                for address in ("http://partner.example", "http://10.0.0.7:3000", "http://127.0.0.1.example:3000", "ftp://partner.example"):
                    self.assertNotRegex(address, pattern, name)
                self.assertRegex("http://127.0.0.1:3000", pattern, name)
        self.assertEqual(partners, {
            "EsploraUrl", "EvmRpcUrl", "HubUrl", "OrdUrl", "PerpVenueInfoUrl", "PerpVenueOwnRpcUrl", "PerpVenueRpcUrl", "TracesEndpoint",
        })

    def test_somebody_is_reminded_of_the_key_of_tokens(self):
        (target,) = RESOURCES["TokenKeyDue"]["Properties"]["Targets"]
        self.assertEqual(target["Arn"], {"Ref": "AlarmTopic"})
        said = json.loads(target["Input"]["Fn::Sub"])
        self.assertTrue(said.startswith("${AWS::StackName}: replace the key of access tokens (make rotate-keys)."), said)
        self.assertIn("\nrotate-keys:", (FILE.parent / "Makefile").read_text())

    def test_a_call_that_aws_refuses_for_its_rate_is_counted(self):
        """Neither KMS nor SSM has a metric of refused calls, so the lines about them are counted, which name the error."""
        filters = [one["Properties"] for one in RESOURCES.values() if one["Type"] == "AWS::Logs::MetricFilter"]
        counting = [one for one in filters if one["MetricTransformations"][0]["MetricName"] == "refused-calls"]
        groups = {one["LogGroupName"]["Ref"] for one in counting}
        self.assertEqual(groups, {f"{name.removesuffix('Function')}LogGroup" for name in functions(TEMPLATE)})
        for one in counting:
            for text in re.findall(r'"([^"]*)"', one["FilterPattern"]):
                self.assertTrue(fnmatch.fnmatchcase("AWS refused: 400 ThrottlingException Rate exceeded", text))
                self.assertFalse(fnmatch.fnmatchcase("AWS refused: 400 AccessDeniedException", text))
        alarm = RESOURCES["CallsRefused"]["Properties"]
        self.assertEqual((alarm["MetricName"], alarm["Statistic"]), ("refused-calls", "Sum"))

    def test_a_collector_has_room_beside_the_function(self):
        """The collector of AdotLayerArn alone takes 50 to 100 MB."""
        small = {name: one["MemorySize"] for name, one in functions(TEMPLATE).items() if one.get("MemorySize", 512) != 512}
        self.assertEqual(small, dict.fromkeys(["EventWorkerFunction", "WebhookWorkerFunction"], {"Fn::If": ["HasAdot", 256, 128]}))

    def test_each_index_of_a_table_is_watched(self):
        """An index that cannot keep up holds up the writes of its table."""
        dashboard = json.loads(RESOURCES["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"])
        rows = [row for widget in dashboard["widgets"] for row in widget["properties"].get("metrics", [])]
        shown = {(row[1], row[5]) for row in rows if "GlobalSecondaryIndexName" in row}
        watched = 0
        for name, resource in RESOURCES.items():
            if resource["Type"] == "AWS::DynamoDB::Table":
                metrics = [one["MetricStat"]["Metric"] for one in RESOURCES[f"{name}Throttled"]["Properties"]["Metrics"][1:]]
                measured = {(one["MetricName"], one["Dimensions"][-1]["Value"]) for one in metrics if len(one["Dimensions"]) == 2}
                for index in resource["Properties"].get("GlobalSecondaryIndexes", []):
                    for metric in ("ReadThrottleEvents", "WriteThrottleEvents"):
                        self.assertIn((metric, index["IndexName"]), measured, name)
                        self.assertIn((metric, index["IndexName"]), shown)
                        watched += 1
        self.assertEqual(watched, 6)

    def test_the_api_answers_both_kinds_of_addresses(self):
        self.assertEqual(RESOURCES["HttpApi"]["Properties"]["IpAddressType"], "dualstack")
        (configuration,) = RESOURCES["ApiDomain"]["Properties"]["DomainNameConfigurations"]
        self.assertEqual(configuration["IpAddressType"], "dualstack")
        records = [one["Properties"] for one in RESOURCES.values() if one["Type"] == "AWS::Route53::RecordSet"]
        self.assertEqual([one.pop("Type") for one in copy.deepcopy(records)], ["A", "AAAA"])
        self.assertEqual({key: value for key, value in records[0].items() if key != "Type"},
                         {key: value for key, value in records[1].items() if key != "Type"})

    def test_a_person_can_read_it(self):
        for number, line in enumerate(FILE.read_text().splitlines(), 1):
            self.assertLessEqual(len(line), LONGEST_LINE, f"line {number}")


if __name__ == "__main__":
    unittest.main()
