"""check_template.py: checks the parts of template.yaml that the emulator of `make deploy-local` lacks and that cfn-lint
takes as they are. Every metric of an alarm or of the dashboard is written by something: by a metric filter, by a
function of this repository, or by a service of AWS for a resource of the template. Metric math uses ids that exist, and
periods that CloudWatch accepts. Each alarm notifies, or is part of one that does. Limits
of single routes are such that the gateway accepts them. CodeDeploy gets a known type, alarms and hooks of the template. Saved queries and
metric filters name fields of the log lines. What TransactionKeys=together allows a function is what its other statements allow."""

import json
import re
import sys
from functools import cache

from template import ROOT, read

# For each metric of AWS the sets of dimensions that it is written with.
TABLE, INDEX, OPERATION = ("TableName",), ("TableName", "GlobalSecondaryIndexName"), ("TableName", "Operation")
AWS_METRICS = {
    # The last four are of WebSocket APIs.
    "AWS/ApiGateway": dict.fromkeys(
        ["4xx", "5xx", "Count", "DataProcessed", "IntegrationLatency", "Latency"]
        + ["ClientError", "ConnectCount", "ExecutionError", "MessageCount"],
        [("ApiId",), ("ApiId", "Stage")],
    ),
    "AWS/DynamoDB": {
        "ReadThrottleEvents": [TABLE, INDEX],
        "WriteThrottleEvents": [TABLE, INDEX],
        "SystemErrors": [OPERATION],
        "SuccessfulRequestLatency": [OPERATION],
        "ThrottledRequests": [OPERATION],
        "UserErrors": [()],
    },
    "AWS/Lambda": {
        **dict.fromkeys(["ConcurrentExecutions", "Duration", "Errors", "Invocations", "Throttles"], [("FunctionName",)]),
        # Of all functions of the account.
        "ClaimedAccountConcurrency": [()],
    },
    # Of all mails of the account.
    "AWS/SES": dict.fromkeys(["Reputation.BounceRate", "Reputation.ComplaintRate"], [()]),
    "AWS/SQS": dict.fromkeys(
        [
            "ApproximateAgeOfOldestMessage",
            "ApproximateNumberOfMessagesDelayed",
            "ApproximateNumberOfMessagesNotVisible",
            "ApproximateNumberOfMessagesVisible",
            "NumberOfMessagesDeleted",
            "NumberOfMessagesReceived",
            "NumberOfMessagesSent",
        ],
        [("QueueName",)],
    ),
}
# The resource that a dimension names, and how.
DIMENSIONS = {
    "ApiId": ("AWS::ApiGatewayV2::Api", "${%s}"),
    "FunctionName": ("AWS::Serverless::Function", "${%s}"),
    "QueueName": ("AWS::SQS::Queue", "${%s.QueueName}"),
    "Stage": ("AWS::ApiGatewayV2::Stage", "${%s}"),
    "TableName": ("AWS::DynamoDB::Table", "${%s}"),
}
OPERATIONS = {
    *["BatchGetItem", "BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query", "Scan"],
    *["TransactGetItems", "TransactWriteItems", "UpdateItem"],
}
# The namespace of base::metrics.
OWN_NAMESPACE = "Runeport"

ID = re.compile(r"[a-z][A-Za-z0-9_]*")
STATISTICS = re.compile(r"Average|Maximum|Minimum|SampleCount|Sum|p[0-9]{1,2}(\.[0-9]+)?")
MATH = {
    *["ABS", "AND", "AVG", "CEIL", "DATAPOINT_COUNT", "DIFF", "DIFF_TIME", "FILL", "FLOOR", "IF", "LINEAR", "MAX"],
    *["METRIC_COUNT", "MIN", "NOT", "OR", "PERIOD", "RATE", "REPEAT", "RUNNING_SUM", "STDDEV", "SUM"],
}
MOST_METRICS = 10
# Properties of an alarm on one metric.
OF_ONE_METRIC = {"Dimensions", "ExtendedStatistic", "MetricName", "Namespace", "Period", "Statistic"}

# The rule of an alarm that combines others, and the others in it.
RULE = re.compile(r'ALARM\("\$\{\w+\}"\)(( AND ALARM\("\$\{\w+\}"\))+|( OR ALARM\("\$\{\w+\}"\))+)')
PART = re.compile(r'ALARM\("\$\{(\w+)\}"\)')

DEPLOYMENT_TYPES = {
    "AllAtOnce",
    *[f"Canary10Percent{minutes}Minutes" for minutes in (5, 10, 15, 30)],
    "Linear10PercentEvery1Minute",
    *[f"Linear10PercentEvery{minutes}Minutes" for minutes in (2, 3, 10)],
}
DEPLOYMENT_KEYS = {"Alarms", "Enabled", "Hooks", "PassthroughCondition", "Role", "TriggerConfigurations", "Type"}
HOOKS = {"PreTraffic", "PostTraffic"}
MOST_ALARMS = 10
# An alarm for deployments that must ignore all others.
NEVER = "NeverFires"

TESTS = re.compile(r"#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*mod tests \{")
LOG_MACRO = re.compile(r"tracing::(?:error|warn|info|debug|trace)!\((.*?)\);", re.DOTALL)
# Fields that tracing adds to each line.
EVERY_LINE = {"level", "message", "target", "timestamp"}
QUERY_WORDS = {
    *["and", "as", "asc", "avg", "bin", "by", "count", "count_distinct", "dedup", "desc", "display", "earliest"],
    *["fields", "filter", "in", "ispresent", "latest", "like", "limit", "max", "min", "not", "or", "pct", "sort"],
    *["stats", "sum"],
}


def text(value):
    """A value as CloudFormation fills it in, with references as Fn::Sub writes them."""
    if not isinstance(value, dict):
        return str(value)
    ((function, argument),) = value.items()
    if function == "Ref":
        return f"${{{argument}}}"
    if function == "Fn::GetAtt":
        return f"${{{argument if isinstance(argument, str) else '.'.join(argument)}}}"
    if function == "Fn::Sub" and isinstance(argument, str):
        return argument
    raise ValueError(f"{function} is not expected here")


def alternatives(value):
    """The values that a value may have, one for each branch of its conditions."""
    if isinstance(value, dict) and "Fn::If" in value:
        _condition, *branches = value["Fn::If"]
        return [each for branch in branches for each in alternatives(branch)]
    return [] if value == {"Ref": "AWS::NoValue"} else [value]


def names(expression):
    """The ids and the functions that an expression of metric math uses."""
    words = re.findall(r"[A-Za-z][A-Za-z0-9_]*", re.sub(r"'[^']*'|\"[^\"]*\"", "", expression))
    return {word for word in words if ID.fullmatch(word)}, {word for word in words if not ID.fullmatch(word)}


# What IAM checks for the items of a transaction.
ITEMS = ["dynamodb:ConditionCheckItem", "dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:UpdateItem"]
LEADING_KEYS = "dynamodb:LeadingKeys"


def choices(value):
    """The values that conditions choose between, each with the condition that selects it. A plain value is
    the only one."""
    if not isinstance(value, dict) or "Fn::If" not in value:
        return [(None, value)]
    condition, then, otherwise = value["Fn::If"]
    return [(condition, then), (f"not {condition}", otherwise)]


def several(value):
    return value if isinstance(value, list) else [value]


def of_transactions(statements):
    """The statement that allows a function's transactions if an account judges the keys of all items together: each item may
    then have any key that the function writes (docs/operations/rights.md). None for a function without conditions, or whose one
    statement allows all."""
    writes = [each for each in statements if each["Effect"] == "Allow" and set(several(each["Action"])) & set(ITEMS)]
    kept = [set(each["Condition"]["ForAllValues:StringLike"][LEADING_KEYS]) if "Condition" in each else {"*"} for each in writes]
    keys = set().union(*kept)
    if all(each in ({"*"}, keys) for each in kept):
        return None
    tables = {json.dumps(each["Resource"]): each["Resource"] for each in writes}
    return {
        "Sid": "Transactions",
        "Effect": "Allow",
        "Action": sorted({action for each in writes for action in several(each["Action"])} & set(ITEMS)),
        "Resource": [tables[name] for name in sorted(tables)],
        "Condition": {
            "ForAllValues:StringLike": {LEADING_KEYS: ["*"] if "*" in keys else sorted(keys)},
            "StringEquals": {"dynamodb:EnclosingOperation": "TransactWriteItems"},
        },
    }


class Sources:
    """The code of the functions, which names the metrics, fields and messages of their logs."""

    def __init__(self, root=ROOT):
        self.root = root

    @cache
    def code(self, folder, without=None):
        """The code of a folder, without its tests and without one of its folders."""
        files = sorted((self.root / folder).rglob("*.rs"))
        files = [file for file in files if without not in file.relative_to(self.root).parts]
        return "\n".join(TESTS.split(file.read_text())[0] for file in files)

    @cache
    def metrics(self, function):
        return set(re.findall(r'Metric \{ name: "(\w+)"', self.code(f"functions/{function}/src")))

    @cache
    def lines(self, function):
        """The fields and the messages of a function's lines. Its own code comes with what functions share, of which
        `http` is only for those with routes."""
        fields, messages = set(EVERY_LINE), set()
        code = [self.code(f"functions/{function}/src"), self.code("shared/src", "http")]
        code += [self.code(f"shared/{crate}/src") for crate in ("base", "chain", "identity", "outbox")]
        if "pub fn routes()" in code[0]:
            code.append(self.code("shared/src/http"))
        for each in code:
            for macro in LOG_MACRO.findall(each):
                messages.update(re.findall(r'"([^"]*)"\s*$', macro.strip().rstrip(",")))
                for part in re.sub(r'"[^"]*"', "", macro).split(","):
                    if found := re.fullmatch(r"\s*[%?]?\s*([a-z_]\w*)(?:\s*=.*|\.[\w.]+)?\s*", part, re.DOTALL):
                        fields.add(found[1])
        return fields, messages


class Check:
    """The complaints about a template, one line each."""

    def __init__(self, template, sources):
        self.template, self.sources, self.complaints = template, sources, []
        self.by_type = {}
        for name, each in template["Resources"].items():
            self.by_type.setdefault(each["Type"], {})[name] = each.get("Properties", {})
        self.metrics_of_filters = {
            (text(metric["MetricNamespace"]), text(metric["MetricName"]))
            for filter in self.properties("AWS::Logs::MetricFilter").values()
            for metric in filter["MetricTransformations"]
        }

    def properties(self, kind):
        """The properties of all resources of a type, by name."""
        return self.by_type.get(kind, {})

    def complain(self, where, what):
        self.complaints.append(f"{where}: {what}")

    def run(self):
        for name, alarm in self.properties("AWS::CloudWatch::Alarm").items():
            self.alarm(name, alarm)
        self.parts()
        for name, stage in self.properties("AWS::ApiGatewayV2::Stage").items():
            self.stage(name, stage)
        for name, dashboard in self.properties("AWS::CloudWatch::Dashboard").items():
            self.dashboard(name, dashboard)
        for name, function in self.properties("AWS::Serverless::Function").items():
            self.deployment(name, function)
            self.transactions(name, function)
        for name, query in self.properties("AWS::Logs::QueryDefinition").items():
            self.query(name, query)
        for name, filter in self.properties("AWS::Logs::MetricFilter").items():
            self.filter(name, filter)
        return self.complaints

    # Metrics.

    def metric(self, where, namespace, name, dimensions):
        """Complains if nothing writes a metric."""
        what = f"{namespace} {name}" + "".join(f", {key} {value}" for key, value in sorted(dimensions.items()))
        if namespace in AWS_METRICS:
            sets = AWS_METRICS[namespace].get(name)
            if sets is None:
                self.complain(where, f"{namespace} has no metric {name}")
            elif set(dimensions) not in map(set, sets):
                self.complain(where, f"{what} is not written with these dimensions")
            for key, value in dimensions.items():
                self.dimension(where, what, key, value, dimensions)
        elif namespace == OWN_NAMESPACE:
            functions = self.properties("AWS::Serverless::Function")
            function = dimensions.get("FunctionName", "")[2:-1]
            if set(dimensions) != {"FunctionName"} or function not in functions:
                self.complain(where, f"{what} is not of one function of the template")
            elif name not in self.sources.metrics(binary(function)):
                self.complain(where, f"{binary(function)} writes no metric {name}")
        elif dimensions or (namespace, name) not in self.metrics_of_filters:
            self.complain(where, f"no metric filter writes {what}")

    def dimension(self, where, what, key, value, dimensions):
        if key == "Operation":
            exists = value in OPERATIONS
        elif key == "GlobalSecondaryIndexName":
            table = self.properties("AWS::DynamoDB::Table").get(dimensions.get("TableName", "")[2:-1], {})
            exists = value in [index["IndexName"] for index in table.get("GlobalSecondaryIndexes", [])]
        elif key in DIMENSIONS:
            kind, form = DIMENSIONS[key]
            exists = value in [form % name for name in self.properties(kind)]
        else:
            exists = False
        if not exists:
            self.complain(where, f"{what}: the template has no {key} {value}")

    def period(self, where, period):
        # Shorter ones need metrics of high resolution, which nothing writes here.
        if not isinstance(period, int) or period <= 0 or period % 60 or period > 86400:
            self.complain(where, f"a period is {period}, but must be a multiple of 60, at most 86400")
            return False
        return True

    def statistic(self, where, statistic):
        if not STATISTICS.fullmatch(str(statistic)):
            self.complain(where, f"{statistic} is no statistic")

    def math(self, where, expressions, metrics, hidden):
        """Complains about expressions by id, given the ids of metrics and those that are not shown or returned."""
        used = {}
        for id, expression in expressions.items():
            used[id], functions = names(expression)
            for function in sorted(functions - MATH):
                self.complain(where, f"metric math has no function {function}")
            for unknown in sorted(used[id] - set(expressions) - set(metrics)):
                self.complain(where, f"{expression} refers to {unknown}, which does not exist")
        for unused in sorted(set(hidden) - set().union(*used.values())):
            self.complain(where, f"no expression refers to {unused}")
        for id in expressions:
            below, reached = [id], set()
            while below:
                found = used.get(below.pop(), set()) - reached
                reached |= found
                below.extend(found)
            if id in reached:
                self.complain(where, f"{id} refers to itself")
            elif not reached & set(metrics):
                self.complain(where, f"{expressions[id]} uses no metric")

    # Alarms.

    def alarm(self, name, alarm):
        if "Metrics" in alarm:
            period = self.alarm_of_math(name, alarm)
        else:
            dimensions = {each["Name"]: text(each["Value"]) for each in alarm.get("Dimensions", [])}
            self.metric(name, text(alarm.get("Namespace")), text(alarm.get("MetricName")), dimensions)
            statistics = [alarm[key] for key in ("Statistic", "ExtendedStatistic") if key in alarm]
            if len(statistics) != 1:
                self.complain(name, "it needs either Statistic or ExtendedStatistic")
            for statistic in statistics:
                self.statistic(name, statistic)
            period = alarm.get("Period")
        periods, datapoints = alarm.get("EvaluationPeriods"), alarm.get("DatapointsToAlarm")
        if not isinstance(periods, int) or periods < 1:
            self.complain(name, "EvaluationPeriods must be a number")
        elif datapoints is not None and not 1 <= datapoints <= periods:
            self.complain(name, f"DatapointsToAlarm is {datapoints} of {periods} periods")
        elif self.period(name, period) and period * periods > (86400 if period < 3600 else 604800):
            self.complain(name, f"{periods} periods of {period} s are more than CloudWatch evaluates")

    def alarm_of_math(self, name, alarm):
        """Returns the period of the alarm's metrics."""
        for key in sorted(OF_ONE_METRIC & set(alarm)):
            self.complain(name, f"{key} excludes Metrics")
        if len(alarm["Metrics"]) > MOST_METRICS:
            self.complain(name, f"it has more than {MOST_METRICS} metrics")
        metrics, expressions, returned = {}, {}, []
        for each in alarm["Metrics"]:
            id = str(each.get("Id"))
            if not ID.fullmatch(id):
                self.complain(name, f"{id} is no id")
            if id in metrics or id in expressions:
                self.complain(name, f"two metrics have the id {id}")
            if each.get("ReturnData", True):
                returned.append(id)
            if ("Expression" in each) == ("MetricStat" in each):
                self.complain(name, f"{id} needs either Expression or MetricStat")
            elif "Expression" in each:
                expressions[id] = each["Expression"]
            else:
                metrics[id] = each["MetricStat"]
        for stat in metrics.values():
            metric = stat["Metric"]
            dimensions = {one["Name"]: text(one["Value"]) for one in metric.get("Dimensions", [])}
            self.metric(name, text(metric["Namespace"]), text(metric["MetricName"]), dimensions)
            self.statistic(name, stat.get("Stat"))
        if len(returned) != 1:
            self.complain(name, f"it must return the data of one metric, not of {len(returned)}")
        self.math(name, expressions, metrics, (set(metrics) | set(expressions)) - set(returned))
        periods = [stat.get("Period") for stat in metrics.values()]
        if len(set(periods)) > 1:
            self.complain(name, f"its metrics have different periods: {sorted(map(str, set(periods)))}")
        return periods[0] if periods else None

    def parts(self):
        """Complains about alarms that combine others, and about alarms that tell nobody."""
        metric_alarms, combined = self.properties("AWS::CloudWatch::Alarm"), set()
        composites = self.properties("AWS::CloudWatch::CompositeAlarm")
        for name, alarm in composites.items():
            parts = PART.findall(text(alarm.get("AlarmRule")))
            if RULE.fullmatch(text(alarm.get("AlarmRule"))) is None:
                self.complain(name, "its rule must be alarms with AND or OR between all of them")
            for part in parts:
                if part not in metric_alarms:
                    self.complain(name, f"{part} is no alarm on metrics")
            combined |= set(parts)
        for name, alarm in {**metric_alarms, **composites}.items():
            if name == NEVER:
                continue
            for actions in ("AlarmActions", "OKActions"):
                notifies = bool(alarm.get(actions))
                if name in combined and notifies:
                    self.complain(name, f"it has {actions}, and so has an alarm that it is part of")
                elif name not in combined and not notifies:
                    self.complain(name, f"it has no {actions}, and is part of no other alarm")

    # The gateway.

    def stage(self, name, stage):
        """Complains about settings of single routes that the gateway would refuse, or take for something else."""
        own = self.properties("AWS::ApiGatewayV2::Route").items()
        routes = {text(route["RouteKey"]): id for id, route in own if route["ApiId"] == stage["ApiId"]}
        after = self.template["Resources"][name].get("DependsOn", [])
        for key, settings in stage.get("RouteSettings", {}).items():
            if key not in routes:
                self.complain(name, f"there is no route {key}")
            elif routes[key] not in after:
                self.complain(name, f"it does not depend on {routes[key]}, which may not exist yet")
            rates, bursts = choices(settings.get("ThrottlingRateLimit")), choices(settings.get("ThrottlingBurstLimit"))
            if [condition for condition, _value in rates] != [condition for condition, _value in bursts]:
                self.complain(name, f"{key}: its rate and its burst must be chosen alike")
            for (_condition, rate), (_same, burst) in zip(rates, bursts):
                if not isinstance(rate, int) or not isinstance(burst, int) or not 0 < rate <= burst:
                    self.complain(name, f"{key}: its rate and its burst must be numbers, and the burst not the smaller one")

    # The dashboard.

    def dashboard(self, name, dashboard):
        try:
            widgets = json.loads(text(dashboard["DashboardBody"]))["widgets"]
        except ValueError as error:
            return self.complain(name, f"its body is no JSON: {error}")
        kinds = ("AWS::CloudWatch::Alarm", "AWS::CloudWatch::CompositeAlarm")
        alarms = {f"${{{alarm}.Arn}}" for kind in kinds for alarm in self.properties(kind)}
        for widget in widgets:
            properties = widget["properties"]
            where = f"{name}, {properties.get('title')}"
            if widget["type"] == "alarm":
                for arn in properties["alarms"]:
                    if arn not in alarms:
                        self.complain(where, f"{arn} is no alarm of the template")
            elif widget["type"] == "metric":
                self.widget(where, properties)
            else:
                self.complain(where, f"{widget['type']} is no type of this dashboard")

    def widget(self, where, properties):
        if properties.get("region") != "${AWS::Region}":
            self.complain(where, "its region is not the stack's")
        metrics, expressions, hidden, periods, above = {}, {}, set(), set(), []
        for number, row in enumerate(properties["metrics"]):
            *path, options = row if isinstance(row[-1], dict) else [*row, {}]
            id = options.get("id", f"row{number}")
            if not ID.fullmatch(id) or id in metrics or id in expressions:
                self.complain(where, f"{id} is no id, or two rows have it")
            if options.get("visible") is False:
                hidden.add(id)
            if "expression" in options:
                expressions[id] = options["expression"]
                continue
            # "..." repeats the row above up to what follows, and "." one value of it.
            if path[:1] == ["..."]:
                path = above[: len(above) - len(path) + 1] + path[1:]
            path = [above[place] if part == "." and place < len(above) else part for place, part in enumerate(path)]
            above = path
            metrics[id] = path
            if len(path) < 2 or len(path) % 2:
                self.complain(where, f"{' '.join(path)} is no metric")
                continue
            self.metric(where, path[0], path[1], dict(zip(path[2::2], path[3::2])))
            self.statistic(where, options.get("stat", properties.get("stat")))
            period = options.get("period", properties.get("period"))
            if self.period(where, period):
                periods.add(period)
        if expressions and len(periods) > 1:
            self.complain(where, f"its metrics have different periods: {sorted(periods)}")
        self.math(where, expressions, metrics, hidden)

    # CodeDeploy.

    def deployment(self, name, function):
        shared = self.template.get("Globals", {}).get("Function", {})
        preference = {**shared.get("DeploymentPreference", {}), **function.get("DeploymentPreference", {})}
        # What all share is whose rights CodeDeploy has.
        if "Type" not in preference:
            return self.complain(name, "it has no DeploymentPreference")
        if not function.get("AutoPublishAlias", shared.get("AutoPublishAlias")):
            self.complain(name, "CodeDeploy shifts an alias, which it does not have (AutoPublishAlias)")
        for key in sorted(set(preference) - DEPLOYMENT_KEYS):
            self.complain(name, f"DeploymentPreference has no property {key}")
        for kind in alternatives(preference.get("Type")):
            kinds = [kind]
            if isinstance(kind, dict):
                parameter = self.template["Parameters"].get(kind.get("Ref"), {})
                kinds = parameter.get("AllowedValues") or [f"any value of {kind.get('Ref')}"]
            for unknown in [str(each) for each in kinds if each not in DEPLOYMENT_TYPES]:
                self.complain(name, f"{unknown} is no type of deployment")
        alarms = self.properties("AWS::CloudWatch::Alarm")
        for list in alternatives(preference.get("Alarms", [])):
            if len(list) > MOST_ALARMS:
                self.complain(name, f"CodeDeploy watches at most {MOST_ALARMS} alarms")
            for alarm in [each for listed in list for each in alternatives(listed)]:
                if alarm.get("Ref") not in alarms:
                    self.complain(name, f"{text(alarm)} is no alarm of the template")
                elif "Condition" in self.template["Resources"][alarm["Ref"]]:
                    self.complain(name, f"the alarm {alarm['Ref']} does not exist in every stack")
        functions = self.properties("AWS::Serverless::Function")
        for hook, value in preference.get("Hooks", {}).items():
            if hook not in HOOKS:
                self.complain(name, f"CodeDeploy has no hook {hook}")
            for target in alternatives(value):
                if not isinstance(target, dict) or target.get("Ref") not in functions:
                    self.complain(name, f"the hook {hook} is no function of the template")

    # Rights.

    def transactions(self, name, function):
        """Complains if a function may not do its transactions where an account judges the keys of all items together, or more."""
        for policy in function.get("Policies", []):
            own = [each for each in policy["Statement"] if "Fn::If" not in each]
            written = [each["Fn::If"] for each in policy["Statement"] if "Fn::If" in each]
            needed = of_transactions(own)
            if written != [["KeysTogether", each, {"Ref": "AWS::NoValue"}] for each in [needed] if each]:
                self.complain(name, f"its statement for TransactionKeys=together must be {json.dumps(needed)}")

    # Saved queries, and filters of logs.

    def query(self, name, query):
        groups = self.properties("AWS::Logs::LogGroup")
        known, messages, listed = set(), set(), []
        for group in query.get("LogGroupNames", []):
            if not isinstance(group, dict) or group.get("Ref") not in groups:
                self.complain(name, f"{group} is no log group of the template")
                continue
            fields, said = self.lines(text(groups[group["Ref"]]["LogGroupName"]))
            listed.append((group["Ref"], fields))
            known, messages = known | fields, messages | said
        string = query["QueryString"]
        if not listed:
            self.complain(name, "it has no log groups")
        for message in compared("message", string):
            if message not in messages:
                self.complain(name, f'no line has the message "{message}"')
        self.codes(name, set(compared("code", string)), [group for group, _fields in listed])
        commands = [command.strip() for command in re.sub(r'"[^"]*"', "", string).split("|")]
        made = set()
        for command in commands:
            words = set(re.findall(r"@?[A-Za-z_]\w*", re.sub(r"\bas\s+\w+", "", command))) - QUERY_WORDS
            for unknown in sorted(word for word in words - known - made if word[0] != "@"):
                self.complain(name, f"no line has the field {unknown}")
            # A group without the fields of a filter is searched in vain.
            for group, fields in listed if command.startswith("filter") else []:
                if not words <= fields:
                    self.complain(name, f"the lines of {group} lack {', '.join(sorted(words - fields))}")
            made |= set(re.findall(r"\bas\s+(\w+)", command))

    def filter(self, name, filter):
        """Complains about a metric filter that compares what no line of its log group has: it would never count."""
        group = self.properties("AWS::Logs::LogGroup").get(text(filter["LogGroupName"])[2:-1])
        if group is None:
            return self.complain(name, f"{text(filter['LogGroupName'])} is no log group of the template")
        fields, _messages = self.lines(text(group["LogGroupName"]))
        compared = set(re.findall(r"\$\.(\w+)", filter["FilterPattern"]))
        if not compared:
            self.complain(name, "its pattern compares no field")
        elif missing := sorted(compared - fields):
            self.complain(name, f"the lines of {text(filter['LogGroupName'])[2:-1]} lack {', '.join(missing)}")

    def codes(self, name, codes, groups):
        """Complains if a query and the metric filters for its codes differ in their codes or log groups."""
        counting = [
            text(filter["LogGroupName"])[2:-1]
            for filter in self.properties("AWS::Logs::MetricFilter").values()
            if set(re.findall(r'\$\.code = "(\w+)"', filter["FilterPattern"])) == codes
        ]
        if codes and not counting:
            self.complain(name, f"no metric filter counts the codes {', '.join(sorted(codes))}")
        elif codes and set(counting) != set(groups):
            self.complain(name, "its log groups are not those of the metric filters that count its codes")

    def lines(self, group):
        """The fields and the messages of a log group."""
        function = group.rsplit("/", 1)[1]
        if (self.sources.root / "functions" / function).is_dir():
            return self.sources.lines(function)
        stages = self.properties("AWS::ApiGatewayV2::Stage").values()
        formats = [each["AccessLogSettings"] for each in stages if "AccessLogSettings" in each]
        return {field for each in formats for field in json.loads(each["Format"])}, set()


def compared(field, query):
    """The texts that a query compares a field with."""
    lists = re.findall(rf'\b{field} in \[([^\]]*)\]', query) + re.findall(rf'\b{field} = ("[^"]*")', query)
    return [each for listed in lists for each in re.findall(r'"([^"]*)"', listed)]


def binary(function):
    """The folder of a function: mail-worker for MailWorkerFunction."""
    return re.sub(r"(?<!^)([A-Z])", r"-\1", function.removesuffix("Function")).lower()


def main():
    complaints = Check(read(), Sources()).run()
    if complaints:
        sys.exit("\n".join(f"make: template.yaml, {complaint}" for complaint in complaints))


if __name__ == "__main__":
    main()
