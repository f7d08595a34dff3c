"""Checks what the jobs of deploy.yml do with the rights of a deployment, and what they may not do."""

import ast
import io
import json
import os
import re
import sys
import tempfile
import unittest
from contextlib import ExitStack, contextmanager, redirect_stdout
from pathlib import Path
from unittest import mock

import yaml
from pipeline import NOTHING, Pipeline, main, tell
from samconfig import ENVIRONMENTS, OF_PIPELINE, needed, plan, settings
from template import ROOT, read

WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/deploy.yml").read_text())
JOBS = WORKFLOW["jobs"]
PARAMETERS = read()["Parameters"]
BUCKET = "runeport-pipeline-dev-builds-1"
FILLED = settings()
for environment in ENVIRONMENTS:
    given = FILLED[environment]["deploy"]["parameters"]["parameter_overrides"]
    given.update({name: given[name] or "x" for name in [*needed(PARAMETERS, environment), *OF_PIPELINE]})
READY = {"Status": "CREATE_COMPLETE", "ExecutionStatus": "AVAILABLE", "Changes": [
    {"ResourceChange": {"Action": "Modify", "LogicalResourceId": "MediasFunction", "ResourceType": "AWS::Lambda::Function",
                        "Replacement": "False", "Details": [{"Target": {"Name": "Code"}}]}},
]}


class Account:
    """The AWS CLI, for an account with one stack or none."""

    def __init__(self, stack=None, changes=READY, ends="UPDATE_COMPLETE", answers_late=0):
        self.stack, self.changes, self.ends, self.calls = stack, changes, ends, []
        self.answers_late, self.late = answers_late, []

    def aws(self, *arguments):
        call = arguments[1]
        self.calls.append(call)
        named = dict(zip(arguments[2:], arguments[3:]))
        if call == "describe-stacks":
            if self.late:
                return {"Stacks": [self.late.pop()]}
            if self.stack is None:
                raise RuntimeError("An error occurred (ValidationError): Stack with id runeport-dev does not exist")
            return {"Stacks": [self.stack]}
        if call == "package":
            Path(named["--output-template-file"]).write_text("{}")
        if call == "create-change-set":
            self.request = json.loads(named["--cli-input-json"])
        if call == "describe-change-set":
            return self.changes
        if call == "execute-change-set":
            self.executed = named["--change-set-name"]
            self.late = [self.stack] * self.answers_late
            self.stack = {**(self.stack or {}), "StackStatus": self.ends, "LastUpdatedTime": "now"}
        return {}


class Jobs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.write(FILLED)
        silent = ExitStack()
        self.addCleanup(silent.close)
        silent.enter_context(mock.patch.dict(os.environ, {"AWS_REGION": "eu-central-1", "GITHUB_RUN_ID": "7"}))
        silent.enter_context(redirect_stdout(io.StringIO()))

    def write(self, config):
        (self.folder / "deployments.json").write_text(json.dumps(plan(config, PARAMETERS, "arm64")))

    def pipeline(self, account, environment="dev"):
        return Pipeline(environment, BUCKET, self.folder, account.aws, lambda _seconds: None)

    def failed(self, why, run):
        with self.assertRaises(SystemExit) as raised:
            run()
        self.assertIn(why, str(raised.exception))

    def test_a_new_stack_is_created(self):
        account = Account()
        name = self.pipeline(account).propose()
        self.assertRegex(name, r"^release-[0-9a-f]{12}-7-0$")
        self.assertEqual((account.request["ChangeSetName"], account.request["ChangeSetType"]), (name, "CREATE"))
        self.assertEqual(account.request["Tags"], [
            {"Key": "application", "Value": "runeport"}, {"Key": "environment", "Value": "dev"}, {"Key": "stack", "Value": "runeport-dev"},
        ])
        self.assertRegex(account.request["TemplateURL"], rf"^https://s3\.eu-central-1\.amazonaws\.com/{BUCKET}/runeport-dev/\w+\.template$")
        values = {each["ParameterKey"]: each.get("ParameterValue") for each in account.request["Parameters"]}
        self.assertEqual(values, FILLED["dev"]["deploy"]["parameters"]["parameter_overrides"])

    def test_an_update_keeps_what_samconfig_does_not_name(self):
        kept = [{"ParameterKey": name} for name in PARAMETERS] + [{"ParameterKey": "GoneFromTheTemplate"}]
        account = Account({"StackStatus": "UPDATE_COMPLETE", "Parameters": kept})
        self.pipeline(account).propose()
        self.assertEqual(account.request["ChangeSetType"], "UPDATE")
        given = FILLED["dev"]["deploy"]["parameters"]["parameter_overrides"]
        self.assertEqual({each["ParameterKey"] for each in account.request["Parameters"]}, set(PARAMETERS))
        for each in account.request["Parameters"]:
            name = each.pop("ParameterKey")
            self.assertEqual(each, {"ParameterValue": given[name]} if name in given else {"UsePreviousValue": True}, name)

    def test_only_cloudformation_says_that_nothing_changes(self):
        same = "The submitted information didn't contain changes. Submit different information to create a change set."
        account = Account({"StackStatus": "UPDATE_COMPLETE"}, {"Status": "FAILED", "StatusReason": same})
        self.assertEqual(self.pipeline(account).propose(), NOTHING)
        self.assertIn("delete-change-set", account.calls)
        self.pipeline(account).execute(NOTHING)
        self.assertNotIn("execute-change-set", account.calls)
        for changes in (
            {"Status": "FAILED", "StatusReason": "Transform AWS::Serverless-2016-10-31 failed"},
            {"Status": "FAILED"},
            {"Status": "CREATE_COMPLETE", "ExecutionStatus": "UNAVAILABLE"},
            {"Status": "DELETE_COMPLETE"},
        ):
            self.failed("the change set", self.pipeline(Account({"StackStatus": "UPDATE_COMPLETE"}, changes)).propose)

    def test_a_change_set_that_is_never_made_fails(self):
        self.failed("still being made", self.pipeline(Account(None, {"Status": "CREATE_IN_PROGRESS"})).propose)

    def test_the_named_change_set_is_executed_to_its_end(self):
        account = Account({"StackStatus": "UPDATE_COMPLETE"})
        self.pipeline(account).execute("release-1")
        self.assertEqual(account.executed, "release-1")
        before = {"StackStatus": "UPDATE_COMPLETE", "LastUpdatedTime": "yesterday"}
        late = Account(before, answers_late=3)
        self.pipeline(late).execute("release-1")
        self.assertEqual(late.calls.count("describe-stacks"), 5)
        self.failed("UPDATE_ROLLBACK_COMPLETE", lambda: self.pipeline(
            Account(before, ends="UPDATE_ROLLBACK_COMPLETE", answers_late=3)).execute("release-1"))
        for end in ("UPDATE_ROLLBACK_COMPLETE", "ROLLBACK_COMPLETE", "UPDATE_ROLLBACK_FAILED", "CREATE_FAILED"):
            self.failed(end, lambda: self.pipeline(Account({}, ends=end)).execute("release-1"))
        self.failed("still UPDATE_IN_PROGRESS", lambda: self.pipeline(Account({}, ends="UPDATE_IN_PROGRESS")).execute("release-1"))
        self.failed("no change set is named", lambda: self.pipeline(Account({})).execute(""))

    def test_every_function_is_asked_while_a_stack_that_serves_is_changed(self):
        """Few requests would leave the alarms that stop a deployment nothing to judge."""
        asked = []

        @contextmanager
        def traffic(url):
            asked.append((url, list(account.calls)))
            yield
            asked.append(list(account.calls))

        def execute():
            Pipeline("dev", BUCKET, self.folder, account.aws, lambda _seconds: None, traffic).execute("release-1")

        account = Account({"StackStatus": "UPDATE_COMPLETE", "Outputs": [{"OutputKey": "ApiUrl", "OutputValue": "https://api.example"}]})
        execute()
        (url, before), after = asked
        self.assertEqual(url, "https://api.example")
        self.assertNotIn("execute-change-set", before)
        self.assertEqual(after[-2:], ["execute-change-set", "describe-stacks"])
        asked.clear()
        account = Account({"StackStatus": "REVIEW_IN_PROGRESS"}, ends="CREATE_COMPLETE")
        execute()
        self.assertEqual(asked, [])

    def test_the_smoke_test_asks_the_api_and_the_sockets(self):
        outputs = {"ApiUrl": "https://api.example", "SocketUrl": "wss://sockets.example/live"}
        stack = {"StackStatus": "UPDATE_COMPLETE", "Outputs": [{"OutputKey": key, "OutputValue": value} for key, value in outputs.items()]}
        self.assertEqual(self.pipeline(Account(stack)).urls(), list(outputs.values()))
        self.assertLessEqual(set(outputs), set(read()["Outputs"]))
        for name in outputs:
            less = {**stack, "Outputs": [each for each in stack["Outputs"] if each["OutputKey"] != name]}
            self.failed(f"runeport-dev has no {name}", self.pipeline(Account(less)).urls)
        self.failed("runeport-dev has no ApiUrl", self.pipeline(Account()).urls)

    def test_an_error_of_aws_is_no_answer(self):
        def refuse(*arguments):
            raise RuntimeError("An error occurred (AccessDenied)")

        with self.assertRaises(RuntimeError):
            Pipeline("dev", BUCKET, self.folder, refuse, None).propose()

    def test_an_environment_that_is_not_filled_in_is_not_deployed(self):
        self.write(settings())
        self.failed("samconfig.toml, prod: fill in SignInDomain", lambda: self.pipeline(Account(), "prod"))

    def test_the_changes_are_told(self):
        output, summary = self.folder / "output", self.folder / "summary"
        lines = self.pipeline(Account()).table("release-1")
        self.assertEqual(lines[1], "Modify MediasFunction AWS::Lambda::Function replacement False Code")
        with mock.patch.dict(os.environ, {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary)}):
            tell("release-1", lines)
        self.assertEqual(output.read_text(), "changeset=release-1\n")
        self.assertIn(lines[1], summary.read_text())
        self.failed("BUCKET is not set", lambda: self.main_in_folder("deploy", "dev"))

    def main_in_folder(self, *arguments):
        with mock.patch("pipeline.FOLDER", self.folder), mock.patch("pipeline.Pipeline", lambda *given: self.pipeline_of(*given)):
            main(*arguments)

    def pipeline_of(self, environment, bucket):
        return Pipeline(environment, bucket, self.folder, Account().aws, None)


class Workflow(unittest.TestCase):
    PRIVILEGED = {name: job for name, job in JOBS.items() if "environment" in job}
    # Of GitHub and of AWS, by their commits.
    ACTIONS = {"actions/checkout", "actions/download-artifact", "aws-actions/configure-aws-credentials"}
    UNPACK = 'echo "$SHA256  built.tar" | sha256sum --check --strict\ntar -xf built.tar\n'
    COMMAND = r"python3 infra/tools/pipeline\.py (deploy|propose|execute|smoke) (dev|staging|prod)( \"\$CHANGESET\")?"

    def test_jobs_that_may_assume_a_role_install_and_build_nothing(self):
        self.assertEqual(set(self.PRIVILEGED), {"dev", "staging", "changeset", "prod"})
        for name, job in self.PRIVILEGED.items():
            for step in job["steps"]:
                if "uses" in step:
                    action, commit = step["uses"].split("@")
                    self.assertIn(action, self.ACTIONS, name)
                    self.assertRegex(commit, r"^[0-9a-f]{40}$", name)
                elif "tar -xf" in step["run"]:
                    self.assertEqual(step["run"], self.UNPACK)
                elif "gh attestation" in step["run"]:
                    self.assertEqual(step["env"], {"GH_TOKEN": "${{ github.token }}"})
                else:
                    self.assertRegex(step["run"], rf"^{self.COMMAND}$", name)

    def test_the_build_is_checked_before_there_are_credentials(self):
        for name, job in self.PRIVILEGED.items():
            steps = [step.get("uses", step.get("run", "")).split("@")[0] for step in job["steps"]]
            order = [next(number for number, step in enumerate(steps) if what in step)
                     for what in ("download-artifact", "sha256sum", "gh attestation", "configure-aws-credentials", "pipeline.py")]
            self.assertEqual(order, sorted(order), name)
            self.assertEqual(job["env"]["SHA256"], "${{ needs.build.outputs.sha256 }}", name)
            self.assertIn("build", job["needs"], name)

    def test_no_other_job_may_ask_for_a_token(self):
        """But that which attests, which no role trusts."""
        self.assertEqual(WORKFLOW["permissions"], {"contents": "read"})
        for name, job in JOBS.items():
            self.assertEqual("id-token" in job.get("permissions", {}), name in self.PRIVILEGED or name == "attest", name)
            self.assertEqual(job.get("permissions", {}).get("attestations"),
                             "read" if name in self.PRIVILEGED else "write" if name == "attest" else None, name)
        attest = JOBS["attest"]
        self.assertNotIn("environment", attest)
        self.assertEqual([step.get("run", self.UNPACK) for step in attest["steps"]], [self.UNPACK] * len(attest["steps"]))
        self.assertEqual(
            [step["uses"].split("@")[0] for step in attest["steps"] if "uses" in step],
            ["actions/download-artifact", "actions/attest-build-provenance", "actions/attest-sbom"],
        )

    def test_a_deployment_takes_what_this_workflow_attests_for_this_commit_and_no_other(self):
        for name, job in self.PRIVILEGED.items():
            (verified,) = [step["run"] for step in job["steps"] if "gh attestation" in step.get("run", "")]
            for option in ('--repo "$GITHUB_REPOSITORY"', '--signer-workflow "$GITHUB_REPOSITORY/.github/workflows/deploy.yml"',
                           '--source-digest "$GITHUB_SHA"', "--deny-self-hosted-runners", '--predicate-type "$type"',
                           "https://slsa.dev/provenance/v1 https://cyclonedx.org/bom"):
                self.assertIn(option, verified, name)
        self.assertIn("attest", JOBS["dev"]["needs"])

    def test_prod_is_skipped_only_if_nothing_changes(self):
        self.assertEqual(JOBS["prod"]["if"], f"needs.changeset.outputs.name != '{NOTHING}'")
        self.assertEqual(JOBS["changeset"]["outputs"]["name"], "${{ steps.propose.outputs.changeset }}")
        self.assertEqual([step["run"] for step in JOBS["changeset"]["steps"] if step.get("id") == "propose"],
                         ["python3 infra/tools/pipeline.py propose prod"])

    def test_what_they_run_imports_nothing_but_pythons_own_library(self):
        files, rest = set(), ["pipeline"]
        while rest:
            name = rest.pop()
            files.add(name)
            for node in ast.walk(ast.parse((ROOT / f"infra/tools/{name}.py").read_text())):
                for each in [node.module] if isinstance(node, ast.ImportFrom) else [one.name for one in getattr(node, "names", [])] if isinstance(node, ast.Import) else []:
                    if (ROOT / f"infra/tools/{each}.py").exists():
                        rest += [each] if each not in files else []
                    else:
                        self.assertIn(each.split(".")[0], sys.stdlib_module_names, f"{name}.py")
        self.assertEqual(files, {"pipeline", "smoke"})

    def test_every_action_of_every_workflow_is_named_by_its_commit(self):
        for path in (ROOT / ".github/workflows").glob("*.yml"):
            for used in re.findall(r"uses: (\S+)", path.read_text()):
                self.assertRegex(used, r"@[0-9a-f]{40}$|^\./", path.name)


if __name__ == "__main__":
    unittest.main()
