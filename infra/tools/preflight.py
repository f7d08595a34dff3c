"""preflight.py ENV: lists on one screen what the AWS account and the partners of an environment lack before
its first deployment, or what a running stack lacks, each with the command that provides it. It only reads.
The account and the region come from the environment, as for a deployment. Ends with an error if something
would fail; a question mark stands for what cannot be known beforehand."""

import json
import shlex
import sys
import urllib.error
import urllib.request
from datetime import datetime, timedelta, timezone

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from samconfig import needed, settings, stack_of, values_of
from second_region import copied
from template import functions, number, read, workers_at_once

OK, NO, UNKNOWN = "ok", "NO", "?"
# What Lambda leaves unreserved in every account.
UNRESERVED = 100
# The lowest limit that SQS accepts for the concurrent runs of a queue's worker.
LEAST_AT_ONCE = 2
# Concurrent runs that the account should have. Some functions of the API wait for partners, so with fewer
# runs a handful of users already get errors.
ENOUGH_CONCURRENCY = 1000
GATEWAY_RATE = 10000
LEAST_VALIDITY = timedelta(days=30)
# The key is replaced each quarter; the days above that are for doing it.
OLDEST_TOKEN_KEY = timedelta(days=100)
# Copies of the tables are at most 24 hours apart.
OLDEST_COPY = timedelta(hours=36)
# Tables that can be lost.
WITHOUT_COPIES = {"EphemeralTable"}
# Blocks by which two servers may differ.
APART = 2
GENESIS = {
    "bitcoin": "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f",
    "testnet": "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943",
    "testnet4": "00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043",
    "signet": "00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6",
    "regtest": "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206",
}
CHAIN_OF_ORD = {"bitcoin": "mainnet"}
THROUGHPUT = "/ssm/parameter-store/high-throughput-enabled"


def get(url, accept="*/*"):
    """The text that a server answers, or an OSError."""
    request = urllib.request.Request(url, headers={"Accept": accept, "User-Agent": "runeport-preflight"})
    with urllib.request.urlopen(request, timeout=20) as found:
        return found.read().decode()


class Preflight:
    """The checks of one environment. Each yields lines: the state, a finding, and the command that mends it."""

    def __init__(self, environment, config, template, client=boto3.client, get=get, now=None):
        self.environment, self.config, self.template, self.client, self.get = environment, config, template, client, get
        self.now = now or datetime.now(timezone.utc)
        self.parameters, self.stack = template["Parameters"], stack_of(config, environment)
        self.given = values_of(config, environment)
        # Of Esplora, once it has answered.
        self.height = None
        # Of the stack, once it is known to exist.
        self.outputs = {}

    def value(self, name):
        return str(self.given.get(name, self.parameters[name].get("Default", "")))

    def run(self):
        """All lines. A check that may not look says so, and the others go on."""
        for check in (
            *[self.values, self.rules, self.concurrency, self.rates, self.sender, self.trail, self.throughput, self.media, self.certificate],
            *[self.protection, self.token_key, self.copied_keys, self.copied_tables, self.esplora, self.ord],
        ):
            try:
                yield from check()
            except ClientError as error:
                yield UNKNOWN, f"{check.__name__}: {error.response['Error']['Code']} in {error.operation_name}", None
            except BotoCoreError as error:
                yield UNKNOWN, f"{check.__name__}: {error}", None

    def values(self):
        empty = [name for name in needed(self.parameters, self.environment) if not self.given.get(name)]
        if empty:
            yield NO, f"samconfig.toml: {', '.join(empty)} have no value", f"fill in [{self.environment}.deploy.parameters.parameter_overrides]"
        else:
            yield OK, "samconfig.toml: all values are filled in", None

    def rules(self):
        """What the template demands of several values together; CloudFormation would refuse the change set."""
        for name, rule in self.template["Rules"].items():
            # The check of the certificate says how to get one.
            if name != "DomainHasCertificate" and self.holds(rule["RuleCondition"]):
                for assertion in rule["Assertions"]:
                    if not self.holds(assertion["Assert"]):
                        mend = f"change it in [{self.environment}.deploy.parameters.parameter_overrides]"
                        yield NO, f"samconfig.toml: {assertion['AssertDescription']}", mend

    def holds(self, condition):
        ((kind, parts),) = condition.items()
        if kind == "Fn::Not":
            return not self.holds(parts[0])
        if kind == "Fn::Contains":
            return self.value(parts[1]["Ref"]) in parts[0]
        if kind != "Fn::Equals":
            raise ValueError(f"{kind} in a rule of the template")
        first, second = (self.value(part["Ref"]) if isinstance(part, dict) else part for part in parts)
        return first == second

    def concurrency(self):
        limit = self.client("lambda").get_account_settings()["AccountLimit"]["ConcurrentExecutions"]
        more = "aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000"
        sources = workers_at_once(self.template, self.value)
        at_once, fewest = sum(sources), LEAST_AT_ONCE * len(sources)
        reserved = sum(
            number(properties["ReservedConcurrentExecutions"]["Fn::If"][1], self.value)
            for properties in functions(self.template).values()
            if "ReservedConcurrentExecutions" in properties
        )
        if self.value("ReserveConcurrency") == "yes" and limit < UNRESERVED + reserved:
            yield NO, f"Lambda: {limit} runs at once, but ReserveConcurrency needs {UNRESERVED + reserved}", more
        elif self.value("ReserveConcurrency") != "yes" and at_once >= limit:
            # With the fewest that SQS accepts, it still deploys, and all queues are rarely full together.
            yield NO if at_once > fewest else UNKNOWN, f"Lambda: the workers of queues may hold all {limit} runs of the account ({at_once})", more
        elif limit < ENOUGH_CONCURRENCY:
            yield UNKNOWN, f"Lambda: {limit} runs at once, {at_once} of them of the workers of queues; users get 5xx above that", more
        else:
            yield OK, f"Lambda: {limit} runs at once", None

    def rates(self):
        quota = self.client("service-quotas").get_service_quota(ServiceCode="apigateway", QuotaCode="L-8A5B8E43")
        rate, assumed = int(quota["Quota"]["Value"]), int(self.value("GatewayRate"))
        if rate < assumed:
            yield NO, f"API Gateway: {rate} requests a second, but GatewayRate is {assumed}, of which pushes take a fifth", (
                f"set GatewayRate to {rate} or less, and a SocketsAtOnce that fits it"
            )
            return
        state = OK if rate >= GATEWAY_RATE else UNKNOWN
        yield state, f"API Gateway: {rate} requests a second, sockets and their pushes included", None if state == OK else (
            f"aws service-quotas request-service-quota-increase --service-code apigateway --quota-code L-8A5B8E43 --desired-value {GATEWAY_RATE}"
        )

    def sender(self):
        ses = self.client("sesv2")
        account = ses.get_account()
        if account.get("ProductionAccessEnabled"):
            quota = account.get("SendQuota", {})
            yield OK, f"SES: outside of its sandbox, {quota.get('Max24HourSend', 0):.0f} mails a day", None
        else:
            yield NO, "SES: in its sandbox: 200 mails a day, to verified addresses alone; nobody can sign up by mail", (
                "aws sesv2 put-account-details --production-access-enabled --mail-type TRANSACTIONAL --website-url "
                f"{shlex.quote(self.value('AppUrl') or '<URL>')} --use-case-description '<who gets mails, and how they ask for them>'"
            )
        if not account.get("SendingEnabled", True):
            yield NO, "SES: sending is paused", "the account's health dashboard of SES says why"
        if {"BOUNCE", "COMPLAINT"} - set(account.get("SuppressionAttributes", {}).get("SuppressedReasons", [])):
            yield NO, "SES: mails again to addresses that bounced or complained, for which AWS pauses accounts", (
                "aws sesv2 put-account-suppression-attributes --suppressed-reasons BOUNCE COMPLAINT"
            )
        address = self.value("MailFrom")
        if not address:
            return
        names = [address, address.split("@")[1]]
        while names[-1].count(".") > 1:
            names.append(names[-1].split(".", 1)[1])
        for name in names:
            try:
                if ses.get_email_identity(EmailIdentity=name).get("VerifiedForSendingStatus"):
                    yield OK, f"SES: may send as {name}", None
                    return
            except ClientError as error:
                if error.response["Error"]["Code"] != "NotFoundException":
                    raise
        yield NO, f"SES: neither {address} nor a domain of it is verified", f"aws sesv2 create-email-identity --email-identity {names[1]}"

    def trail(self):
        """The alarms on keys are silent without a trail that records reads and KMS."""
        cloudtrail = self.client("cloudtrail")
        for trail in cloudtrail.describe_trails(includeShadowTrails=True)["trailList"]:
            arn = trail["TrailARN"]
            if not cloudtrail.get_trail_status(Name=arn).get("IsLogging"):
                continue
            if records_all(cloudtrail.get_event_selectors(TrailName=arn)):
                yield OK, f"CloudTrail: {trail['Name']} records management events, those of KMS included", None
                return
        yield NO, "CloudTrail: no trail records all management events, so nobody hears of the use of a key", (
            "aws cloudformation deploy --template-file infra/account.yaml --stack-name runeport-account"
        )

    def throughput(self):
        found = self.client("ssm").get_service_setting(SettingId=THROUGHPUT)["ServiceSetting"]["SettingValue"]
        if found == "true":
            yield OK, "SSM: the higher throughput of parameters is on", None
        else:
            yield NO, "SSM: 40 reads of parameters a second, which three hundred new instances of functions exceed", (
                f"aws ssm update-service-setting --setting-id {THROUGHPUT} --setting-value true"
            )

    def media(self):
        if self.value("ServeMedia") != "yes":
            yield OK, "CloudFront: ServeMedia is no, so nothing is created; uploads are refused", None
            return
        listed = self.client("cloudfront").list_distributions(MaxItems="1")["DistributionList"]
        if listed["Quantity"]:
            yield OK, "CloudFront: the account has a distribution already", None
        else:
            yield UNKNOWN, "CloudFront: the account has no distribution; a new one may have to be verified first", (
                'ask AWS Support for it, and set ServeMedia = "no" until then'
            )

    def certificate(self):
        arn, domain = self.value("CertificateArn"), self.value("DomainName")
        if not domain:
            return
        mend = f"aws acm request-certificate --domain-name {domain} --validation-method DNS"
        if not arn:
            yield NO, f"ACM: {domain} has no CertificateArn", mend
            return
        try:
            found = self.client("acm").describe_certificate(CertificateArn=arn)["Certificate"]
        except ClientError as error:
            if error.response["Error"]["Code"] not in ("ResourceNotFoundException", "ValidationException"):
                raise
            yield NO, f"ACM: {arn} does not exist in this region", mend
            return
        names = found.get("SubjectAlternativeNames") or [found["DomainName"]]
        if found["Status"] != "ISSUED":
            yield NO, f"ACM: the certificate is {found['Status']}", "create the DNS records that aws acm describe-certificate names"
        elif domain not in names and f"*.{domain.split('.', 1)[1]}" not in names:
            yield NO, f"ACM: the certificate is of {', '.join(names)}, not of {domain}", mend
        elif found["NotAfter"] - self.now < LEAST_VALIDITY:
            yield NO, f"ACM: the certificate ends on {found['NotAfter']:%Y-%m-%d}", mend
        else:
            yield OK, f"ACM: the certificate of {domain} is valid until {found['NotAfter']:%Y-%m-%d}", None

    def protection(self):
        try:
            (stack,) = self.client("cloudformation").describe_stacks(StackName=self.stack)["Stacks"]
        except ClientError as error:
            if "does not exist" not in error.response["Error"]["Message"]:
                raise
            yield OK, f"CloudFormation: {self.stack} does not exist yet", None
            return
        status = stack["StackStatus"]
        self.outputs = {each["OutputKey"]: each["OutputValue"] for each in stack.get("Outputs", [])}
        if status in ("ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED"):
            yield NO, f"CloudFormation: {self.stack} is {status}, and cannot be updated", (
                f"aws cloudformation delete-stack --stack-name {self.stack}"
            )
        elif self.environment == "prod" and not stack.get("EnableTerminationProtection"):
            yield NO, f"CloudFormation: {self.stack} can be deleted by one call", (
                f"aws cloudformation update-termination-protection --enable-termination-protection --stack-name {self.stack}"
            )
        else:
            yield OK, f"CloudFormation: {self.stack} is {status}", None

    def token_key(self):
        if not self.outputs:
            return
        mend = f"make rotate-keys ENV={self.environment}"
        versions = self.client("secretsmanager").list_secret_version_ids(SecretId=self.outputs["TokenSecretId"])["Versions"]
        made = [each["CreatedDate"] for each in versions if "AWSCURRENT" in each.get("VersionStages", [])]
        if not made:
            yield NO, "Tokens: there is no key that signs them, so nobody can sign in", mend
        elif self.environment == "prod" and self.now - made[0] > OLDEST_TOKEN_KEY:
            yield NO, f"Tokens: their key is of {made[0]:%Y-%m-%d}, and is to be replaced each quarter", mend
        else:
            yield OK, "Tokens: there is a key that signs them", None

    # What is left if the region or the account is lost. Environments without users can do without.

    def copied_keys(self):
        if not self.outputs or self.environment != "prod":
            return
        kms, alone = self.client("kms"), []
        for name, end in copied(self.template).items():
            regions = kms.describe_key(KeyId=f"alias/{self.stack}{end}")["KeyMetadata"].get("MultiRegionConfiguration", {})
            if not regions.get("ReplicaKeys"):
                alone.append(name)
        if alone:
            yield NO, f"KMS: {', '.join(alone)} would be lost with this region", "docs/operations/keys.md, A second region"
        else:
            yield OK, "KMS: the keys have copies in another region", None

    def copied_tables(self):
        if not self.outputs or self.environment != "prod":
            return
        dynamodb, backup, alone = self.client("dynamodb"), self.client("backup"), []
        for name, resource in self.template["Resources"].items():
            if resource["Type"] != "AWS::DynamoDB::Table" or name in WITHOUT_COPIES:
                continue
            arn = dynamodb.describe_table(TableName=self.outputs[name])["Table"]["TableArn"]
            jobs = backup.list_copy_jobs(ByResourceArn=arn, ByState="COMPLETED", ByCompleteAfter=self.now - OLDEST_COPY)["CopyJobs"]
            here = arn.split(":")[3:5]
            if not any(not set(here) & set(job["DestinationBackupVaultArn"].split(":")[3:5]) for job in jobs):
                alone.append(name)
        if alone:
            yield NO, f"Backup: no copy of {', '.join(alone)} has reached another account and region since yesterday", (
                "docs/operations/restore.md, Copies in another account"
            )
        else:
            yield OK, "Backup: copies of the tables reach another account and region", None

    # The nodes.

    def address(self, name):
        """The address of a partner, from SSM if it is kept there. It may hold a key, so it is never printed."""
        value = self.value(name)
        if value.startswith("ssm:"):
            found = self.client("ssm").get_parameter(Name=value.removeprefix("ssm:"), WithDecryption=True)
            value = found["Parameter"]["Value"].strip()
        return value.rstrip("/")

    def esplora(self):
        base = self.address("EsploraUrl")
        if not base:
            return
        network = self.value("BitcoinNetwork")
        try:
            first, height = self.get(f"{base}/block-height/0").strip(), int(self.get(f"{base}/blocks/tip/height"))
        except (OSError, ValueError) as error:
            yield NO, f"Esplora: does not answer as Esplora does: {reason(error)}", "docs/operations/deploy.md, Before the first deployment"
            return
        if first != GENESIS[network]:
            yield NO, f"Esplora: its chain is not {network}", "set EsploraUrl or BitcoinNetwork"
            return
        self.height = height
        yield OK, f"Esplora: {network}, at height {height}", None
        yield UNKNOWN, "Esplora: whether --utxos-limit is at least 100000 cannot be seen from outside", "start it with --utxos-limit 100000"

    def ord(self):
        base = self.address("OrdUrl")
        if not base:
            return
        network = self.value("BitcoinNetwork")
        try:
            status = json.loads(self.get(f"{base}/status", "application/json"))
            chain, height = status["chain"], int(status["height"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            yield NO, f"ord: does not answer as ord does: {reason(error)}", "start it with server --http, without --disable-json-api"
            return
        wanted = CHAIN_OF_ORD.get(network, network)
        if chain != wanted:
            yield NO, f"ord: its chain is {chain}, not {wanted}", "set OrdUrl or BitcoinNetwork"
        elif status.get("unrecoverably_reorged"):
            yield NO, "ord: its index is of a chain that is no more", "build its index again"
        elif self.height is not None and abs(self.height - height) > APART:
            yield NO, f"ord: is at height {height}, and Esplora at {self.height}", "wait until both have indexed the chain"
        else:
            yield OK, f"ord: {chain}, at height {height}", None
        if not status.get("rune_index"):
            yield NO, "ord: has no index of runes, so that no coin with runes is known as such", "start it with --index-runes"
        if not status.get("address_index"):
            yield NO, "ord: has no index of addresses, so the service asks about each output", "start it with --index-addresses"


def records_all(selectors):
    """Whether a trail with these selectors records all management events, those of KMS included."""
    for one in selectors.get("EventSelectors") or []:
        excluded = one.get("ExcludeManagementEventSources") or []
        if one.get("IncludeManagementEvents") and one.get("ReadWriteType") == "All" and "kms.amazonaws.com" not in excluded:
            return True
    for one in selectors.get("AdvancedEventSelectors") or []:
        fields = {each["Field"]: each for each in one["FieldSelectors"]}
        if fields.get("eventCategory", {}).get("Equals") == ["Management"] and set(fields) == {"eventCategory"}:
            return True
    return False


def reason(error):
    """Why a server did not answer, without its address."""
    if isinstance(error, urllib.error.HTTPError):
        return f"status {error.code}"
    if isinstance(error, urllib.error.URLError):
        return type(error.reason).__name__ if not isinstance(error.reason, str) else "unreachable"
    return type(error).__name__


def show(lines):
    """Prints lines, and returns whether a deployment has what it needs."""
    lines = list(lines)
    for state, what, mend in lines:
        print(f"{state:<3} {what}")
        if mend and state != OK:
            print(f"    {mend}")
    return all(state != NO for state, _what, _mend in lines)


def main(environment):
    config, template = settings(), read()
    region = boto3.session.Session().region_name
    print(f"{stack_of(config, environment)}, {region}:")
    if not show(Preflight(environment, config, template).run()):
        sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
