"""Every command of the AWS CLI that the documents and the tools name exists, and takes the options that it is given. No emulator runs most
of them, so a slip would be found on the day on which there must be none."""

import ast
import re
import unittest
from functools import cache

import botocore.session
from botocore import xform_name
from template import ROOT

# What the CLI calls otherwise than the API.
SERVICES = {"deploy": "codedeploy", "s3api": "s3"}
# Options of all commands.
OF_ALL = {
    *["ca-bundle", "cli-binary-format", "cli-connect-timeout", "cli-input-json", "cli-read-timeout", "color", "debug", "endpoint-url"],
    *["max-items", "no-cli-pager", "no-paginate", "output", "page-size", "profile", "query", "region", "starting-token"],
}
# Commands that no operation of the API stands behind.
OWN = {
    ("cloudformation", "deploy"): {"capabilities", "parameter-overrides", "stack-name", "template-file"},
    ("cloudformation", "package"): {"output-template-file", "s3-bucket", "s3-prefix", "template-file", "use-json"},
    ("s3", "cp"): {"cache-control"},
    ("s3", "ls"): set(),
    ("s3", "rm"): {"recursive"},
    ("s3", "sync"): {"cache-control"},
}
# Options of the CLI for what an operation takes in another form.
SHORTER = {("cloudfront", "create-invalidation"): {"paths": "invalidation-batch"}}
START = re.compile(r"(?<![\w-])aws (?=[a-z0-9]+ [a-z0-9-]+)")
SESSION = botocore.session.get_session()


def skip(text, at):
    """The place after a quoted text or a substitution that begins here."""
    if text[at] == "'":
        end = text.find("'", at + 1)
        return len(text) if end < 0 else end + 1
    closing, at = ('"', at + 1) if text[at] == '"' else (")", at + 2)
    while at < len(text) and text[at] != closing:
        if text[at] == "\\":
            at += 2
        elif text.startswith("$(", at) or (text[at] in "'\"" and closing == ")"):
            at = skip(text, at)
        else:
            at += 1
    return at + 1


def commands(text):
    """The commands in a text, each as its words; X stands for what is quoted or computed."""
    found = []
    for start in START.finditer(text):
        at, words = start.end(), ""
        while at < len(text) and text[at] not in "|;&`>)\n":
            if text[at] in "'\"" or text.startswith("$(", at):
                at, words = skip(text, at), words + "X"
            elif placeholder := re.compile(r"<[^<>\n]+>").match(text, at):
                at, words = placeholder.end(), words + "X"
            elif text.startswith("\\\n", at):
                at, words = at + 2, words + " "
            else:
                at, words = at + 1, words + text[at]
        found.append(words.split())
    return found


def texts(tree):
    """The texts in a program, each with X for what is computed."""
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node) if part is not node}
    for node in ast.walk(tree):
        if id(node) in parts:
            continue
        if isinstance(node, ast.JoinedStr):
            yield "".join(part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def calls(tree):
    """The commands that a program gives to its method `aws` as arguments."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "aws":
            words = []
            for argument in node.args:
                for one in argument.value.elts if isinstance(argument, ast.Starred) else [argument]:
                    words.append(one.value if isinstance(one, ast.Constant) else "X")
            yield words


@cache
def operations(service):
    """The operations of a service, each with its options and those that it cannot do without."""
    model, found = SESSION.get_service_model(SERVICES.get(service, service)), {}
    for name in model.operation_names:
        shape = model.operation_model(name).input_shape
        members = shape.members if shape else {}
        options = {xform_name(member, "-") for member in members}
        options |= {f"no-{xform_name(member, '-')}" for member, one in members.items() if one.type_name == "boolean"}
        found[xform_name(name, "-")] = options, {xform_name(member, "-") for member in (shape.required_members if shape else [])}
    return found


@cache
def waiters(service):
    """What the CLI can wait for, each with the operation that it asks."""
    model = SESSION.get_waiter_model(SERVICES.get(service, service))
    return {xform_name(name, "-"): xform_name(model.get_waiter(name).operation, "-") for name in model.waiter_names}


def fault(words):
    """What is wrong with a command, or None. One without options is only named."""
    service, operation, *rest = words
    given = {word[2:] for word in rest if word.startswith("--")}
    required = set()
    if (service, operation) in OWN:
        known = OWN[service, operation]
    elif service == "s3" or SERVICES.get(service, service) not in SESSION.get_available_services():
        return f"there is no {service} {operation}"
    else:
        if operation == "wait":
            if not rest or rest[0] not in waiters(service):
                return f"{service} cannot wait for {' '.join(rest[:1])}"
            operation = waiters(service)[rest[0]]
        if operation not in operations(service):
            return f"{service} has no command {operation}"
        known, required = operations(service)[operation]
    shorter = SHORTER.get((service, operation), {})
    if unknown := given - known - OF_ALL - set(shorter):
        return f"{service} {operation} has no option {', '.join(sorted(unknown))}"
    missing = required - {option.removeprefix("no-") for option in given} - {shorter[option] for option in given & set(shorter)}
    if missing and given - OF_ALL and "cli-input-json" not in given:
        return f"{service} {operation} needs {', '.join(sorted(missing))}"
    return None


def named():
    """Every command that is named somewhere, with the file."""
    for file in sorted((ROOT / "docs").rglob("*.md")):
        yield from ((file, words) for words in commands(file.read_text()))
    for file in sorted((ROOT / "infra/tools").glob("*.py")):
        if not file.name.startswith("test_"):
            tree = ast.parse(file.read_text())
            yield from ((file, words) for text in texts(tree) for words in commands(text))
            yield from ((file, words) for words in calls(tree))


class Commands(unittest.TestCase):
    def test_the_cli_has_every_command_that_is_named(self):
        found = list(named())
        for file, words in found:
            with self.subTest(f"{file.relative_to(ROOT)}: aws {' '.join(words)}"):
                self.assertIsNone(fault(words))
        self.assertGreater(len(found), 140)

    def test_commands_are_found_in_texts(self):
        text = 'Run `aws s3 ls`, or\naws kms sign --message "$(head -c 32 /dev/zero | base64)" \\\n  --key-id "a`b" | jq; aws ec2 stop'
        text += " --id <of one> > file"
        expected = [["s3", "ls"], ["kms", "sign", "--message", "X", "--key-id", "X"], ["ec2", "stop", "--id", "X"]]
        self.assertEqual(commands(text), expected)
        nested = "aws a b --names $(aws c d --query 'x[?y(`z`)]' --output text) --end"
        self.assertEqual(commands(nested), [["a", "b", "--names", "X", "--end"], ["c", "d", "--query", "X", "--output", "text"]])
        tree = ast.parse("x = f'aws kms sign --key-id {key}'\nself.aws('kms', 'sign', *['--key-id', key])")
        (found,) = [words for text in texts(tree) for words in commands(text)]
        self.assertEqual((found, list(calls(tree))), (["kms", "sign", "--key-id", "X"], [["kms", "sign", "--key-id", "X"]]))

    def test_a_slip_is_named(self):
        for command, wrong in [
            ("kms sing --key-id X", "kms has no command sing"),
            ("kmz sign --key-id X", "there is no kmz sign"),
            ("s3 get-object --bucket X --key X", "there is no s3 get-object"),
            ("cloudfront create-invalidation --distribution-id X", "cloudfront create-invalidation needs invalidation-batch"),
            ("kms describe-key --key X", "kms describe-key has no option key"),
            ("kms describe-key --grant-tokens X", "kms describe-key needs key-id"),
            ("dynamodb wait table-is-there --table-name X", "dynamodb cannot wait for table-is-there"),
            ("dynamodb wait table-exists --name X", "dynamodb describe-table has no option name"),
            ("cloudformation deploy --template X", "cloudformation deploy has no option template"),
        ]:
            self.assertEqual(fault(command.split()), wrong)
        for command in [
            *["kms describe-key", "s3api get-object --bucket X --key X", "s3 ls --output X"],
            *["dynamodb update-table --no-deletion-protection-enabled --table-name X", "dynamodb wait table-exists --table-name X"],
        ]:
            self.assertIsNone(fault(command.split()))


if __name__ == "__main__":
    unittest.main()
