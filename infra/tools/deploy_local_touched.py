"""Records the actions and resources that the functions use while they are called. `make test` compares the
policies in template.yaml with this record (infra/local/tests/template.rs)."""

import json
import re

from deploy_local_world import ROOT, STACK

FOLDER = ROOT / "infra/local/tests/template"
KEYS = [ROOT / "shared/src/keys.rs", ROOT / "shared/chain/src/keys.rs"]
LISTS = [ROOT / "shared/src/keys/lists.rs", ROOT / "shared/chain/src/keys/lists.rs"]
RECORD = FOLDER / "touched.json"
UNTOUCHED = FOLDER / "untouched.json"


def kinds():
    """The kinds of partition keys from the tables in keys.rs: the keys that are complete by themselves, and the
    prefixes of keys that continue."""
    source = "\n".join(file.read_text() for file in KEYS)
    cells = re.findall(r"^//! \| [^|]+ \| (?:accounts|activity|ephemeral|each) \| ([^|]+) \|", source, re.MULTILINE)
    keys = [key for cell in cells for key in re.findall(r"`([^`]+)`", cell)]
    lists = "\n".join(file.read_text() for file in LISTS)
    constants = r"const \w+: Log = Log::new\([\w:]+, \"([^\"]+)\"\)"
    tails = [f"tail#{name}{end}" for name in re.findall(constants, lists) for end in ("", "#")]
    made = r"(?:List::new\(\s*[\w:]+,|\.list\()\s*(?:format_args!\()?\"([^\"]+)\""
    names = re.findall(made, re.sub(constants, "", lists))
    found = {re.split("[<{]", key)[0] for key in [*keys, *tails, *(f"list#{name}" for name in names)]}
    return {kind for kind in found if not kind.endswith("#")}, {kind for kind in found if kind.endswith("#")}


def kind_of(key, exact, open_ended):
    """Returns `account#*` for a key such as `account#<id>`. A complete key is its own kind."""
    if key in exact:
        return key
    begins = [kind for kind in open_ended if key.startswith(kind)]
    # A key of an index begins with the name of the value that its rows share.
    return f"{max(begins, key=len)}*" if begins else re.sub("[#:].*", "#*", key)


def resource(arn, logical):
    """Returns the resource's name in the template."""
    name = arn.split(":", 5)[-1].removeprefix("table/").removeprefix("parameter").removeprefix("key/")
    if arn.startswith("arn:aws:ses:"):
        return "identity/*"
    if arn in logical:
        return logical[arn]
    # Parameters that operators write are not the stack's.
    if name not in logical and name.startswith(f"/runeport/{STACK}/"):
        return name.removeprefix(f"/runeport/{STACK}/")
    physical = name if name in logical else name.split("/", 1)[0]
    rest = name.removeprefix(physical)
    # For an object in a bucket, record only its folder.
    rest = re.sub("^(/[^/]+/).+", r"\1*", rest) if arn.startswith("arn:aws:s3:") else rest
    # A policy cannot know a connection.
    rest = re.sub("(/@connections/).+", r"\1*", rest)
    return logical.get(physical, physical) + rest


def touched(world):
    """Returns all allowed calls as a tree: function, action, resource, and the kinds of the call's keys."""
    logical = {physical.rsplit("/", 1)[-1] if physical.startswith("http") else physical: name
               for name, physical in world.resources.items()}
    record, known = {}, kinds()
    for call in world.allowed():
        role = call["who"].split("/")[1]
        function = logical.get(role, role).removesuffix("Role")
        actions = record.setdefault(function, {})
        keys = actions.setdefault(call["action"], {}).setdefault(resource(call["on"], logical), set())
        # Keys of one call stay together, because a single statement must allow all of them.
        if call["keys"]:
            keys.add(" ".join(sorted({kind_of(key, *known) for key in call["keys"]})))
    return certain(record, json.loads(UNTOUCHED.read_text()))


def covers(pattern, kind):
    """Whether all keys of a kind match a pattern."""
    return kind.rstrip("*").startswith(pattern[:-1]) if pattern.endswith("*") else kind == pattern


def certain(record, untouched):
    """A record without the calls that a journey makes by chance: their reasons in untouched.json say so. Otherwise the
    same journeys would differ from one another."""
    kept = {}
    for function, action, name, keys in sorted(flat(record)):
        reasons = untouched.get(function, {}).get(action, {}).get(name, {})
        chances = [pattern for pattern, reason in reasons.items() if "chance" in reason]
        if all(any(covers(pattern, kind) for pattern in chances) for kind in keys.split() or [""]):
            continue
        kinds_of_calls = kept.setdefault(function, {}).setdefault(action, {}).setdefault(name, [])
        if keys:
            kinds_of_calls.append(keys)
    return kept


def text(record):
    """Formats the record as JSON, with one line for each action of a function."""
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
    """Lists the differences from the committed record."""
    committed = flat(json.loads(RECORD.read_text())) if RECORD.exists() else set()
    now = flat(record)
    return [f"no longer touched: {' '.join(each)}" for each in sorted(committed - now)] + [
        f"touched but not in the record: {' '.join(each)}" for each in sorted(now - committed)
    ]
