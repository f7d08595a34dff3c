"""Each test takes one thing from an account and from partners that have everything, and expects the one line about it."""

import copy
import io
import json
import unittest
import urllib.error
from contextlib import redirect_stdout
from datetime import datetime, timedelta, timezone

from botocore.exceptions import ClientError, NoCredentialsError
from preflight import GENESIS, NO, OK, UNKNOWN, Preflight, show
from samconfig import needed, settings
from template import ROOT, parse, read

TEMPLATE = read()
NOW = datetime(2026, 11, 27, tzinfo=timezone.utc)
ESPLORA, ORD = "https://esplora.example/api", "https://ord.example"
SECRET = "https://ord.example/secret-key"
CONFIG = settings()
GIVEN = CONFIG["prod"]["deploy"]["parameters"]["parameter_overrides"]
GIVEN.update({name: GIVEN[name] or "x" for name in needed(TEMPLATE["Parameters"], "prod")})
GIVEN.update(EsploraUrl=ESPLORA, OrdUrl=ORD, MailFrom="hello@mail.app.example", DomainName="api.app.example", ReserveConcurrency="yes",
             CertificateArn="arn:aws:acm:eu-central-1:123456789012:certificate/1", AppUrl="https://app.example")
# What a ready account answers, by operation; an exception is raised.
READY = {
    "get_account_settings": {"AccountLimit": {"ConcurrentExecutions": 1000}},
    "get_service_quota": {"Quota": {"Value": 10000.0}},
    "get_account": {"ProductionAccessEnabled": True, "SendingEnabled": True, "SendQuota": {"Max24HourSend": 50000.0},
                    "SuppressionAttributes": {"SuppressedReasons": ["COMPLAINT", "BOUNCE"]}},
    "get_email_identity": {"VerifiedForSendingStatus": True},
    "describe_trails": {"trailList": [{"Name": "all", "TrailARN": "arn"}]},
    "get_trail_status": {"IsLogging": True},
    "get_event_selectors": {"EventSelectors": [{"IncludeManagementEvents": True, "ReadWriteType": "All"}]},
    "get_service_setting": {"ServiceSetting": {"SettingValue": "true"}},
    "list_distributions": {"DistributionList": {"Quantity": 1}},
    "describe_certificate": {"Certificate": {"Status": "ISSUED", "DomainName": "api.app.example", "NotAfter": NOW + timedelta(days=300)}},
    "describe_stacks": {"Stacks": [{"StackStatus": "UPDATE_COMPLETE", "EnableTerminationProtection": True, "Outputs": [
        {"OutputKey": name, "OutputValue": name} for name in TEMPLATE["Outputs"]]}]},
    "list_secret_version_ids": {"Versions": [{"VersionStages": ["AWSPREVIOUS"], "CreatedDate": NOW - timedelta(days=190)},
                                             {"VersionStages": ["AWSCURRENT"], "CreatedDate": NOW - timedelta(days=99)}]},
    "describe_key": {"KeyMetadata": {"MultiRegionConfiguration": {"MultiRegionKeyType": "PRIMARY", "ReplicaKeys": [{"Region": "eu-west-1"}]}}},
    "describe_table": {"Table": {"TableArn": "arn:aws:dynamodb:eu-central-1:111111111111:table/one"}},
    "list_copy_jobs": {"CopyJobs": [{"DestinationBackupVaultArn": "arn:aws:backup:eu-west-1:222222222222:backup-vault:copies"}]},
    "get_parameter": {"Parameter": {"Value": SECRET + "/\n"}},
}
STATUS = {"chain": "mainnet", "height": 920000, "rune_index": True, "address_index": True, "unrecoverably_reorged": False}
ANSWERS = {
    f"{ESPLORA}/block-height/0": GENESIS["bitcoin"],
    f"{ESPLORA}/blocks/tip/height": "920001",
    f"{ORD}/status": json.dumps(STATUS),
}


def error(code, message="no"):
    return ClientError({"Error": {"Code": code, "Message": message}}, "Operation")


class Client:
    def __init__(self, answers):
        self.answers = answers

    def __getattr__(self, operation):
        def call(**_arguments):
            answer = self.answers[operation]
            if isinstance(answer, Exception):
                raise answer
            return answer

        return call


class Account(unittest.TestCase):
    def lines(self, answers=None, pages=None, environment="prod", **values):
        config = copy.deepcopy(CONFIG)
        config[environment]["deploy"]["parameters"]["parameter_overrides"].update(values)
        known, answered = READY | (answers or {}), ANSWERS | (pages or {})

        def get(url, accept="*/*"):
            found = answered[url]
            if isinstance(found, Exception):
                raise found
            return found

        client = Client(known)
        return list(Preflight(environment, config, TEMPLATE, lambda _service: client, get, NOW).run())

    def differs(self, state, what, mend="", answers=None, pages=None, **values):
        """Expects one line that a ready account has not, with what mends it."""
        ready = {each[1] for each in self.lines()}
        found = [each for each in self.lines(answers, pages, **values) if each[0] != OK and each[1] not in ready]
        self.assertEqual(len(found), 1, found)
        self.assertEqual(found[0][0], state, found)
        self.assertIn(what, found[0][1])
        self.assertIn(mend, found[0][2] or "")

    def test_a_ready_account_lacks_nothing(self):
        lines = self.lines()
        self.assertEqual([each for each in lines if each[0] == NO], [])
        # Only this line cannot be checked from outside.
        self.assertEqual([each[1].split(":")[0] for each in lines if each[0] == UNKNOWN], ["Esplora"])
        self.assertLessEqual(len(lines), 20)

    def test_each_value_that_is_missing(self):
        for name in ("SignInDomain", "AlarmEmail", "MonthlyBudget"):
            self.differs(NO, f"samconfig.toml: {name} have no value", "prod.deploy", **{name: ""})

    def test_values_that_need_another(self):
        self.differs(NO, "HubVaultOnly needs HubVault", "prod.deploy", HubVaultOnly="yes")
        self.differs(NO, "EdgeSecret needs DomainName", "prod.deploy", EdgeSecret="ssm:/runeport/edge", DomainName="", CertificateArn="")
        vault = {"HubVaultOnly": "yes", "HubVault": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"}
        self.assertEqual(self.lines(**vault), self.lines())

    def test_concurrency(self):
        small = {"get_account_settings": {"AccountLimit": {"ConcurrentExecutions": 10}}}
        self.differs(NO, "10 runs at once, but ReserveConcurrency needs 142", "L-B99A9384", small)
        self.differs(NO, "may hold all 10 runs of the account (39)", "L-B99A9384", small, ReserveConcurrency="no")
        few = {"MailsAtOnce": "2,4", "ExportsAtOnce": "2", "WebhooksAtOnce": "2,4", "SocketsAtOnce": "2,250", "ReserveConcurrency": "no"}
        self.differs(UNKNOWN, "may hold all 10 runs of the account (12)", "L-B99A9384", small, **few)
        more = {"get_account_settings": {"AccountLimit": {"ConcurrentExecutions": 50}}}
        self.differs(UNKNOWN, "50 runs at once, 12 of them", "L-B99A9384", more, **few)

    def test_rates_of_the_gateway(self):
        small = {"get_service_quota": {"Quota": {"Value": 2500.0}}}
        self.differs(UNKNOWN, "2500 requests a second", "L-8A5B8E43", small, GatewayRate="2500", SocketsAtOnce="5,100")
        self.differs(NO, "2500 requests a second, but GatewayRate is 10000", "set GatewayRate to 2500", small)
        large = {"get_service_quota": {"Quota": {"Value": 20000.0}}}
        lines = self.lines(large, GatewayRate="20000", SocketsAtOnce="20,200")
        self.assertIn((OK, "API Gateway: 20000 requests a second, sockets and their pushes included", None), lines)
        self.differs(NO, "With a GatewayRate of 10000, SocketsAtOnce is 2,250, 5,100 or 10,200.", "change it in [prod.deploy", SocketsAtOnce="20,200")

    def test_mails(self):
        ready = READY["get_account"]
        self.differs(NO, "in its sandbox", "put-account-details", {"get_account": {**ready, "ProductionAccessEnabled": False}})
        self.differs(NO, "sending is paused", "", {"get_account": {**ready, "SendingEnabled": False}})
        for reasons in ([], ["BOUNCE"], ["COMPLAINT"]):
            self.differs(NO, "mails again to addresses that bounced or complained", "put-account-suppression-attributes",
                         {"get_account": {**ready, "SuppressionAttributes": {"SuppressedReasons": reasons}}})
        for unverified in (error("NotFoundException"), {"VerifiedForSendingStatus": False}):
            self.differs(NO, "neither hello@mail.app.example nor a domain", "create-email-identity --email-identity mail.app.example",
                         {"get_email_identity": unverified})

    def test_the_trail(self):
        for answers in (
            {"describe_trails": {"trailList": []}},
            {"get_trail_status": {"IsLogging": False}},
            {"get_event_selectors": {"EventSelectors": [{"IncludeManagementEvents": True, "ReadWriteType": "WriteOnly"}]}},
            {"get_event_selectors": {"EventSelectors": [{"IncludeManagementEvents": False, "ReadWriteType": "All"}]}},
            {"get_event_selectors": {"EventSelectors": [
                {"IncludeManagementEvents": True, "ReadWriteType": "All", "ExcludeManagementEventSources": ["kms.amazonaws.com"]}]}},
            {"get_event_selectors": {"AdvancedEventSelectors": [{"FieldSelectors": [
                {"Field": "eventCategory", "Equals": ["Management"]}, {"Field": "eventSource", "NotEquals": ["kms.amazonaws.com"]}]}]}},
        ):
            self.differs(NO, "no trail records all management events", "infra/account.yaml", answers)
        every = {"AdvancedEventSelectors": [{"FieldSelectors": [{"Field": "eventCategory", "Equals": ["Management"]}]}]}
        self.assertEqual(self.lines({"get_event_selectors": every}), self.lines())

    def test_parameters_a_second(self):
        self.differs(NO, "40 reads of parameters a second", "update-service-setting",
                     {"get_service_setting": {"ServiceSetting": {"SettingValue": "false"}}})

    def test_distributions(self):
        none = {"list_distributions": {"DistributionList": {"Quantity": 0}}}
        self.differs(UNKNOWN, "the account has no distribution", 'ServeMedia = "no"', none, ServeMedia="yes")
        self.assertEqual(self.lines(none), self.lines())

    def test_the_certificate(self):
        of = READY["describe_certificate"]["Certificate"]
        request = "request-certificate --domain-name api.app.example"
        for state, mend, found in [
            ("PENDING_VALIDATION", "DNS records", {"Certificate": {**of, "Status": "PENDING_VALIDATION"}}),
            ("not of api.app.example", request, {"Certificate": {**of, "DomainName": "other.example"}}),
            ("not of api.app.example", request, {"Certificate": {**of, "SubjectAlternativeNames": ["*.api.app.example"]}}),
            ("ends on 2026-12-07", request, {"Certificate": {**of, "NotAfter": NOW + timedelta(days=10)}}),
            ("does not exist in this region", request, error("ResourceNotFoundException")),
        ]:
            self.differs(NO, state, mend, {"describe_certificate": found})
        self.differs(NO, "has no CertificateArn", request, CertificateArn="")
        star = {"Certificate": {**of, "SubjectAlternativeNames": ["app.example", "*.app.example"]}}
        self.assertEqual(self.lines({"describe_certificate": star}), self.lines())

    def test_the_stack(self):
        self.differs(NO, "is ROLLBACK_COMPLETE", "delete-stack", {"describe_stacks": {"Stacks": [{"StackStatus": "ROLLBACK_COMPLETE"}]}})
        self.differs(NO, "can be deleted by one call", "update-termination-protection",
                     {"describe_stacks": {"Stacks": [{"StackStatus": "CREATE_COMPLETE"}]}})
        none = {"describe_stacks": error("ValidationError", "Stack with id runeport-prod does not exist")}
        self.assertIn((OK, "CloudFormation: runeport-prod does not exist yet", None), self.lines(none))

    def test_the_key_of_tokens(self):
        rotate = "make rotate-keys ENV=prod"
        for versions in ([], [{"VersionStages": ["AWSPREVIOUS"], "CreatedDate": NOW}], [{"CreatedDate": NOW}]):
            self.differs(NO, "no key that signs them, so nobody can sign in", rotate, {"list_secret_version_ids": {"Versions": versions}})
        old = {"list_secret_version_ids": {"Versions": [{"VersionStages": ["AWSCURRENT"], "CreatedDate": NOW - timedelta(days=101)}]}}
        self.differs(NO, "their key is of 2026-08-18", rotate, old)
        lines = self.lines(old, environment="dev")
        self.assertIn((OK, "Tokens: there is a key that signs them", None), lines)

    def test_what_the_loss_of_the_region_or_the_account_leaves(self):
        for one in ({}, {"MultiRegionConfiguration": {"MultiRegionKeyType": "PRIMARY", "ReplicaKeys": []}}):
            self.differs(NO, "CosigningKey, DataKey, DistributionKey, MintTreasuryKey would be lost", "keys.md, A second region",
                         {"describe_key": {"KeyMetadata": one}})
        for vault in ("eu-central-1:222222222222", "eu-west-1:111111111111", "eu-central-1:111111111111"):
            jobs = [{"DestinationBackupVaultArn": f"arn:aws:backup:{vault}:backup-vault:copies"}]
            self.differs(NO, "no copy of AccountsTable, ActivityTable has reached another account", "restore.md, Copies in another account",
                         {"list_copy_jobs": {"CopyJobs": jobs}})
        self.differs(NO, "no copy of AccountsTable, ActivityTable", "", {"list_copy_jobs": {"CopyJobs": []}})

    def test_a_stack_without_users_or_without_resources_needs_neither(self):
        none = {"describe_stacks": error("ValidationError", "Stack with id runeport-prod does not exist")}
        for lines in (self.lines(none), self.lines(environment="dev")):
            self.assertFalse([each for each in lines if each[1].startswith(("KMS", "Backup"))])
        self.assertFalse([each for each in self.lines(none) if each[1].startswith("Tokens")])

    def test_esplora(self):
        tip, first = f"{ESPLORA}/blocks/tip/height", f"{ESPLORA}/block-height/0"
        refused = urllib.error.URLError(ConnectionRefusedError())
        for page in (refused, urllib.error.HTTPError(first, 403, "no", {}, None), TimeoutError()):
            self.differs(NO, "Esplora: does not answer", "deploy.md", pages={first: page})
        self.differs(NO, "Esplora: does not answer", pages={tip: "<html>"})
        self.differs(NO, "its chain is not bitcoin", pages={first: GENESIS["testnet4"]})

    def test_ord(self):
        status = f"{ORD}/status"
        for page in (TimeoutError(), "<html>", "[]", "{}"):
            self.differs(NO, "ord: does not answer", "--disable-json-api", pages={status: page})
        for changed, what, mend in [
            ({"chain": "testnet4"}, "its chain is testnet4, not mainnet", "OrdUrl"),
            ({"unrecoverably_reorged": True}, "of a chain that is no more", "again"),
            ({"height": 919998}, "at height 919998, and Esplora at 920001", "wait"),
            ({"rune_index": False}, "no index of runes", "--index-runes"),
            ({"address_index": False}, "no index of addresses", "--index-addresses"),
        ]:
            self.differs(NO, what, mend, pages={status: json.dumps(STATUS | changed)})

    def test_an_address_that_is_kept_in_ssm_is_read_and_never_shown(self):
        where = "ssm:/runeport/runeport-prod/ord-url"
        self.assertEqual(self.lines(pages={f"{SECRET}/status": json.dumps(STATUS)}, OrdUrl=where), self.lines())
        failed = urllib.error.URLError(OSError(f"cannot reach {SECRET}"))
        said = json.dumps(self.lines(pages={f"{SECRET}/status": failed}, OrdUrl=where))
        self.assertIn("ord: does not answer", said)
        self.assertNotIn("secret-key", said)
        self.differs(UNKNOWN, "ord: ParameterNotFound", answers={"get_parameter": error("ParameterNotFound")}, OrdUrl=where)

    def test_who_may_not_look_is_told_so_and_the_rest_goes_on(self):
        for operation in READY:
            if operation not in ("get_parameter", "list_distributions"):
                refused = self.lines({operation: error("AccessDeniedException")})
                self.assertEqual(len([each for each in refused if "AccessDeniedException" in each[1]]), 1, operation)
                self.assertGreater(len(refused), 8)
        lines = self.lines({"get_account": NoCredentialsError()})
        self.assertTrue(any("Unable to locate credentials" in each[1] for each in lines))

    def test_what_is_missing_ends_with_an_error(self):
        said = io.StringIO()
        with redirect_stdout(said):
            self.assertFalse(show([(OK, "a", None), (NO, "b", "mend b"), (UNKNOWN, "c", "look at c")]))
            self.assertTrue(show([(OK, "a", None), (UNKNOWN, "c", None)]))
        self.assertTrue(said.getvalue().startswith("ok  a\nNO  b\n    mend b\n?   c\n    look at c\n"))

    def test_the_account_template_makes_the_trail(self):
        trail = parse((ROOT / "infra/account.yaml").read_text())["Resources"]["Trail"]["Properties"]
        self.assertTrue(trail["IsLogging"] and trail["IsMultiRegionTrail"] and trail["EnableLogFileValidation"])
        (selector,) = trail["EventSelectors"]
        self.assertEqual((selector["IncludeManagementEvents"], selector["ReadWriteType"]), (True, "All"))
        self.assertNotIn("ExcludeManagementEventSources", selector)


if __name__ == "__main__":
    unittest.main()
