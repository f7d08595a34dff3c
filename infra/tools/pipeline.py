"""pipeline.py propose | deploy | smoke ENV, or execute ENV CHANGESET: what the jobs of deploy.yml do with the rights of a
deployment. They run nothing but this file, Python's own library and the AWS CLI of the runner: a package that another job installed
could take those rights. FOLDER (.aws-sam) has what the build made: the build of SAM, and deployments.json, the stacks and parameters
of samconfig.toml. BUCKET in the environment is the bucket of the stack that infra/pipeline.yaml makes. `propose` makes the change set and
writes its name, or `nothing` if the stack is as it should be, to GITHUB_OUTPUT; it fails if it is neither."""

import hashlib
import json
import os
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path

from smoke import smoke, traffic

FOLDER = Path(".aws-sam")
NOTHING = "nothing"
# How CloudFormation and its transforms say that nothing changes.
SAME = ("The submitted information didn't contain changes.", "No updates are to be performed.")
# Before its first change set is executed, a stack has no resources, and the next change set creates them, too.
NEW = "REVIEW_IN_PROGRESS"
PAUSE = 5
LONGEST = 3000


def fail(why):
    sys.exit(f"pipeline: {why}")


def aws(*arguments):
    """The answer of the AWS CLI, or its error as an exception."""
    done = subprocess.run(["aws", *arguments, "--output", "json"], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip() or f"aws {arguments[0]} {arguments[1]} failed")
    return json.loads(done.stdout) if done.stdout.strip().startswith(("{", "[")) else {}


class Pipeline:
    def __init__(self, environment, bucket="", folder=FOLDER, aws=aws, sleep=time.sleep, traffic=traffic):
        self.folder, self.bucket, self.aws, self.sleep, self.traffic = folder, bucket, aws, sleep, traffic
        plan = json.loads((folder / "deployments.json").read_text())
        self.names, self.plan = plan["parameters"], plan["environments"][environment]
        if unfilled := self.plan.get("unfilled"):
            fail(f"samconfig.toml, {environment}: {unfilled}")
        self.stack = self.plan["stack"]

    def found(self):
        """The stack, or None before its first deployment."""
        try:
            (stack,) = self.aws("cloudformation", "describe-stacks", "--stack-name", self.stack)["Stacks"]
            return stack
        except RuntimeError as error:
            if "does not exist" in str(error):
                return None
            raise

    def parameters(self, stack):
        """Values that samconfig.toml names; others stay as they are in the stack, or are the default."""
        kept = {each["ParameterKey"] for each in (stack or {}).get("Parameters", [])}
        given = self.plan["parameters"]
        return [
            {"ParameterKey": name, "ParameterValue": given[name]} if name in given else {"ParameterKey": name, "UsePreviousValue": True}
            for name in self.names
            if name in given or name in kept
        ]

    def propose(self):
        """The name of a change set that can be executed, or NOTHING."""
        packaged = self.folder / "packaged.json"
        self.aws(
            *["cloudformation", "package", "--template-file", str(self.folder / "build/template.yaml"), "--use-json"],
            *["--s3-bucket", self.bucket, "--s3-prefix", self.stack, "--output-template-file", str(packaged)],
        )
        digest = hashlib.sha256(packaged.read_bytes()).hexdigest()
        key, region = f"{self.stack}/{digest}.template", os.environ["AWS_REGION"]
        self.aws("s3api", "put-object", "--bucket", self.bucket, "--key", key, "--body", str(packaged))
        domain = "amazonaws.com.cn" if region.startswith("cn-") else "amazonaws.com"
        stack = self.found()
        is_new = stack is None or stack["StackStatus"] == NEW
        name = f"release-{digest[:12]}-{os.environ.get('GITHUB_RUN_ID', '0')}-{os.environ.get('GITHUB_RUN_ATTEMPT', '0')}"
        request = {
            "StackName": self.stack,
            "ChangeSetName": name,
            "ChangeSetType": "CREATE" if is_new else "UPDATE",
            "TemplateURL": f"https://s3.{region}.{domain}/{self.bucket}/{key}",
            "Parameters": self.parameters(None if is_new else stack),
            "Tags": [{"Key": key, "Value": value} for key, value in self.plan["tags"].items()],
            "Capabilities": ["CAPABILITY_IAM"],
        }
        self.aws("cloudformation", "create-change-set", "--cli-input-json", json.dumps(request))
        made = self.made(name)
        if made["Status"] == "CREATE_COMPLETE" and made["ExecutionStatus"] == "AVAILABLE":
            return name
        if made["Status"] == "FAILED" and any(same in made.get("StatusReason", "") for same in SAME):
            self.aws("cloudformation", "delete-change-set", "--stack-name", self.stack, "--change-set-name", name)
            return NOTHING
        fail(f"the change set {name} is {made['Status']}, {made.get('ExecutionStatus')}: {made.get('StatusReason', 'no reason given')}")

    def made(self, name):
        """A change set that is no longer being made."""
        for _attempt in range(LONGEST // PAUSE):
            found = self.aws("cloudformation", "describe-change-set", "--stack-name", self.stack, "--change-set-name", name)
            if not found["Status"].endswith(("_PENDING", "_IN_PROGRESS")):
                return found
            self.sleep(PAUSE)
        fail(f"the change set {name} is still being made")

    def table(self, name):
        """The changes of a change set, one line each."""
        if name == NOTHING:
            return [f"{self.stack}: nothing changes"]
        changes = [each["ResourceChange"] for each in self.made(name)["Changes"]]
        lines = [f"{self.stack}, {name}: {len(changes)} changes"]
        for one in changes:
            properties = sorted({each["Target"]["Name"] for each in one.get("Details", []) if each["Target"].get("Name")})
            lines.append(" ".join([one["Action"], one["LogicalResourceId"], one["ResourceType"],
                                   f"replacement {one.get('Replacement', '-')}", *properties]))
        return lines

    def execute(self, name):
        """Executes a change set, and waits until the stack is as it says."""
        if name == NOTHING:
            return print(f"{self.stack}: nothing changes", flush=True)
        if not name:
            fail("no change set is named")
        before = self.found() or {}
        with self.traffic(url) if (url := self.url_of(before)) else nullcontext():
            self.aws("cloudformation", "execute-change-set", "--stack-name", self.stack, "--change-set-name", name)
            print(f"Executing {name} on {self.stack}", flush=True)
            self.wait(before)

    def wait(self, before):
        """Waits until the stack, which was as `before`, has been changed."""
        for _attempt in range(LONGEST // PAUSE):
            stack = self.found() or {"StackStatus": "gone"}
            status = stack["StackStatus"]
            # An answer may still be of the time before, in which the stack was complete, too.
            has_begun = (status, stack.get("LastUpdatedTime")) != (before.get("StackStatus"), before.get("LastUpdatedTime"))
            if has_begun and status in ("CREATE_COMPLETE", "UPDATE_COMPLETE"):
                return print(f"{self.stack}: {status}", flush=True)
            # While what is replaced is deleted, too.
            if has_begun and not status.endswith("_IN_PROGRESS"):
                fail(f"{self.stack} is {status}: its events say why")
            self.sleep(PAUSE)
        fail(f"{self.stack} is still {status}")

    @staticmethod
    def url_of(stack, output="ApiUrl"):
        """Where the API of a stack is, or None before its first deployment."""
        return next((each["OutputValue"] for each in stack.get("Outputs", []) if each["OutputKey"] == output), None)

    def urls(self):
        """Where the API is, and where sockets are opened."""
        stack, found = self.found() or {}, []
        for output in ("ApiUrl", "SocketUrl"):
            found.append(self.url_of(stack, output) or fail(f"{self.stack} has no {output}"))
        return found


def tell(name, lines):
    """Reports to the jobs that follow, and to the page of the run."""
    for variable, text in (
        ("GITHUB_OUTPUT", f"changeset={name}\n"),
        ("GITHUB_STEP_SUMMARY", "\n".join(["```", *lines, "```", ""])),
    ):
        if os.environ.get(variable):
            with open(os.environ[variable], "a") as file:
                file.write(text)
    print("\n".join(lines), flush=True)


def main(command, environment, name=""):
    pipeline = Pipeline(environment, os.environ.get("BUCKET", ""))
    if command in ("propose", "deploy"):
        if not pipeline.bucket:
            fail("BUCKET is not set: it is an output of the stack of infra/pipeline.yaml")
        name = pipeline.propose()
        tell(name, pipeline.table(name))
    if command in ("execute", "deploy"):
        pipeline.execute(name)
    if command == "smoke":
        smoke(*pipeline.urls())


if __name__ == "__main__":
    main(*sys.argv[1:])
