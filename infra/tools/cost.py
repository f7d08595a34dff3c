"""cost.py: prints docs/operations/cost.md: what a month, a million requests and a business event cost at three rates of requests, and
what each lever saves. Write units, read units, calls and CPU are those that docs/benchmarks.md has counted, sizes and numbers of
resources those of template.yaml. cost.json has the list prices with the pages that they were compared with, the mix of requests, and what is assumed."""

import json
from pathlib import Path

from check_template import Sources, binary
from template import ROOT, functions, read

PAGE = ROOT / "docs/operations/cost.md"
RATES = [10, 1_000, 10_000]
SECONDS = 30 * 24 * 3600
MILLION, GB_OF_KB = 1e6, 1 / (1024 * 1024)
WRITING = {"PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems", "BatchWriteItem"}
# In this order, and what each is for.
SERVICES = {
    "writes": "DynamoDB, writes",
    "reads": "DynamoDB, reads",
    "gateway": "API Gateway",
    "runs": "Lambda, runs",
    "compute": "Lambda, time",
    "logs": "CloudWatch Logs",
    "signatures": "KMS, signatures",
    "transfer": "data to the internet",
    "mails": "SES",
}


def rows(page, heads):
    """The rows of the tables of a page that have these heads."""
    found, inside = [], False
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else None
        if cells == heads:
            inside = True
        elif cells is None:
            inside = False
        elif inside and set(line) - set("|-: "):
            found.append(cells)
    return found


class Measured:
    """What docs/benchmarks.md has counted."""

    def __init__(self, page):
        ledger = rows(page, ["Event", "Step", "Write units", "Read units"])
        self.idle = next((float(row[2]), float(row[3])) for row in ledger if row[0].startswith("A minute without"))
        self.events = {row[0]: (float(row[2]), float(row[3])) for row in ledger if row[1] == "in all"}
        self.requests = {}
        heads = ["Request", "First answer", "Warm p50", "Warm p99", "CPU a request", "DynamoDB", "Capacity units"]
        for name, _first, _p50, _p99, cpu, calls, units in rows(page, heads):
            calls = [] if calls == "none" else calls.split(" + ")
            self.requests[name] = {"cpu_ms": float(cpu.removesuffix(" ms")), "calls": calls, "units": float(units)}


def default(template, name):
    return template["Parameters"][name]["Default"]


class Cost:
    def __init__(self, template, firewall, measured, data, sources=None):
        self.template, self.firewall, self.measured, self.data = template, firewall, measured, data
        self.assumed = {name: one["value"] for name, one in data["assumed"].items()}
        self.sources = sources or Sources()
        self.memory, self.architecture = default(template, "MemorySize"), default(template, "Architecture")
        self.system_lines = template["Globals"]["Function"]["LoggingConfig"].get("SystemLogLevel") != "WARN"
        self.events = {name: self.event(name) for name in data["events"]}
        self.mix = self.mean()

    # What is used.

    def milliseconds(self, request, memory):
        """How long a function of this memory takes for a request."""
        one, assumed = self.measured.requests[request], self.assumed
        waits = sum(assumed["transaction_ms" if "Transact" in call else "call_ms"] for call in one["calls"])
        waits += assumed["partners_ms"] if request in self.data["ask_partners"] else 0
        return waits + one["cpu_ms"] * max(1, assumed["mb_of_a_cpu"] / memory)

    def around(self, requests, memory):
        """What requests use whatever they do."""
        assumed = self.assumed
        log = assumed["access_line_kb"] + assumed["own_line_kb"] + (assumed["system_lines_kb"] if self.system_lines else 0)
        return {
            "gateway": len(requests),
            "runs": len(requests),
            "compute": sum(self.milliseconds(request, memory) for request in requests) / 1000 * memory / 1024,
            "logs": len(requests) * log,
            "transfer": len(requests) * assumed["answer_kb"],
        }

    def event(self, name, memory=None):
        """What a business event uses over its whole life."""
        memory, event = memory or self.memory, self.data["events"][name]
        writes, reads = self.measured.events[name]
        used = self.around(event["requests"], memory)
        used["compute"] += event["signatures"] * self.assumed["signature_ms"] / 1000 * memory / 1024
        used["compute"] += event.get("worker_seconds", 0) * self.memory / 1024
        return used | {"writes": writes, "reads": reads, "signatures": event["signatures"], "mails": event["mails"]}

    def mean(self, memory=None):
        """What one request of the mix uses."""
        memory, total = memory or self.memory, dict.fromkeys(SERVICES, 0.0)
        for part in self.data["mix"]:
            share = part["percent"] / 100
            if "event" in part:
                used = self.event(part["event"], memory)
                share /= len(self.data["events"][part["event"]]["requests"])
            else:
                used = self.request(part, memory)
            for service, amount in used.items():
                total[service] += share * amount
        return total

    def request(self, part, memory=None):
        one = self.measured.requests[part["request"]]
        around = self.around([part["request"]], memory or self.memory)
        return around | {"writes": part["writes"], "reads": one["units"] - part["writes"]}

    def public(self, memory=None):
        """What the public reads of the mix use, for one request of the mix."""
        total = dict.fromkeys(SERVICES, 0.0)
        for part in self.data["mix"]:
            if part.get("public"):
                for service, amount in self.request(part, memory).items():
                    total[service] += part["percent"] / 100 * amount
        return total

    # What it costs.

    def price(self, name, amount):
        """US dollars for an amount, in the unit of the price."""
        cost, below = 0.0, 0.0
        for end, each in self.data["prices"][name]["tiers"]:
            upto = amount if end is None else min(amount, end)
            cost, below = cost + max(0.0, upto - below) * each, max(below, upto)
        return cost

    def service(self, service, amount, architecture=None):
        """US dollars for what requests use of a service in a month."""
        if service == "compute":
            return self.price(architecture or self.architecture, amount / MILLION)
        if service in ("logs", "transfer"):
            return self.price(service, amount * GB_OF_KB)
        return self.price(service, amount / MILLION)

    def month(self, rate, used=None, architecture=None):
        """US dollars a month for each service, at so many requests a second."""
        used, requests = used or self.mix, rate * SECONDS
        return {service: self.service(service, used[service] * requests, architecture) for service in SERVICES}

    def of_event(self, name, rate):
        """US dollars of an event in a month of this rate: each service at its mean price there."""
        month, requests = self.month(rate), rate * SECONDS
        return sum(
            amount * month[service] / (self.mix[service] * requests)
            for service, amount in self.events[name].items()
            if amount and self.mix[service]
        )

    def fixed(self):
        """US dollars a month of what costs the same without any request."""
        resources, kinds = self.template["Resources"].values(), {}
        for one in resources:
            kinds.setdefault(one["Type"].removeprefix("AWS::"), []).append(one.get("Properties", {}))
        watched = sum(sum("MetricStat" in part for part in alarm.get("Metrics", [])) or 1 for alarm in kinds["CloudWatch::Alarm"])
        filtered = {
            json.dumps([metric["MetricNamespace"], metric["MetricName"]])
            for one in kinds["Logs::MetricFilter"]
            for metric in one["MetricTransformations"]
        }
        own = sum(len(self.sources.metrics(binary(name))) for name in functions(self.template))
        minutes, assumed, (writes, reads) = SECONDS / 60, self.assumed, self.measured.idle
        seconds = assumed["watcher_seconds"] * self.memory_of("ChainWatcherFunction")
        seconds += assumed["event_worker_seconds"] * self.memory_of("EventWorkerFunction")
        queues = sum(
            event["Type"] == "SQS" for properties in functions(self.template).values() for event in properties.get("Events", {}).values()
        )
        return {
            "the watcher and the event worker, which run all the time": self.service("compute", minutes * seconds / 1024)
            + self.service("writes", minutes * writes)
            + self.service("reads", minutes * reads),
            f"alarms, on {watched} metrics, and {len(kinds['CloudWatch::CompositeAlarm'])} alarms of alarms": self.price("alarm", watched)
            + self.price("composite", len(kinds["CloudWatch::CompositeAlarm"])),
            f"{len(filtered) + own} metrics and the dashboard": self.price("metric", len(filtered) + own) + self.price("dashboard", 1),
            f"{len(kinds['KMS::Key'])} keys and a secret": self.price("key", len(kinds["KMS::Key"])) + self.price("secret", 1),
            f"asking {queues} queues for messages": self.price("queue", queues * assumed["polls"] * minutes / MILLION),
        }

    def memory_of(self, function):
        """The memory of a function, in MB, without a collector of traces."""
        memory = functions(self.template)[function].get("MemorySize", self.memory)
        return memory["Fn::If"][2] if isinstance(memory, dict) else memory

    def edge(self, rate):
        """US dollars a month of CloudFront and the firewall in front of the API."""
        millions = rate * SECONDS / MILLION
        (acl,) = [one["Properties"] for one in self.firewall["Resources"].values() if one["Type"] == "AWS::WAFv2::WebACL"]
        fixed = self.price("acl", 1) + self.price("rule", len(acl["Rules"]))
        return self.price("firewall", millions) + self.price("edge", millions) + fixed

    # Levers.

    def levers(self, rate):
        """What each lever saves a month: those that the template has pulled already, and the others."""
        month = self.month(rate)
        total, requests = sum(month.values()), rate * SECONDS

        def without(used, architecture=None):
            return sum(self.month(rate, used, architecture).values())

        used = self.assumed["use_of_provisioned"]
        provisioned = self.price("provisioned_writes", self.mix["writes"] * rate / used)
        provisioned += self.price("provisioned_reads", self.mix["reads"] * rate / used)
        public, hits = self.public(), self.assumed["hits_of_the_edge"]
        behind = {service: self.mix[service] - (hits * public[service] if service != "transfer" else 0) for service in SERVICES}
        quiet = self.mix | {"logs": self.mix["logs"] - self.assumed["own_line_kb"]}
        loud = self.mix | {"logs": self.mix["logs"] + self.assumed["system_lines_kb"]}
        fewer = {
            service: self.mix[service]
            - sum(
                part["percent"] / 200 / len(self.data["events"][part["event"]]["requests"]) * self.events[part["event"]].get(service, 0)
                for part in self.data["mix"]
                if part.get("event") == "Withdrawal" or part.get("event", "").startswith("Batch")
            )
            for service in SERVICES
        }
        done = {
            "arm64 instead of x86_64 (`Architecture`)": without(self.mix, "x86_64") - total,
            "no START, END and REPORT lines (`SystemLogLevel`)": without(loud) - total,
            "[the edge](edge.md) answers public reads itself, once there is one": total - without(behind),
        }
        left = {
            f"provisioned tables, used at {used:.0%}": month["writes"] + month["reads"] - provisioned,
            "`LogLevel = \"warn\"`: no lines of requests that succeed": total - without(quiet),
            "`MemorySize = 256`, if the 99th percentile allows it": total - without(self.mean(256)),
            "a Compute Savings Plan of a year for Lambda's time": self.assumed["savings_plan"] * month["compute"],
            "Function URLs behind CloudFront instead of the HTTP API": month["gateway"],
            "SES without a plan (`put-account-pricing-attributes --plan NONE`)": month["mails"]
            - self.price("mails_without_plan", self.mix["mails"] * requests / MILLION),
            "half of the withdrawals and batches, for which clients put more into one": total - without(fewer),
            "public reads that need not be the latest, at half a read unit": self.service("reads", public["reads"] / 2 * requests),
        }
        return done, left


# The page.


def dollars(amount):
    """An amount to two or three places that matter."""
    if abs(amount) >= 1000:
        return f"{round(amount, -len(str(int(abs(amount)))) + 3):,.0f}"
    if abs(amount) >= 10:
        return f"{amount:.0f}"
    return f"{amount:.2f}"


def tiers(price):
    return "; ".join(f"{each:g}" + (f" up to {end:,}" if end else "") for end, each in price["tiers"])


def table(heads, lines):
    return [f"| {' | '.join(heads)} |", "|---" + "|---:" * (len(heads) - 1) + "|", *[f"| {' | '.join(line)} |" for line in lines], ""]


def page(cost):
    data = cost.data
    rates = [f"{rate:,}/s" for rate in RATES]
    months, fixed = [cost.month(rate) for rate in RATES], cost.fixed()
    totals = [sum(month.values()) + sum(fixed.values()) for month in months]
    mix = cost.mix
    lines = [
        "# Cost",
        "",
        "`make cost` writes this page, and a test fails if it is not current. Write units, read units, calls and CPU are those that",
        "[the benchmarks](../benchmarks.md) have counted; alarms, keys and memory are those of `template.yaml`. Prices, the mix of",
        "requests and what is assumed are in [`cost.json`](../../infra/tools/cost.json). The prices are those of",
        f"{data['source']}. They were compared with the [pages below](#prices) on {data['date']}.",
        "Change the mix to what you see, or the prices to those of your region, and run it again. What a stack costs in fact,",
        "[its tags](deploy.md#cost) show.",
        "",
        "## A month",
        "",
        "Thirty days in which a stack takes so many requests each second, day and night:",
        "",
        *table(
            ["US dollars a month", *rates],
            [[name, *[dollars(month[service]) for month in months]] for service, name in SERVICES.items()]
            + [["fixed, see below", *[dollars(sum(fixed.values()))] * len(RATES)]]
            + [["**in all**", *[f"**{dollars(total)}**" for total in totals]]]
            + [["[CloudFront and the firewall](edge.md) in front", *[dollars(cost.edge(rate)) for rate in RATES]]],
        ),
        "What costs the same without any request:",
        "",
        *table(["Fixed", "US dollars a month"], [[name, dollars(amount)] for name, amount in fixed.items()]),
        "Not in here: [the Bitcoin nodes](nodes.md), two machines of 600 to 1,000 US dollars a month on mainnet; the rows themselves",
        "(0.25 US dollars a GB and month, 0.20 more for their point-in-time copies); [sockets](../benchmarks.md#sockets); media.",
        "",
        "## A million requests",
        "",
        "The fixed part included:",
        "",
        *table(
            ["US dollars", *rates],
            [
                ["a million requests", *[dollars(total / (rate * SECONDS / MILLION)) for total, rate in zip(totals, RATES)]],
                ["… without the fixed part", *[dollars(sum(month.values()) / (rate * SECONDS / MILLION)) for month, rate in zip(months, RATES)]],
            ],
        ),
        f"A request of the mix uses {mix['writes']:.2f} write units, {mix['reads']:.2f} read units, {mix['signatures']:.3f} signatures,",
        f"{mix['compute'] * 1024 / cost.memory * 1000:.0f} ms of a function of {cost.memory} MB on {cost.architecture}, and {mix['logs']:.1f} KB of log. The mix, in percent of requests:",
        "",
        "| Requests | Percent |",
        "|---|---:|",
        *[
            f"| {'`' + part['request'] + '`' if 'request' in part else part['event'] + ', all of its requests'} | {part['percent']:g} |"
            for part in data["mix"]
        ],
        "",
        "## A business event",
        "",
        "Over its whole life, the share of the workers included. Units are counted; signatures are assumed, one for each coin that is spent:",
        "",
        *table(
            ["US dollars for 1,000 events", "Write units", "Read units", "Signatures", *rates],
            [
                [name, f"{used['writes']:g}", f"{used['reads']:g}", f"{used['signatures']:g}", *[dollars(1000 * cost.of_event(name, rate)) for rate in RATES]]
                for name, used in cost.events.items()
            ],
        ),
        "## Levers",
        "",
        "Each figure is what the lever saves without the others; together they save less than their sum. Pulled already:",
        "",
    ]
    levers = [cost.levers(rate) for rate in RATES]
    for part, after in ((0, ["To pull:", ""]), (1, [])):
        names = list(levers[0][part])
        if part == 1:
            names.sort(key=lambda name: -levers[-1][1][name])
        lines += table(["US dollars saved a month", *rates], [[name, *[dollars(each[part][name]) for each in levers]] for name in names]) + after
    lines += [
        "Provisioned tables pay off where the load is steady, and need scaling where it is not: a mint that opens is not. Function URLs have",
        "neither throttles for routes nor the gateway's own logs, on which alarms count.",
        "",
        "## What is assumed",
        "",
        *table(
            ["Assumed, not measured", "Value"],
            [[one["what"], f"{one['value']:g}"] for one in data["assumed"].values()],
        ),
        "## Prices",
        "",
        "List prices of us-east-1. AWS's own price pages fill in most numbers by script, so each price is compared with a page that has it",
        "as text. Prices change: before a decision that depends on one, look at AWS's page of the service.",
        "",
        "| Price | US dollars | A page that has it | Written |",
        "|---|---:|---|---|",
        *[
            f"| {one['of']}, {one['unit']} | {tiers(one)} | [{one['page'].split('/')[2]}]({one['page']}) | {one['written'] or 'undated'} |"
            for one in data["prices"].values()
        ],
    ]
    return "\n".join(lines).rstrip() + "\n"


def current():
    """The page as it should be."""
    data = json.loads((Path(__file__).parent / "cost.json").read_text())
    return page(Cost(read(), read(ROOT / "infra/edge.yaml"), Measured((ROOT / "docs/benchmarks.md").read_text()), data))


if __name__ == "__main__":
    PAGE.write_text(current())
