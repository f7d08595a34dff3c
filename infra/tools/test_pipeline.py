"""Compares the rights in infra/pipeline.yaml with those that CloudFormation names for the resources of template.yaml,
as SAM expands it. Rights that are missing, too many or not restricted to the stack are named."""

import copy
import json
import re
import unittest
from fnmatch import fnmatchcase

from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER
from check_template import alternatives, text
from expansion import expanded
from template import ROOT, parse, read

REGION = "us-east-1"
LONGEST_STACK = 18
# Actions that CloudFormation lists for properties that template.yaml does not use.
NOT_NEEDED = {
    "rows, imports, replicas and streams of tables": [
        "dynamodb:*Item",
        "dynamodb:*KinesisStreamingDestination",
        "dynamodb:*Replica",
        "dynamodb:DeleteResourcePolicy",
        "dynamodb:ImportTable",
        "dynamodb:PutResourcePolicy",
        "dynamodb:Query",
        "dynamodb:Scan",
        "kinesis:*",
        "logs:CreateLogStream",
        "logs:DescribeLogStreams",
        "logs:PutLogEvents",
    ],
    "networks, file systems and pools of functions": [
        "ec2:*",
        "elasticfilesystem:*",
        "lambda:AssociateRuntimeAlias",
        "lambda:PassCapacityProvider",
        "s3files:*",
    ],
    "encryption with other keys than the service's own": [
        "kms:*Grant",
        "kms:Decrypt",
        "kms:Encrypt",
        "kms:GenerateDataKey",
        "logs:*KmsKey",
    ],
    "policies and protection of log groups": [
        "firehose:*",
        "logs:DeleteIndexPolicy",
        "logs:DeleteResourcePolicy",
        "logs:PutBearerTokenAuthentication",
        "logs:PutDataProtectionPolicy",
        "logs:PutIndexPolicy",
        "logs:PutLogGroupDeletionProtection",
        "s3:REST.PUT.OBJECT",
    ],
    "objects and metadata tables of buckets": ["s3:*Metadata*", "s3:DeleteObject", "s3tables:*"],
    "values and copies of the secret": [
        "secretsmanager:*Replicat*",
        "secretsmanager:GetRandomPassword",
        "secretsmanager:GetSecretValue",
    ],
    "taking the boundary from a role": ["iam:DeleteRolePermissionsBoundary"],
    "policies of users and groups": ["iam:*GroupPolicy", "iam:*UserPolicy"],
    "servers of CodeDeploy": ["codedeploy:RegisterOnPremisesInstance"],
    "zones by name": ["route53:ListHostedZones"],
}
# Actions that CloudFormation does not list, although the services document that they are needed.
DOCUMENTED = {
    "logs of an HTTP API": [
        "logs:DeleteLogDelivery",
        "logs:GetLogDelivery",
        "logs:ListLogDeliveries",
        "logs:UpdateLogDelivery",
    ],
    "a rule that is switched off or on": ["events:DisableRule", "events:EnableRule"],
}
# Actions that no deployment needs.
NEVER = [
    *["dynamodb:BatchGetItem", "dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query"],
    *["dynamodb:Scan", "dynamodb:UpdateItem", "execute-api:Invoke", "iam:CreatePolicyVersion", "iam:CreateUser"],
    *["kms:CreateGrant", "kms:Decrypt", "kms:ReplicateKey", "kms:Sign", "lambda:InvokeFunction"],
    *["secretsmanager:GetSecretValue", "secretsmanager:PutSecretValue", "sns:Publish", "sqs:DeleteMessage"],
    *["sqs:ReceiveMessage", "sqs:SendMessage", "sts:AssumeRole"],
]


PIPELINE = parse((ROOT / "infra/pipeline.yaml").read_text())
RESOURCES = expanded(read(), REGION)


def needed():
    """The actions that CloudFormation names for the types of the resources."""
    actions = set()
    for kind in {resource["Type"] for resource in RESOURCES.values()}:
        schema = PROVIDER_SCHEMA_MANAGER.get_resource_schema(REGION, kind).schema
        actions.update(schema.get("tagging", {}).get("permissions", []))
        for name, handler in schema["handlers"].items():
            # It lists all resources of an account.
            if name != "list":
                actions.update(handler.get("permissions", []))
    return actions


NEEDED = needed()


def several(value):
    return value if isinstance(value, list) else [value]


def statements(*policies, pipeline=PIPELINE):
    """The statements of policies, those with a condition of the template included."""
    for policy in policies:
        for statement in pipeline["Resources"][policy]["Properties"]["PolicyDocument"]["Statement"]:
            yield from alternatives(statement)


def matches(action, patterns):
    return any(fnmatchcase(action.lower(), pattern.lower()) for pattern in patterns)


def allowed(*policies, pipeline=PIPELINE):
    found = statements(*policies, pipeline=pipeline)
    return [action for one in found if one["Effect"] == "Allow" for action in several(one["Action"])]


def missing(actions):
    """The actions that CloudFormation needs and that `actions` lack."""
    without = [pattern for patterns in NOT_NEEDED.values() for pattern in patterns]
    return sorted(action for action in NEEDED if not matches(action, [*actions, *without]))


RIGHTS = ("Execution", "Functions", "RolesOfFunctions", "Data")


class Rights(unittest.TestCase):
    def test_the_roles_can_deploy_every_resource(self):
        self.assertGreaterEqual(len(NEEDED), 200)
        self.assertEqual(missing(allowed(*RIGHTS)), [])

    def test_a_missing_right_is_named(self):
        """Without any single action or pattern, something is missing, or the action is documented elsewhere."""
        documented = {action for actions in DOCUMENTED.values() for action in actions}
        # A second statement for an action that the first one allows for other resources.
        twice = {"lambda:CreateEventSourceMapping", "lambda:GetLayerVersion", "s3:GetObject", "s3:GetObjectVersion"}
        actions = allowed(*RIGHTS)
        unnamed = set()
        for action in actions:
            rest = [each for each in actions if each != action]
            if not action.startswith("cloudformation:") and not missing(rest):
                unnamed.add(action)
        self.assertEqual(unnamed, documented | twice)

    def test_a_new_kind_of_resource_is_noticed(self):
        for service in ("wafv2", "events", "cloudfront", "budgets"):
            rest = [action for action in allowed(*RIGHTS) if not action.startswith(f"{service}:")]
            found = missing(rest)
            self.assertEqual(bool(found), service != "wafv2", found)

    def test_no_exception_is_out_of_date(self):
        for patterns in NOT_NEEDED.values():
            for pattern in patterns:
                self.assertTrue([action for action in NEEDED if matches(action, [pattern])], pattern)

    def test_no_role_has_rights_to_data(self):
        for policy in (*RIGHTS, "ChangeSets"):
            for action in NEVER:
                self.assertFalse(matches(action, allowed(policy)), f"{policy} allows {action}")
        denied = [one for one in statements("Data") if one["Effect"] == "Deny"]
        self.assertEqual([text(one["Resource"]) for one in denied], ["arn:${AWS::Partition}:s3:::${StackName}-*/*"])
        for action in ("s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:GetObjectVersion"):
            self.assertTrue(matches(action, denied[0]["Action"]), action)

    def test_resources_change_through_cloudformation_alone(self):
        found = [one for one in statements("Functions", "RolesOfFunctions", "Data") if one["Effect"] == "Allow"]
        self.assertGreaterEqual(len(found), 20)
        for one in found:
            caller = one["Condition"]["ForAnyValue:StringEquals"]["aws:CalledVia"]
            self.assertEqual(caller, "cloudformation.amazonaws.com", one["Sid"])

    def test_a_layer_of_another_account_may_be_read(self):
        """AdotLayerArn names one of AWS's own account."""
        layers = [one for one in statements("Functions") if ":layer:" in json.dumps(one["Resource"])]
        self.assertEqual([each["Action"] for each in layers], ["lambda:GetLayerVersion"])
        arn = "arn:aws:lambda:eu-central-1:901920570463:layer:aws-otel-collector-amd64-ver-0-117-0:1"
        pattern = text(layers[0]["Resource"]).replace("${AWS::Partition}", "aws").replace("${AWS::Region}", "eu-central-1")
        self.assertTrue(fnmatchcase(arn, pattern), pattern)

    def test_rights_are_restricted_to_the_stack_where_names_are(self):
        """Everything else is listed here."""
        unnamed = {
            "Layers": ["layer:*:*"],
            "EventSources": ["*"],
            "LogsOfTheAccount": ["*"],
            "AlarmsOfTheAccount": ["*"],
            "Subscriptions": ["*"],
            "Keys": ["*"],
            "Functions": ["event-source-mapping:*"],
            "Deployments": ["deploymentconfig:*"],
            "Gateway": ["/apis", "/apis/*", "/domainnames", "/domainnames/*", "/tags/*"],
            "Aliases": ["key/*"],
            "Secrets": ["secret:TokenSecret-*"],
            "Media": ["distribution/*", "origin-access-control/*", "response-headers-policy/*"],
            "Budgets": ["billingview/primary"],
            "Record": ["change/*", "hostedzone/${HostedZoneId}"],
        }
        found = {}
        for one in statements("Functions", "RolesOfFunctions", "Data"):
            for resource in map(text, several(one["Resource"])):
                if "${StackName}" not in resource:
                    resource = re.sub(r"\$\{AWS::(\w+)\}", r"\1", resource)
                    found.setdefault(one["Sid"], []).append(re.sub(r"^arn:([^:]*:){4}", "", resource))
        self.assertEqual(found, unnamed)


class Names(unittest.TestCase):
    """Rights name resources by the start of their names, which are CloudFormation's own or written in the template."""

    LIMITS = {
        "AWS::CodeDeploy::Application": 100,
        "AWS::CodeDeploy::DeploymentGroup": 100,
        "AWS::DynamoDB::Table": 255,
        "AWS::Events::Rule": 64,
        "AWS::IAM::Role": 64,
        "AWS::Lambda::Function": 64,
        "AWS::S3::Bucket": 63,
        "AWS::SNS::Topic": 256,
        "AWS::SQS::Queue": 80,
    }
    WRITTEN = {
        ("AWS::Budgets::Budget", "Budget", "BudgetName"): ["${AWS::StackName}-"],
        ("AWS::CloudWatch::Dashboard", "DashboardName"): ["${AWS::StackName}-"],
        ("AWS::IAM::Role", "Path"): ["/runeport/${AWS::StackName}/"],
        ("AWS::KMS::Alias", "AliasName"): ["alias/${AWS::StackName}-"],
        ("AWS::Logs::LogGroup", "LogGroupName"): [
            "/runeport/${AWS::StackName}/",
            "/aws/vendedlogs/runeport/${AWS::StackName}/",
        ],
    }

    def test_cloudformation_does_not_shorten_a_name(self):
        pattern = PIPELINE["Parameters"]["StackName"]["AllowedPattern"]
        self.assertTrue(re.match(pattern, "x" * LONGEST_STACK))
        self.assertFalse(re.match(pattern, "x" * (LONGEST_STACK + 1)))
        for name, resource in RESOURCES.items():
            if limit := self.LIMITS.get(resource["Type"]):
                # CloudFormation's own names end in 12 or 13 characters.
                length = LONGEST_STACK + len(f"-{name}-") + 13
                self.assertLessEqual(length, limit, name)

    def test_written_names_begin_with_the_stack(self):
        for (kind, *path), starts in self.WRITTEN.items():
            found = 0
            for name, resource in RESOURCES.items():
                value = resource["Properties"] if resource["Type"] == kind else {}
                for part in path:
                    value = value.get(part, {})
                if value:
                    self.assertTrue(text(value).startswith(tuple(starts)), f"{name}: {text(value)}")
                    found += 1
            self.assertGreater(found, 0, kind)

    def test_stacks_of_samconfig_fit(self):
        found = re.findall(r'^stack_name = "(.*)"$', (ROOT / "samconfig.toml").read_text(), re.MULTILINE)
        self.assertEqual(len(found), 3)
        for stack in found:
            self.assertRegex(stack, PIPELINE["Parameters"]["StackName"]["AllowedPattern"])

    def test_roles_of_functions_get_known_policies_and_go_to_known_services(self):
        roles = [each["Properties"] for each in RESOURCES.values() if each["Type"] == "AWS::IAM::Role"]
        policies = {text(policy).replace("${AWS::Partition}", "aws") for role in roles for policy in role.get("ManagedPolicyArns", [])}
        services = {
            service
            for role in roles
            for statement in role["AssumeRolePolicyDocument"]["Statement"]
            for service in several(statement["Principal"]["Service"])
        }
        found = {one["Sid"]: one["Condition"] for one in statements("RolesOfFunctions")}
        named = map(text, found["PoliciesOfRoles"]["ArnEquals"]["iam:PolicyARN"])
        self.assertEqual({arn.replace("${AWS::Partition}", "aws") for arn in named}, policies)
        self.assertEqual(set(found["PassedRoles"]["StringEquals"]["iam:PassedToService"]), services)


# What the policies of AWS give to functions and to CodeDeploy, of which a stack needs these.
OF_MANAGED_POLICIES = {
    *["logs:CreateLogStream", "logs:PutLogEvents", "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"],
    *["cloudwatch:DescribeAlarms", "lambda:GetAlias", "lambda:GetProvisionedConcurrencyConfig", "lambda:UpdateAlias"],
}


class Bounds(unittest.TestCase):
    def test_a_role_may_do_all_that_the_template_gives_it_and_no_more(self):
        """What functions may do is in the template; the boundary names the same actions."""
        given = set(OF_MANAGED_POLICIES)
        for one in RESOURCES.values():
            policies = [policy["PolicyDocument"] for policy in one.get("Properties", {}).get("Policies", []) if isinstance(policy, dict)]
            if one["Type"] == "AWS::IAM::Policy":
                policies.append(one["Properties"]["PolicyDocument"])
            if one["Type"] not in ("AWS::IAM::Role", "AWS::IAM::Policy"):
                continue
            for document in policies:
                for listed in document["Statement"]:
                    for statement in alternatives(listed):
                        if statement["Effect"] == "Allow":
                            given |= set(several(statement["Action"]))
        self.assertEqual(set(allowed("Boundary")) - {"dynamodb:BatchWriteItem"}, given)

    def test_it_lets_no_role_change_rights_code_keys_or_settings(self):
        for action in allowed("Boundary"):
            self.assertNotIn("*", action)
            service, verb = action.split(":")
            self.assertNotIn(service, {"iam", "sts", "cloudformation", "apigateway", "events", "sns", "codedeploy"}, action)
            if service in ("lambda", "kms", "ssm", "secretsmanager", "cloudwatch", "logs"):
                self.assertIn(verb, {"GetAlias", "GetProvisionedConcurrencyConfig", "UpdateAlias", "Decrypt", "GenerateDataKey", "GetPublicKey",
                                     "Sign", "GetParameter", "GetSecretValue", "DescribeAlarms", "CreateLogStream", "PutLogEvents"}, action)

    def test_roles_are_made_and_get_rights_within_it_alone(self):
        bounded = ["iam:AttachRolePolicy", "iam:CreateRole", "iam:DeleteRolePolicy", "iam:DetachRolePolicy", "iam:PutRolePermissionsBoundary",
                   "iam:PutRolePolicy"]
        found = []
        for one in statements(*RIGHTS):
            for action in several(one["Action"]):
                if action in bounded:
                    found.append(action)
                    self.assertEqual(one["Condition"]["StringEquals"]["iam:PermissionsBoundary"], {"Ref": "Boundary"}, action)
        self.assertEqual(sorted(found), bounded)
        self.assertFalse(matches("iam:DeleteRolePermissionsBoundary", allowed(*RIGHTS)))
        self.assertFalse(matches("iam:CreatePolicyVersion", allowed(*RIGHTS)))
        self.assertEqual(PIPELINE["Resources"]["Boundary"]["Properties"]["Path"], "/pipeline/")
        self.assertEqual(PIPELINE["Outputs"]["PermissionsBoundary"]["Value"], {"Ref": "Boundary"})


class Roles(unittest.TestCase):
    def test_each_role_is_of_one_environment_of_the_repository(self):
        for role, environment in [("DeployRole", "${Environment}"), ("ChangeSetRole", "${Environment}-changeset")]:
            properties = PIPELINE["Resources"][role]["Properties"]
            (statement,) = properties["AssumeRolePolicyDocument"]["Statement"]
            self.assertEqual(statement["Action"], "sts:AssumeRoleWithWebIdentity")
            subject = {
                "token.actions.githubusercontent.com:aud": "sts.amazonaws.com",
                "token.actions.githubusercontent.com:sub": f"repo:${{Repository}}:environment:{environment}",
            }
            (operator,) = statement["Condition"]
            self.assertEqual(operator, "StringEquals")
            self.assertEqual({key: text(value) for key, value in statement["Condition"][operator].items()}, subject)
            # A deployment may change the roles of its stack, but not its own.
            self.assertEqual(properties["Path"], "/pipeline/")

    def test_a_repository_is_named_as_github_names_it(self):
        """Of repositories that were created, renamed or transferred since 15 July 2026, the subject names ids, too."""
        pattern = PIPELINE["Parameters"]["Repository"]["AllowedPattern"]
        for name in ("owner/repository", "owner@583231/repository@1296269", "Own-er/re.po_si-tory", "o@1/r.@2"):
            self.assertRegex(name, pattern)
        for name in (
            *["owner", "owner/", "owner/*", "*/repository", "owner@/repository@1", "owner@1/repository", "owner/repository@1"],
            *["owner/repository:environment:prod", "owner@1/repository@2/x", "owner@1/repository@x", "owner/a b", ""],
        ):
            self.assertNotRegex(name, pattern)

    def test_in_prod_one_role_proposes_and_the_other_executes(self):
        proposes = PIPELINE["Resources"]["ChangeSetRole"]
        self.assertEqual(proposes["Condition"], "IsProd")
        self.assertEqual(proposes["Properties"]["ManagedPolicyArns"], [{"Ref": "ChangeSets"}])
        own, *others = PIPELINE["Resources"]["DeployRole"]["Properties"]["ManagedPolicyArns"]
        self.assertEqual(own, {"Fn::If": ["IsProd", {"Ref": "AWS::NoValue"}, {"Ref": "ChangeSets"}]})
        self.assertEqual(others, [{"Ref": policy} for policy in RIGHTS])
        self.assertNotIn("cloudformation:CreateChangeSet", allowed(*RIGHTS))
        self.assertNotIn("cloudformation:ExecuteChangeSet", allowed("ChangeSets"))
        # What is executed is what was uploaded for it, in the bucket of this environment.
        writes = [text(one["Resource"]) for one in statements("ChangeSets") if "s3:PutObject" in several(one["Action"])]
        self.assertEqual(writes, ["${Builds.Arn}/${StackName}/*"])
        self.assertNotIn("s3:PutObject", allowed(*RIGHTS))

    def test_policies_are_not_too_long(self):
        values = {"AWS::Partition": "aws-us-gov", "AWS::Region": "ap-southeast-1", "AWS::AccountId": "123456789012"}
        values |= {"StackName": "x" * LONGEST_STACK, "HostedZoneId": "Z" * 32, "Builds.Arn": "arn:aws-us-gov:s3:::" + "x" * 63}

        def filled(value):
            if isinstance(value, list):
                return [filled(each) for one in value for each in alternatives(one)]
            if isinstance(value, dict) and "Fn::Sub" not in value:
                return {key: filled(each) for key, each in value.items()}
            return re.sub(r"\$\{([\w:.]+)\}", lambda found: values[found[1]], text(value))

        values["Boundary"] = "arn:aws-us-gov:iam::123456789012:policy/pipeline/runeport-pipeline-staging-Boundary-ABCDEFGHIJKL"
        for policy in (*RIGHTS, "ChangeSets", "Boundary"):
            document = copy.deepcopy(PIPELINE["Resources"][policy]["Properties"]["PolicyDocument"])
            self.assertLessEqual(len(json.dumps(filled(document), separators=(",", ":"))), 6144, policy)


if __name__ == "__main__":
    unittest.main()
