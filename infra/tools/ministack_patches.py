"""ministack_patches.py FOLDER [record] [together]: runs ministack with the SAM translator from FOLDER (a site-packages
folder), and corrects behaviour that differs from AWS and that template.yaml relies on. Each correction first
checks the code that it replaces, so that a changed ministack fails immediately. Standard output has one JSON
object per line for each denied call of a role. With `record`, it also has the allowed calls, each one once. With
`together`, policies see the keys of all items of a transaction (docs/operations/rights.md)."""

import inspect
import json
import re
import sys

sys.path.append(sys.argv[1])
TOGETHER = "together" in sys.argv[2:]

from ministack.core import iam_actions, iam_evaluator, responses
from ministack.services import apigateway, dynamodb, iam, kms
from ministack.services.cloudformation import provisioners


def replaces(module, name, *lines):
    """Returns the function `name`, which is about to be replaced. Fails if it lacks one of these lines."""
    function = getattr(module, name, None)
    source = inspect.getsource(function) if function else ""
    for line in lines:
        if line not in source:
            sys.exit(f"ministack has changed: {module.__name__}.{name} does not contain `{line}`")
    return function


def creates(kind, name):
    """Returns the CloudFormation handler of this resource type. Fails if another function creates the resource."""
    handler = provisioners._RESOURCE_HANDLERS.get(kind, {})
    if getattr(handler.get("create"), "__name__", None) != name:
        sys.exit(f"ministack has changed: {name} does not create {kind}")
    return handler


class Resource(str):
    """An ARN with the condition keys for its check."""

    context = {}

    @classmethod
    def of(cls, arn, **context):
        made = cls(arn)
        made.context = {name.replace("_", ":"): value for name, value in context.items()}
        return made


def checked_on_what_it_names():
    """If a call names a key by its alias, AWS checks the key's permissions, with the encryption context of the call; for a
    mail, the sender's identity."""
    before = replaces(
        iam_actions,
        "extract_resource_arn",
        'if key_id.startswith("alias/"):',
        "return _ses_v2_resource_arn(method, path, body, region, account_id)",
    )
    replaces(kms, "_resolve_key")

    def extract_resource_arn(service, method, path, headers, body, query, region, account):
        arn = before(service, method, path, headers, body, query, region, account)
        if service == "kms":
            key = kms._resolve_key(arn.split(":", 5)[5]) if ":alias/" in arn else None
            context = json.loads(body or b"{}").get("EncryptionContext") or {}
            named = {f"kms_EncryptionContext_{name}": value for name, value in context.items()}
            return Resource.of(key["Arn"] if key else arn, **named)
        sender = json.loads(body).get("FromEmailAddress") if service == "ses" and body[:1] == b"{" else None
        if sender:
            return Resource.of(f"arn:aws:ses:{region}:{account}:identity/{sender}", ses_FromAddress=sender)
        return arn

    iam_actions.extract_resource_arn = extract_resource_arn


def batches_of_messages():
    """SQS has no permission for batches: AWS checks the permission for single messages."""
    before = replaces(iam_actions, "extract_iam_action", 'return f"{namespace}:{action_name}"')

    def extract_iam_action(*args, **kwargs):
        action = before(*args, **kwargs)
        return action.removesuffix("Batch") if action and action.startswith("sqs:") else action

    iam_actions.extract_iam_action = extract_iam_action


def secure_transport():
    """Policies deny calls without TLS. The emulator has no TLS, so treat every call as secure."""
    before = replaces(iam_evaluator, "pin_request_origin", "_request_origin.set((source_ip, secure_transport))")
    iam_evaluator.pin_request_origin = lambda address, _secure: before(address, True)


def principals_are_roles():
    """aws:PrincipalArn of a role's session is the ARN of the role, with its path."""
    before = replaces(
        iam_evaluator, "_resolve_condition_key", 'if k == "aws:principalarn":', "return ctx.principal_arn"
    )
    replaces(iam_evaluator, "_conditions_met", "_resolve_condition_key(key, ctx)")
    name_of = replaces(iam_evaluator, "_role_name_from_assumed_arn", "return segs[1]")

    def resolve_condition_key(key, ctx):
        found = before(key, ctx)
        if key.lower() != "aws:principalarn" or ":assumed-role/" not in found:
            return found
        role = iam._roles.get(name_of(found))
        return role["Arn"] if role else found

    iam_evaluator._resolve_condition_key = resolve_condition_key


def leading_keys():
    """Adds dynamodb:LeadingKeys, a condition key that ministack does not support."""
    checks_of = replaces(iam_actions, "dynamodb_transaction_checks", "_DYNAMODB_TRANSACT_ITEM_ACTIONS.items()")
    context_of = replaces(iam_actions, "dynamodb_service_context", "return")
    if "LeadingKeys" in inspect.getsource(iam_actions):
        sys.exit("ministack has changed: it knows dynamodb:LeadingKeys")

    def partition_key(table, index):
        found = dynamodb._tables.get(table) or {}
        schemas = {each["IndexName"]: each["KeySchema"] for each in found.get("GlobalSecondaryIndexes") or []}
        schema = schemas.get(index) or found.get("KeySchema", [])
        return next((key["AttributeName"] for key in schema if key["KeyType"] == "HASH"), None)

    def keys_of(request, table):
        """The partition keys in this table that a request, or an item of a transaction, refers to."""
        name = partition_key(table, request.get("IndexName"))
        rows = [request[what] for what in ("Key", "Item") if what in request]
        batch = (request.get("RequestItems") or {}).get(table)
        if isinstance(batch, dict):
            rows += batch.get("Keys", [])
        elif batch:
            rows += [each.get("PutRequest", {}).get("Item") or each["DeleteRequest"]["Key"] for each in batch]
        values = [row.get(name) for row in rows]
        names = request.get("ExpressionAttributeNames") or {}
        for left, right in re.findall(r"([#\w]+)\s*=\s*(:\w+)", request.get("KeyConditionExpression") or ""):
            if names.get(left, left) == name:
                values.append(request["ExpressionAttributeValues"][right])
        return [next(iter(value.values())) for value in values if value]

    def dynamodb_transaction_checks(action, body, region, account):
        checks = checks_of(action, body, region, account)
        items = json.loads(body)["TransactItems"] if checks else []
        kept = []
        for item in items:
            about = next(iter(item.values()))
            kept.append(keys_of(about, about["TableName"].rsplit("/", 1)[-1]))
        if TOGETHER:
            kept = [sum(kept, [])] * len(kept)
        return [
            (each, Resource.of(arn, dynamodb_LeadingKeys=keys))
            for (each, arn), keys in zip(checks, kept, strict=True)
        ]

    def dynamodb_service_context(body):
        return {**context_of(body), "request": json.loads(body or b"{}")}

    def of_request(arn, context):
        """The partition keys of the checked table; a request may refer to several tables."""
        request = context.pop("request", None)
        if request and not isinstance(arn, Resource):
            found = keys_of(request, arn.split(":table/")[-1].split("/")[0])
            return {"dynamodb:LeadingKeys": found} if found else {}
        return {}

    iam_actions.dynamodb_transaction_checks = dynamodb_transaction_checks
    iam_actions.dynamodb_service_context = dynamodb_service_context
    return of_request


def enforce_with(of_request):
    """Passes these condition keys to the check, and prints denied calls and, if recorded, allowed calls."""
    before = replaces(iam_evaluator, "enforce", "service_context: dict[str, Any] | None = None")
    replaces(iam_evaluator, "resolve_credential", "access_key_id: str")
    records, known = "record" in sys.argv[2:], set()

    def tell(**call):
        print(json.dumps(call), file=sys.__stdout__, flush=True)

    def record(access_key, **call):
        caller = iam_evaluator.resolve_credential(access_key, responses.get_account_id())
        if getattr(caller, "principal_type", "") == "AssumedRole":
            line = json.dumps(call := {"who": caller.principal_arn, **call})
            if line not in known:
                known.add(line)
                tell(**call)

    def enforce(access_key, action, service, region, resource_arn="*", service_context=None):
        context = dict(service_context or {})
        context.update(of_request(resource_arn, context))
        # The operation around an item is one value, which ministack passes as a list.
        enclosing = context.get("dynamodb:EnclosingOperation")
        if isinstance(enclosing, list):
            (context["dynamodb:EnclosingOperation"],) = enclosing
        if isinstance(resource_arn, Resource):
            context.update(resource_arn.context)
        denied = before(
            access_key, action, service, region, resource_arn=resource_arn, service_context=context or None
        )
        call = {"action": action, "on": resource_arn, "keys": context.get("dynamodb:LeadingKeys")}
        if denied:
            tell(who=getattr(denied, "principal_arn", "") or access_key, denied=True, **call)
        elif records and access_key:
            record(access_key, **call)
        return denied

    iam_evaluator.enforce = enforce


def secrets_by_arn():
    """In CloudFormation, Ref of a secret returns its ARN, which policies use."""
    secret = creates("AWS::SecretsManager::Secret", "_sm_secret_create")
    create = replaces(provisioners, "_sm_secret_create", 'return name, {"Id": arn, "Arn": arn}')

    def by_arn(logical_id, properties, stack):
        _name, attributes = create(logical_id, properties, stack)
        return attributes["Arn"], attributes

    secret["create"] = by_arn
    # Deletion and update look secrets up by their names.
    delete, update = provisioners._sm_secret_delete, provisioners._sm_secret_update
    replaces(provisioners, "_sm_secret_delete", "_sm._secrets.get(physical_id)")
    replaces(provisioners, "_sm_secret_update", "_sm._secrets.get(physical_id)")

    def name_of(arn):
        return arn.split(":")[6].rsplit("-", 1)[0]

    def update_by_arn(physical_id, *arguments, **named):
        update(name_of(physical_id), *arguments, **named)
        arn = provisioners._sm._secrets[name_of(physical_id)]["ARN"]
        return arn, {"Id": arn, "Arn": arn}

    secret["delete"] = lambda physical_id, props: delete(name_of(physical_id), props)
    secret["update"] = update_by_arn


def numbers():
    """Converts the scaling settings to numbers: parameters are always text, but the queue poller needs numbers."""
    mapping = creates("AWS::Lambda::EventSourceMapping", "_lambda_esm_create")
    create = replaces(provisioners, "_lambda_esm_create", "esm[_opt] = props[_opt]", '"ScalingConfig"')

    def with_numbers(logical_id, properties, stack):
        scaling = {name: int(value) for name, value in properties.get("ScalingConfig", {}).items()}
        return create(logical_id, {**properties, "ScalingConfig": scaling or None}, stack)

    mapping["create"] = with_numbers


def settings_of_tables():
    """Applies a table's TimeToLiveSpecification and PointInTimeRecoverySpecification, which ministack ignores."""
    table = creates("AWS::DynamoDB::Table", "_ddb_create")
    create = replaces(provisioners, "_ddb_create", "return name, attrs")
    updates = {
        "TimeToLiveSpecification": ("Enabled", replaces(dynamodb, "_update_ttl")),
        "PointInTimeRecoverySpecification": (
            "PointInTimeRecoveryEnabled",
            replaces(dynamodb, "_update_continuous_backups"),
        ),
    }
    for specification in updates:
        if specification.removesuffix("Specification") in inspect.getsource(create):
            sys.exit(f"ministack has changed: it knows {specification}")

    def with_settings(logical_id, properties, stack):
        made = create(logical_id, properties, stack)
        for specification, (switch, update) in updates.items():
            if wanted := properties.get(specification):
                wanted = {**wanted, switch: str(wanted.get(switch)).lower() == "true"}
                status, *rest = update({"TableName": made[0], specification: wanted})
                if status != 200:
                    raise ValueError(f"{logical_id}: {rest}")
        return made

    table["create"] = with_settings


def preflight():
    """An HTTP API without CorsConfiguration forwards OPTIONS like any other method."""
    guard = 'if method == "OPTIONS":\n        return _cors_preflight_response('
    found = [
        source
        for function in vars(apigateway).values()
        if inspect.isfunction(function) and guard in (source := inspect.getsource(function))
    ]
    if len(found) != 1:
        sys.exit(f"ministack has changed: apigateway answers OPTIONS in {len(found)} places")
    exec(found[0].replace(guard, guard.replace(":", " and cors_cfg:", 1)), vars(apigateway))


def stand_ins():
    """Adds empty resources for CodeDeploy, saved log queries, metric-math and composite alarms, and route responses, which
    ministack lacks. Aliases therefore switch to a new version immediately, and clients of sockets get what a function
    answers on every route."""

    def create(logical_id, properties, stack):
        return f"{stack}-{logical_id}", {"Arn": f"{stack}-{logical_id}"}

    for kind in (
        "AWS::ApiGatewayV2::RouteResponse",
        "AWS::CloudWatch::CompositeAlarm",
        "AWS::CodeDeploy::Application",
        "AWS::CodeDeploy::DeploymentGroup",
        "AWS::Logs::QueryDefinition",
    ):
        if kind in provisioners._RESOURCE_HANDLERS:
            sys.exit(f"ministack has changed: it knows {kind}")
        provisioners._RESOURCE_HANDLERS[kind] = {"create": create, "delete": lambda *_resource: None}

    replaces(provisioners, "_cw_metric_alarm_record", "(metric math) is not supported")
    alarm = creates("AWS::CloudWatch::Alarm", "_cw_metric_alarm_create")
    create_alarm = alarm["create"]
    alarm["create"] = lambda logical_id, properties, stack: (
        create if properties.get("Metrics") else create_alarm
    )(logical_id, properties, stack)


checked_on_what_it_names()
batches_of_messages()
secure_transport()
principals_are_roles()
enforce_with(leading_keys())
secrets_by_arn()
numbers()
settings_of_tables()
preflight()
stand_ins()

sys.argv = ["ministack"]
from ministack.app import main

sys.stdout = sys.stderr
main()
