"""What functions were allowed to do while they were called, and what their policies allow: the record that
`make test` holds template.yaml to (infra/local/tests/template.rs)."""

import json
import re

from deploy_local_world import ROOT, STACK

FOLDER = ROOT / "infra/local/tests/template"
KEYS = ROOT / "shared/src/store/keys.rs"
RECORD = FOLDER / "touched.json"


def kinds():
    """How partition keys of each kind begin, by the table of keys.rs; those that are no more than that, and
    those that something follows."""
    source = KEYS.read_text()
    cells = re.findall(r"^//! \| [^|]+ \| (?:accounts|activity|ephemeral|each) \| ([^|]+) \|", source, re.MULTILINE)
    keys = [key for cell in cells for key in re.findall(r"`([^`]+)`", cell)]
    _, lists = source.split("impl List {")
    names = re.findall(r"Self::new\(\s*Table::\w+,\s*(?:format_args!\()?\"([^\"]+)\"", lists)
    found = {re.split("[<{]", key)[0] for key in [*keys, *(f"list#{name}" for name in names)]}
    return {kind for kind in found if not kind.endswith("#")}, {kind for kind in found if kind.endswith("#")}


def kind_of(key, exact, open_ended):
    """`account#*` of a key such as `account#<id>`; an exact one is its own kind."""
    if key in exact:
        return key
    begins = [kind for kind in open_ended if key.startswith(kind)]
    # Of an index: the name of what its rows have in common comes first.
    return f"{max(begins, key=len)}*" if begins else re.sub("[#:].*", "#*", key)


def resource(arn, logical):
    """What the template calls it."""
    name = arn.split(":", 5)[-1].removeprefix("table/").removeprefix("parameter").removeprefix("key/")
    if arn.startswith("arn:aws:ses:"):
        return "identity/*"
    if arn in logical:
        return logical[arn]
    physical = name if name in logical else name.split("/", 1)[0]
    rest = name.removeprefix(physical)
    # Of an object of a bucket, its folder.
    rest = re.sub("^(/[^/]+/).+", r"\1*", rest) if arn.startswith("arn:aws:s3:") else rest
    return logical.get(physical, physical) + rest


def touched(world):
    """function, action, resource, and the kinds of the keys of a call: all that was allowed."""
    logical = {physical.rsplit("/", 1)[-1] if physical.startswith("http") else physical: name
               for name, physical in world.resources.items()}
    record, known = {}, kinds()
    for call in world.allowed():
        role = call["who"].split("/")[1]
        function = logical.get(role, role).removesuffix("Role")
        actions = record.setdefault(function, {})
        keys = actions.setdefault(call["action"], {}).setdefault(resource(call["on"], logical), set())
        # One statement has to allow all keys of a call.
        if call["keys"]:
            keys.add(" ".join(sorted({kind_of(key, *known) for key in call["keys"]})))
    return {
        function: {
            action: {name: sorted(keys) for name, keys in sorted(resources.items())}
            for action, resources in sorted(actions.items())
        }
        for function, actions in sorted(record.items())
    }


def text(record):
    """One line for each action of a function."""
    lines = []
    for function, actions in record.items():
        each = [f"    {json.dumps(action)}: {json.dumps(resources)}" for action, resources in actions.items()]
        lines.append(f"  {json.dumps(function)}: {{\n" + ",\n".join(each) + "\n  }")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def flat(record):
    return {
        (function, action, name, keys)
        for function, actions in record.items()
        for action, resources in actions.items()
        for name, kinds_of in resources.items()
        for keys in (kinds_of or [""])
    }


def compare(record):
    """In what the record that is committed differs."""
    committed = flat(json.loads(RECORD.read_text())) if RECORD.exists() else set()
    now = flat(record)
    return [f"not touched anymore: {' '.join(each)}" for each in sorted(committed - now)] + [
        f"touched, and not in the record: {' '.join(each)}" for each in sorted(now - committed)
    ]
