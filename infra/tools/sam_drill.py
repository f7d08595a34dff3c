"""sam_drill.py: shows that SAM without other tools builds, validates, packages and deploys template.yaml, in
the AWS emulator. In a copy of this clone whose samconfig.toml is filled in as an operator would, it runs
SAM's commands with the environment's name as the only option. The programs are stand-ins, which are deployed
but not called. It also shows that the emulator deploys what SAM makes of the file, and that a change reaches
only the functions that it concerns."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import tomlkit
from deploy_local import guarded
from deploy_local_world import LOCAL, REGION, World, fail, tail
from expansion import expanded
from ports import reserved_port
from samconfig import values_of
from template import ROOT, functions, read

ENVIRONMENT = "dev"
STACK = "runeport-dev"
BUCKET = "runeport-pipeline-builds"
VALUES = {
    "SignInDomain": "app.example",
    "SignInUri": "https://app.example",
    "PasskeyRpId": "app.example",
    "PasskeyOrigins": "https://app.example",
    "EsploraUrl": "https://esplora.example/api",
    "OrdUrl": "https://ord.example",
    "TreasuryAddress": "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
    "HubUrl": "https://hub.example",
    "AffiliateAddress": "0x00000000000000000000000000000000000000aa",
    "PerpVenueBuilder": "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "MailFrom": "runeport@app.example",
    "AppUrl": "https://app.example",
    "PermissionsBoundary": "arn:aws:iam::000000000000:policy/pipeline/boundary",
}


class Copy:
    """A copy of what SAM reads of this clone."""

    def __init__(self, world):
        self.world, self.folder, self.bootstraps = world, world.folder / "clone", world.folder / "bootstraps"
        self.folder.mkdir()
        for name in ("Makefile", "samconfig.toml", "template.yaml"):
            shutil.copy2(ROOT / name, self.folder / name)
        # Folders that nothing changes. The tools look for the files next to them.
        (self.folder / "infra").mkdir()
        shutil.copytree(ROOT / "infra/tools", self.folder / "infra/tools", ignore=shutil.ignore_patterns("__pycache__"))
        (self.folder / "infra/frontend").symlink_to(ROOT / "infra/frontend")
        for name in ("Cargo.toml", "functions", ".local"):
            (self.folder / name).symlink_to(ROOT / name)
        for properties in functions(read()).values():
            self.program(properties["CodeUri"].removeprefix("functions/"), "first")
        for environment in ("dev", "staging"):
            self.set(environment, VALUES)

    def program(self, function, content):
        """Replaces what is compiled of a function."""
        program = self.bootstraps / function / "bootstrap"
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(f"#!/bin/sh\nexit 1 # {function}, {content}\n")

    def set(self, environment, values):
        """Writes values into samconfig.toml."""
        file = self.folder / "samconfig.toml"
        config = tomlkit.parse(file.read_text())
        values_of(config, environment).update(values)
        file.write_text(tomlkit.dumps(config))

    def run(self, program, *arguments, **environment):
        """Runs a program, and returns its output."""
        started, path = time.monotonic(), self.world.folder / "drill.log"
        what = " ".join([Path(program).name, *arguments])
        with open(path, "w") as log:
            code = self.world.start(
                [program, *arguments],
                {"BOOTSTRAPS": str(self.bootstraps), **environment},
                cwd=self.folder,
                stdout=log,
                stderr=subprocess.STDOUT,
            ).wait()
        if code:
            fail(f"{what} failed", *tail(path, 60))
        print(f"ok  {what}, {time.monotonic() - started:.0f} s", flush=True)
        return path.read_text()

    def sam(self, *arguments):
        return self.run(LOCAL / "lint-venv/bin/sam", *arguments)


def hold(what, held, *why):
    if not held:
        fail(f"not so: {what}", *map(str, why))
    print(f"ok  {what}", flush=True)


def resources(world):
    pages = world.client("cloudformation").get_paginator("list_stack_resources").paginate(StackName=STACK)
    return {each["LogicalResourceId"]: each for page in pages for each in page["StackResourceSummaries"]}


def live(world):
    """The configuration that each function is called with: that of its alias."""
    client, there = world.client("lambda"), resources(world)
    return {
        name: client.get_function_configuration(FunctionName=there[name]["PhysicalResourceId"], Qualifier="live")
        for name in functions(read())
    }


def changed(before, after):
    return {name for name, one in after.items() if one["Version"] != before[name]["Version"]}


def drill(world):
    copy = Copy(world)
    said = copy.sam("validate", "--lint")
    hold("the template is valid", "is a valid SAM Template" in said, said)
    copy.sam("build")
    copy.sam("package", "--output-template-file", "packaged.yaml")
    packaged = functions(read(copy.folder / "packaged.yaml"))
    places = {properties["CodeUri"] for properties in packaged.values()}
    hold("each function has a file of its own in a bucket", len(places) == 18 and all(each.startswith("s3://") for each in places), places)
    said = copy.sam("deploy", "--config-env", ENVIRONMENT, "--no-execute-changeset")
    hold("it makes a change set to review", "Changeset created successfully" in said and "+ Add" in said, said)
    copy.sam("deploy", "--config-env", ENVIRONMENT, "--no-confirm-changeset")
    (stack,) = world.client("cloudformation").describe_stacks(StackName=STACK)["Stacks"]
    hold("the stack exists", stack["StackStatus"] == "CREATE_COMPLETE", stack)

    # What the template says is what is there; a version's name ends in a hash of its code.
    expected = expanded(read(), REGION)
    kinds = {name: one["Type"] for name, one in expected.items() if "FunctionVersion" not in name}
    found = {name: one["ResourceType"] for name, one in resources(world).items() if "FunctionVersion" not in name}
    optional = {name for name, one in expected.items() if "Condition" in one}
    missing = [name for name in kinds if name not in found and name not in optional]
    others = {name: kind for name, kind in found.items() if kinds.get(name) != kind}
    hold(f"it has the {len(found) + 18} resources that SAM makes of template.yaml", not missing and not others, missing, others)

    first = live(world)
    copy.sam("build")
    said = copy.sam("deploy", "--config-env", ENVIRONMENT, "--no-confirm-changeset")
    hold("the same again is no change", "No changes to deploy" in said and not changed(first, live(world)), said)

    copy.program("medias", "second")
    copy.sam("build")
    copy.sam("deploy", "--config-env", ENVIRONMENT, "--no-confirm-changeset")
    second = live(world)
    hold("new code of one function is a new version of it alone", changed(first, second) == {"MediasFunction"}, changed(first, second))

    copy.set(ENVIRONMENT, {"MailFrom": "other@app.example"})
    copy.sam("build")
    copy.sam("deploy", "--config-env", ENVIRONMENT, "--no-confirm-changeset")
    third = live(world)
    hold("a new value is a new version of the functions that have it", changed(second, third) == {"MailWorkerFunction"}, changed(second, third))
    variables = third["MailWorkerFunction"]["Environment"]["Variables"]
    hold("they are called with it", variables["MAIL_FROM"] == "other@app.example", variables)

    if shutil.which("aws"):
        pipeline(world, copy)
    else:
        print("--  the pipeline: left out, because there is no AWS CLI")


def pipeline(world, copy):
    """What the jobs of deploy.yml do, with the AWS CLI instead of SAM."""
    world.client("s3").create_bucket(Bucket=BUCKET)
    python = LOCAL / "lint-venv/bin/python"

    def build():
        copy.sam("build")
        (copy.folder / ".aws-sam/deployments.json").write_text(copy.run(python, "infra/tools/samconfig.py", "plan", "arm64"))

    def deploy(run):
        return copy.run(sys.executable, "infra/tools/pipeline.py", "deploy", "staging", BUCKET=BUCKET, GITHUB_RUN_ID=run)

    build()
    said = deploy("1")
    hold("the pipeline creates a stack", "runeport-staging: CREATE_COMPLETE" in said, said)
    build()
    said = deploy("2")
    hold("another build of the same sources is no change", "runeport-staging: nothing changes" in said, said)
    copy.program("refund", "second")
    build()
    said = deploy("3")
    changes = {line.split()[1] for line in said.splitlines() if "AWS::Lambda::Function" in line}
    hold("it changes one function alone", changes == {"RefundFunction"} and "runeport-staging: UPDATE_COMPLETE" in said, said)


if __name__ == "__main__":
    sys.tracebacklimit = 3
    with guarded() as (folder, guard_pipe):
        drill(World(folder, guard_pipe, reserved_port()))
