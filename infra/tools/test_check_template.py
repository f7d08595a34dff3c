"""Each test changes one thing in template.yaml, for every alarm, row of the dashboard, function and query in turn, and
expects the one complaint about it."""

import copy
import json
import re
import unittest

from check_template import NEVER, Check, Sources, alternatives, binary, choices, names, text
from template import read

TEMPLATE = read()
SOURCES = Sources()


def of_type(kind):
    return [name for name, resource in TEMPLATE["Resources"].items() if resource["Type"] == kind]


ALARMS = of_type("AWS::CloudWatch::Alarm")
MATH = [name for name in ALARMS if "Metrics" in TEMPLATE["Resources"][name]["Properties"]]
PLAIN = [name for name in ALARMS if name not in MATH]
FUNCTIONS = of_type("AWS::Serverless::Function")
QUERIES = of_type("AWS::Logs::QueryDefinition")


class Mutations(unittest.TestCase):
    def complaints(self, change):
        """The complaints about the template after `change`, which gets the properties of a resource by its name."""
        template = {**TEMPLATE, "Resources": dict(TEMPLATE["Resources"])}

        def at(name):
            if template["Resources"][name] is TEMPLATE["Resources"][name]:
                template["Resources"][name] = copy.deepcopy(TEMPLATE["Resources"][name])
            return template["Resources"][name]["Properties"]

        change(at)
        self.assertNotEqual(template, TEMPLATE, "nothing was changed")
        return Check(template, SOURCES).run()

    def caught(self, where, what, change):
        """Expects a complaint, and none about anything else."""
        complaints = self.complaints(change)
        self.assertTrue(any(what in each for each in complaints), f"{where}, {what}: {complaints}")
        for each in complaints:
            self.assertTrue(each.startswith(f"{where}:"), f"{where}, {what}: {each}")


class Sound(unittest.TestCase):
    def test_the_template_has_no_fault(self):
        self.assertEqual(Check(TEMPLATE, SOURCES).run(), [])

    def test_there_is_something_to_check(self):
        self.assertGreaterEqual(len(MATH), 15)
        self.assertGreaterEqual(len(PLAIN), 20)
        self.assertEqual((len(FUNCTIONS), len(QUERIES)), (18, 5))
        self.assertIn("BlocksBehind", SOURCES.metrics("chain-watcher"))
        self.assertNotIn("BlocksBehind", SOURCES.metrics("mail-worker"))

    def test_values_are_read_as_cloudformation_fills_them_in(self):
        self.assertEqual(text({"Ref": "A"}), "${A}")
        self.assertEqual(text({"Fn::GetAtt": ["A", "B"]}), "${A.B}")
        self.assertEqual(text({"Fn::Sub": "x/${A}"}), "x/${A}")
        none = {"Ref": "AWS::NoValue"}
        self.assertEqual(alternatives({"Fn::If": ["C", "a", {"Fn::If": ["D", "b", none]}]}), ["a", "b"])
        self.assertEqual(binary("DownloadHistoriesFunction"), "download-histories")
        self.assertEqual(names("IF(FILL(a1, 0) >= 3, 'b', c)"), ({"a1", "c"}, {"IF", "FILL"}))


class Alarms(Mutations):
    def test_a_metric_that_nothing_writes(self):
        for name in PLAIN:
            self.caught(name, "etric", lambda at: at(name).update(MetricName="Missing"))
        for name in MATH:
            for number, each in enumerate(TEMPLATE["Resources"][name]["Properties"]["Metrics"]):
                if "MetricStat" in each:

                    def renamed(at):
                        at(name)["Metrics"][number]["MetricStat"]["Metric"]["MetricName"] = "Missing"

                    self.caught(name, "etric", renamed)

    def test_a_namespace_that_nothing_writes_to(self):
        for name in PLAIN:
            self.caught(name, "no metric filter writes", lambda at: at(name).update(Namespace="Elsewhere"))
        for name in MATH:

            def moved(at):
                [each for each in at(name)["Metrics"] if "MetricStat" in each][0]["MetricStat"]["Metric"][
                    "Namespace"
                ] = "Elsewhere"

            self.caught(name, "no metric filter writes", moved)

    def test_dimensions_that_are_missing_wrong_or_too_many(self):
        watching = [name for name in PLAIN if "Dimensions" in TEMPLATE["Resources"][name]["Properties"]]
        self.assertGreaterEqual(len(watching), 18)
        for name in watching:
            self.caught(name, "", lambda at: at(name).pop("Dimensions"))
            self.caught(name, "", lambda at: at(name)["Dimensions"][0].update(Name="Colour"))
            self.caught(name, "", lambda at: at(name)["Dimensions"][0].update(Value={"Ref": "AlarmTopic"}))
            self.caught(name, "", lambda at: at(name)["Dimensions"].append({"Name": "Colour", "Value": "red"}))
        more = {"Name": "Colour", "Value": "red"}
        self.caught("ApiThrottled", "no metric filter", lambda at: at("ApiThrottled").update(Dimensions=[more]))

    def test_an_index_or_an_operation_that_does_not_exist(self):
        def index(at):
            at("ActivityTableThrottled")["Metrics"][3]["MetricStat"]["Metric"]["Dimensions"][1]["Value"] = "none"

        def operation(at):
            at("AccountsTableErrors")["Metrics"][1]["MetricStat"]["Metric"]["Dimensions"][1]["Value"] = "None"

        self.caught("ActivityTableThrottled", "no GlobalSecondaryIndexName none", index)
        self.caught("AccountsTableErrors", "no Operation None", operation)

    def test_a_metric_filter_that_is_gone(self):
        template = copy.deepcopy(TEMPLATE)
        del template["Resources"]["AuthFaults"]
        complaints = Check(template, SOURCES).run()
        self.assertEqual(len(complaints), 2, complaints)
        for complaint in complaints:
            self.assertIn("no metric filter writes Runeport/${AWS::StackName} auth-faults", complaint)

    def test_a_metric_that_another_function_writes(self):
        value = {"Ref": "MailWorkerFunction"}
        self.caught(
            "WatcherLagging",
            "mail-worker writes no metric WatcherLag",
            lambda at: at("WatcherLagging")["Dimensions"][0].update(Value=value),
        )

    def test_ids_of_metric_math(self):
        for name in MATH:
            for number, each in enumerate(TEMPLATE["Resources"][name]["Properties"]["Metrics"]):

                def metric(at, number=number):
                    return at(name)["Metrics"][number]

                self.caught(name, "is no id", lambda at: metric(at).update(Id="Upper"))
                if each.get("ReturnData", True):
                    self.caught(name, "of one metric", lambda at: metric(at).update(ReturnData=False))
                else:
                    self.caught(name, "which does not exist", lambda at: metric(at).update(Id="other"))
                    self.caught(name, "of one metric", lambda at: metric(at).update(ReturnData=True))
                if "Expression" in each:
                    for what, expression in [
                        ("uses no metric", "1"),
                        ("refers to itself", f"2 * {each['Id']}"),
                        ("function ROUND", f"ROUND({each['Expression']})"),
                    ]:
                        self.caught(name, what, lambda at: metric(at).update(Expression=expression))
                    self.caught(name, "either Expression or MetricStat", lambda at: metric(at).update(MetricStat={}))

        def twice(at):
            at("AuthFailing")["Metrics"][3]["Id"] = "answered"

        self.caught("AuthFailing", "two metrics have the id answered", twice)

        def eleven(at):
            metrics = at("AccountsTableErrors")["Metrics"]
            for more in range(11 - len(metrics)):
                metrics[0]["Expression"] += f" + more{more}"
                metrics.append({**copy.deepcopy(metrics[1]), "Id": f"more{more}"})

        self.caught("AccountsTableErrors", "more than 10 metrics", eleven)
        self.caught("AuthFailing", "excludes Metrics", lambda at: at("AuthFailing").update(Period=60))

    def test_periods(self):
        for name in PLAIN:
            for period in (0, 30, 90, 172800, "60"):
                self.caught(name, f"a period is {period}", lambda at: at(name).update(Period=period))
            self.caught(name, "more than CloudWatch evaluates", lambda at: at(name).update(EvaluationPeriods=1441))
        for name in MATH:
            stats = [each for each in TEMPLATE["Resources"][name]["Properties"]["Metrics"] if "MetricStat" in each]
            for number in range(len(stats)):

                def longer(at):
                    stats = [each for each in at(name)["Metrics"] if "MetricStat" in each]
                    stats[number]["MetricStat"]["Period"] = 120

                self.caught(name, "different periods", longer)

            def short(at):
                for each in at(name)["Metrics"]:
                    each.get("MetricStat", {})["Period"] = 10

            self.caught(name, "a period is 10", short)
        for name in ALARMS:
            self.caught(name, "DatapointsToAlarm is 99", lambda at: at(name).update(DatapointsToAlarm=99))
            self.caught(name, "must be a number", lambda at: at(name).pop("EvaluationPeriods"))

    def test_statistics(self):
        for name in PLAIN:
            both = {"Statistic": "Sum", "ExtendedStatistic": "p99"}
            self.caught(name, "Statistic or ExtendedStatistic", lambda at: at(name).update(both))
        self.caught("MailsFailing", "Total is no statistic", lambda at: at("MailsFailing").update(Statistic="Total"))

        def missing(at):
            del at("AuthFailing")["Metrics"][2]["MetricStat"]["Stat"]

        self.caught("AuthFailing", "None is no statistic", missing)


class Composites(Mutations):
    COMPOSITES = of_type("AWS::CloudWatch::CompositeAlarm")

    def test_each_rule(self):
        self.assertEqual(len(self.COMPOSITES), 3)
        for name in self.COMPOSITES:
            rule = TEMPLATE["Resources"][name]["Properties"]["AlarmRule"]["Fn::Sub"]

            def changed(new):
                return lambda at: at(name).update(AlarmRule={"Fn::Sub": new})

            operator, other = ("AND", "OR") if " AND " in rule else ("OR", "AND")
            self.caught(name, "must be alarms with", changed(f'{rule} {other} {rule.split(" ")[0]}'))
            complaints = self.complaints(changed(rule.replace("ALARM(", "OK(", 1)))
            self.assertIn(f"{name}: its rule must be alarms with AND or OR between all of them", complaints)
            self.caught(name, "Missing is no alarm", changed(f'{rule} {operator} ALARM("${{Missing}}")'))
            self.caught(name, f"{name} is no alarm", changed(f'{rule} {operator} ALARM("${{{name}}}")'))
            for left_out in re.findall(r"\w+(?=})", rule):
                complaints = self.complaints(changed(rule.replace(f"{{{left_out}}}", "{ApiLatency}")))
                for complaint in [
                    f"{left_out}: it has no AlarmActions, and is part of no other alarm",
                    "ApiLatency: it has OKActions, and so has an alarm that it is part of",
                ]:
                    self.assertIn(complaint, complaints)

    def test_each_function_behind_the_api_is_watched_for_throttling(self):
        rule = TEMPLATE["Resources"]["FunctionsThrottled"]["Properties"]["AlarmRule"]["Fn::Sub"]
        behind = [name.removesuffix("Integration") for name in of_type("AWS::ApiGatewayV2::Integration")]
        # That of the sockets answers no HTTP; its throttles are among those of the workers.
        behind.remove("Socket")
        self.assertEqual(rule, " OR ".join(f'ALARM("${{{name}Throttled}}")' for name in behind))

    def test_an_alarm_that_tells_nobody(self):
        parts = {
            part
            for name in self.COMPOSITES
            for part in re.findall(r"\w+(?=})", TEMPLATE["Resources"][name]["Properties"]["AlarmRule"]["Fn::Sub"])
        }
        for name in {*ALARMS, *self.COMPOSITES} - {NEVER}:
            for actions in ("AlarmActions", "OKActions"):
                if name in parts:
                    self.caught(name, "part of", lambda at: at(name).update({actions: [{"Ref": "AlarmTopic"}]}))
                else:
                    self.caught(name, f"no {actions}", lambda at: at(name).pop(actions))

    def test_a_missing_alarm_is_named(self):
        for name in [*ALARMS, *self.COMPOSITES]:
            template = copy.deepcopy(TEMPLATE)
            del template["Resources"][name]
            complaints = Check(template, SOURCES).run()
            named = [each for each in complaints if re.search(rf"\b{name}\b", each)]
            self.assertTrue(named, f"nothing names {name}: {complaints}")


class Gateway(Mutations):
    SETTINGS = TEMPLATE["Resources"]["HttpStage"]["Properties"]["RouteSettings"]

    def test_each_setting_of_a_route(self):
        self.assertEqual(len(self.SETTINGS), 26)
        for key in self.SETTINGS:

            def settings(**values):
                return lambda at: at("HttpStage")["RouteSettings"][key].update(values)

            def renamed(at):
                at("HttpStage")["RouteSettings"][f"{key}x"] = at("HttpStage")["RouteSettings"].pop(key)

            self.caught("HttpStage", f"no route {key}x", renamed)
            for values in [
                {"ThrottlingRateLimit": {"Ref": "RequestsPerSecond"}},
                {"ThrottlingRateLimit": "40"},
                {"ThrottlingRateLimit": 0},
                {"ThrottlingBurstLimit": 19},
                {"ThrottlingBurstLimit": None},
            ]:
                (name, wrong), = values.items()
                for branch in (1, 2):
                    chosen = list(self.SETTINGS[key][name]["Fn::If"])
                    chosen[branch] = 4 if wrong == 19 else wrong
                    self.caught("HttpStage", "must be numbers", settings(**{name: {"Fn::If": chosen}}))
                self.caught("HttpStage", "must be", settings(**values))
            for condition in ("Reserves", "HasDomain"):
                other = {"Fn::If": [condition, *self.SETTINGS[key]["ThrottlingRateLimit"]["Fn::If"][1:]]}
                self.caught("HttpStage", "must be chosen alike", settings(ThrottlingRateLimit=other))

    def test_the_routes_exist_before_their_settings(self):
        for route in TEMPLATE["Resources"]["HttpStage"]["DependsOn"]:
            template = copy.deepcopy(TEMPLATE)
            template["Resources"]["HttpStage"]["DependsOn"].remove(route)
            complaint = f"HttpStage: it does not depend on {route}, which may not exist yet"
            self.assertEqual(Check(template, SOURCES).run(), [complaint])

    def test_a_flood_of_one_route_leaves_room_for_the_others(self):
        """Also if each of its requests takes as long as a function may wait for its partners."""
        account, budget = 1000, 20
        partners = {
            f"{name.removesuffix('PartnerErrors')}Integration"
            for name in of_type("AWS::Logs::MetricFilter")
            if name.endswith("PartnerErrors")
        }
        # Of their routes only a few ask partners, which is tested in `infra/local/tests/template.rs`.
        partners -= {"AuthIntegration", "AccountIntegration", "PrizesIntegration"}
        slow = [
            text(route["Properties"]["RouteKey"])
            for route in map(TEMPLATE["Resources"].get, of_type("AWS::ApiGatewayV2::Route"))
            if text(route["Properties"]["Target"]).removeprefix("integrations/${").rstrip("}") in partners
        ]
        self.assertEqual(len(slow), 17)
        for key in slow:
            (_low, _rate), (_full, rate) = choices(self.SETTINGS[key]["ThrottlingRateLimit"])
            # The routes of mints serve reads above all.
            if key.startswith("ANY /api/vm-transactions"):
                self.assertLess(rate, TEMPLATE["Parameters"]["RequestsPerSecond"]["Default"])
            else:
                self.assertLess(rate * budget, account, key)
        # Nothing is easier to ask for than what does not exist.
        self.assertIn("$default", self.SETTINGS)


class Dashboard(Mutations):
    BODY = json.loads(TEMPLATE["Resources"]["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"])

    def caught(self, widget, what, change):
        """Changes the properties of one widget."""
        title = self.BODY["widgets"][widget]["properties"]["title"]

        def changed(at):
            body = copy.deepcopy(self.BODY)
            change(body["widgets"][widget]["properties"])
            at("Dashboard")["DashboardBody"] = {"Fn::Sub": json.dumps(body)}

        complaints = self.complaints(changed)
        self.assertTrue(any(what in each for each in complaints), f"{title}, {what}: {complaints}")
        for each in complaints:
            self.assertTrue(each.startswith(f"Dashboard, {title}:"), f"{title}, {what}: {each}")

    def test_each_row_names_a_metric_that_something_writes(self):
        rows = repeating = 0
        for widget, each in enumerate(self.BODY["widgets"]):
            for row, path in enumerate(each["properties"].get("metrics", [])):
                if isinstance(path[0], dict):
                    continue
                if path[0] == "...":
                    # What follows replaces the end of the row above, or only the row's options.
                    own = [part for part in path[1:] if isinstance(part, str)]
                    if own:

                        def of_another(properties):
                            properties["metrics"][row][len(own)] = "${AlarmTopic}"

                        self.caught(widget, "${AlarmTopic}", of_another)
                        repeating += 1
                    continue

                def renamed(properties):
                    properties["metrics"][row][1] = "Missing"

                def shorter(properties):
                    properties["metrics"][row] = path[:1]

                self.caught(widget, "Missing", renamed)
                self.caught(widget, "is no metric", shorter)
                if len(path) > 3 and path[3] != ".":

                    def of_another(properties):
                        properties["metrics"][row][3] = "${AlarmTopic}"

                    self.caught(widget, "${AlarmTopic}", of_another)
                rows += 1
        self.assertGreaterEqual((rows, repeating), (40, 50))

    def test_rows_that_repeat_the_one_above(self):
        for widget, each in enumerate(self.BODY["widgets"]):
            rows = each["properties"].get("metrics", [])
            if any(row[0] == "..." for row in rows):

                def renamed(properties):
                    properties["metrics"][0][1] = "Missing"

                def changed(properties):
                    properties["metrics"][1][:1] = ["...", "${AlarmTopic}"]

                self.caught(widget, "AWS/ApiGateway has no metric Missing", renamed)
                self.caught(widget, "no ApiId ${AlarmTopic}", changed)
                break
        else:
            self.fail("no row repeats another")

    def test_expressions(self):
        for widget, each in enumerate(self.BODY["widgets"]):
            if any(isinstance(row[0], dict) for row in each["properties"].get("metrics", [])):

                def expression(text):
                    def change(properties):
                        properties["metrics"][0][0]["expression"] = text

                    return change

                self.caught(widget, "refers to none", expression("errors / requests / none"))
                self.caught(widget, "no expression refers to requests", expression("errors"))

                def period(properties):
                    properties["metrics"][1][-1]["period"] = 300

                self.caught(widget, "different periods", period)
                break
        else:
            self.fail("no widget has an expression")

    def test_periods_statistics_and_regions(self):
        shown = 0
        for widget, each in enumerate(self.BODY["widgets"]):
            if each["type"] == "metric":
                self.caught(widget, "a period is 45", lambda properties: properties.update(period=45))
                self.caught(widget, "a period is None", lambda properties: properties.pop("period"))
                self.caught(widget, "region", lambda properties: properties.update(region="us-east-1"))
                shown += 1
        self.assertGreaterEqual(shown, 10)
        self.caught(1, "Total is no statistic", lambda properties: properties.update(stat="Total"))

    def test_an_alarm_that_does_not_exist(self):
        self.caught(0, "${None.Arn} is no alarm", lambda properties: properties["alarms"].append("${None.Arn}"))


class Deployments(Mutations):
    def test_each_function(self):
        for name in FUNCTIONS:

            def preference(**values):
                return lambda at: at(name)["DeploymentPreference"].update(values)

            def alarms(*values):
                return preference(Alarms={"Fn::If": ["Gradual", list(values), {"Ref": "AWS::NoValue"}]})

            self.caught(name, "Canary20Percent5Minutes is no type", preference(Type="Canary20Percent5Minutes"))
            self.caught(name, "any value of TokenIssuer is no type", preference(Type={"Ref": "TokenIssuer"}))
            self.caught(name, "${None} is no alarm", alarms({"Ref": "None"}))
            self.caught(name, "${AlarmTopic} is no alarm", alarms({"Ref": "AuthFailing"}, {"Ref": "AlarmTopic"}))
            self.caught(name, "at most 10 alarms", alarms(*[{"Ref": "AuthFailing"}] * 11))
            self.caught(name, "no function", preference(Hooks={"PreTraffic": {"Ref": "MailQueue"}}))
            self.caught(name, "no hook BeforeTraffic", preference(Hooks={"BeforeTraffic": {"Ref": name}}))
            self.caught(name, "no property Alarm", preference(Alarm=[]))
            self.caught(name, "no DeploymentPreference", lambda at: at(name).pop("DeploymentPreference"))
            optional = {"Fn::If": ["Gradual", {"Ref": name}, {"Ref": "AWS::NoValue"}]}
            hooks = {"PreTraffic": {"Ref": "AuthFunction"}, "PostTraffic": optional}
            self.assertEqual(self.complaints(preference(Hooks=hooks)), [])

    def test_values_of_the_parameter(self):
        template = copy.deepcopy(TEMPLATE)
        template["Parameters"]["DeploymentPreference"]["AllowedValues"].append("Slowly")
        complaints = Check(template, SOURCES).run()
        self.assertEqual({each.split(": ")[1] for each in complaints}, {"Slowly is no type of deployment"})
        self.assertGreaterEqual(len(complaints), 9)

    def test_an_alarm_that_not_every_stack_has(self):
        template = copy.deepcopy(TEMPLATE)
        template["Resources"]["AuthFailing"]["Condition"] = "HasDomain"
        complaints = Check(template, SOURCES).run()
        self.assertEqual(complaints, ["AuthFunction: the alarm AuthFailing does not exist in every stack"])

    def test_an_alias_is_needed(self):
        template = copy.deepcopy(TEMPLATE)
        del template["Globals"]["Function"]["AutoPublishAlias"]
        self.assertEqual(len(Check(template, SOURCES).run()), len(FUNCTIONS))


class Rights(Mutations):
    def test_transactions_judged_by_all_keys_are_allowed_what_each_item_is(self):
        changed = 0
        for name in FUNCTIONS:
            (policy,) = TEMPLATE["Resources"][name]["Properties"]["Policies"]
            if "Fn::If" not in policy["Statement"][-1]:
                continue
            changed += 1
            what = "TransactionKeys=together"
            self.caught(name, what, lambda at: at(name)["Policies"][0]["Statement"].pop())

            def one_key_less(at):
                at(name)["Policies"][0]["Statement"][-1]["Fn::If"][1]["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"].pop()

            def in_any_call(at):
                del at(name)["Policies"][0]["Statement"][-1]["Fn::If"][1]["Condition"]["StringEquals"]

            self.caught(name, what, one_key_less)
            self.caught(name, what, in_any_call)
        self.assertEqual(changed, 15)


class Queries(Mutations):
    def replaced(self, name, old, new):
        def change(at):
            at(name)["QueryString"] = at(name)["QueryString"].replace(old, new)

        return change

    def test_fields_messages_and_codes(self):
        for name, field in [
            ("ServerErrorsQuery", "status"),
            ("ServerErrorsQuery", "cause"),
            ("ServerErrorsQuery", "request_id"),
            ("ServerErrorsQuery", "sort failures"),
            ("SlowestRoutesQuery", "ispresent(duration_us"),
            ("SlowestRoutesQuery", "pct(duration_us"),
            ("SlowestRoutesQuery", "sort p99_us"),
            ("RequestQuery", "request_id"),
            ("RequestQuery", "integration_status"),
            ("FailedRowsQuery", "queue"),
            ("FailedRowsQuery", "row,"),
            ("PartnerErrorsQuery", "code,"),
        ]:
            old = field.strip(",")
            self.caught(name, "field", self.replaced(name, field, field.replace(old, f"{old}_x")))
        self.caught("FailedRowsQuery", "no line has the message", self.replaced("FailedRowsQuery", "looked at", "seen"))
        self.caught("PartnerErrorsQuery", "counts the codes", self.replaced("PartnerErrorsQuery", '"2022", ', ""))

    def test_each_function_behind_the_api_is_searched(self):
        resources = TEMPLATE["Resources"]
        faults = [name for name in of_type("AWS::Logs::MetricFilter") if name.endswith("Faults")]
        groups = [resources[name]["Properties"]["LogGroupName"] for name in faults]
        self.assertEqual(len(groups), 11)
        for name, more in [("ServerErrorsQuery", []), ("SlowestRoutesQuery", []), ("RequestQuery", ["AccessLogGroup"])]:
            expected = [*groups, *[{"Ref": each} for each in more]]
            self.assertEqual(resources[name]["Properties"]["LogGroupNames"], expected, name)

    def test_a_query_by_code_searches_where_the_codes_are_counted(self):
        name, what = "PartnerErrorsQuery", "not those of the metric filters"
        self.caught(name, what, lambda at: at(name)["LogGroupNames"].pop())
        self.caught(name, what, lambda at: at(name)["LogGroupNames"].append({"Ref": "MediasLogGroup"}))

    def test_log_groups(self):
        for name in QUERIES:
            self.caught(name, "no log groups", lambda at: at(name).update(LogGroupNames=[]))
            self.caught(name, "is no log group", lambda at: at(name)["LogGroupNames"].append({"Ref": "AlarmTopic"}))
        self.caught(
            "ServerErrorsQuery",
            "lines of MailWorkerLogGroup lack",
            lambda at: at("ServerErrorsQuery")["LogGroupNames"].append({"Ref": "MailWorkerLogGroup"}),
        )


class Filters(Mutations):
    FILTERS = of_type("AWS::Logs::MetricFilter")

    def test_a_field_that_no_line_has(self):
        self.assertEqual(len(self.FILTERS), 38)
        for name in self.FILTERS:
            pattern = TEMPLATE["Resources"][name]["Properties"]["FilterPattern"]
            for field in set(re.findall(r"\$\.(\w+)", pattern)):
                changed = pattern.replace(f"$.{field} ", f"$.{field}_x ")
                # The query that shows what a filter of codes counts then differs from it, too.
                complaints = self.complaints(lambda at: at(name).update(FilterPattern=changed))
                self.assertTrue(any(each.startswith(f"{name}: the lines of ") and f"{field}_x" in each for each in complaints), complaints)
            if name.endswith("Refusals"):
                self.caught(name, "compares no field", lambda at: at(name).update(FilterPattern="Throttl"))

    def test_a_log_group_whose_lines_have_other_fields(self):
        group = {"Ref": "MailWorkerLogGroup"}
        self.caught("AuthRefusals", "the lines of MailWorkerLogGroup lack cause", lambda at: at("AuthRefusals").update(LogGroupName=group))
        self.caught("AuthRefusals", "is no log group", lambda at: at("AuthRefusals").update(LogGroupName={"Ref": "AlarmTopic"}))


if __name__ == "__main__":
    unittest.main()
