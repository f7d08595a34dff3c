"""Copies of the tables in another account: both tables are copied, the copies outlive their account, and the
other account cannot read or delete them without a deliberate step."""

import unittest
from datetime import timedelta

import botocore.session
from preflight import OLDEST_COPY
from template import ROOT, read

BACKUP = read(ROOT / "infra/backup.yaml")
RESOURCES = {name: one["Properties"] for name, one in BACKUP["Resources"].items()}
# Lost with the region without harm: docs/operations/restore.md.
NOT_COPIED = {"EphemeralTable"}


class Backup(unittest.TestCase):
    def test_every_table_that_has_to_last_is_copied(self):
        tables = {name for name, one in read()["Resources"].items() if one["Type"] == "AWS::DynamoDB::Table"}
        copied = [one["Fn::Sub"] for one in RESOURCES["Selection"]["BackupSelection"]["Resources"]]
        self.assertEqual({one.rsplit("/", 1)[1] for one in copied}, {f"${{{name}}}" for name in tables - NOT_COPIED})
        outputs = read()["Outputs"]
        for name in tables - NOT_COPIED:
            self.assertEqual(outputs[name]["Value"], {"Ref": name})
            self.assertIn(name, BACKUP["Parameters"])

    def test_copies_go_to_the_other_vault_and_are_kept_as_long_as_it_asks_for(self):
        (rule,) = RESOURCES["Plan"]["BackupPlan"]["BackupPlanRule"]
        (copy,) = rule["CopyActions"]
        self.assertEqual(copy, {"DestinationBackupVaultArn": {"Ref": "Vault"}, "Lifecycle": {"DeleteAfterDays": {"Ref": "KeepDays"}}})
        self.assertEqual(RESOURCES["CopiesVault"]["LockConfiguration"]["MinRetentionDays"], {"Ref": "KeepDays"})
        (needs,) = [one for one in BACKUP["Rules"].values()]
        self.assertEqual(needs["RuleCondition"], {"Fn::Equals": [{"Ref": "Part"}, "tables"]})
        told = [one["AssertDescription"] for one in needs["Assertions"]]
        self.assertEqual(told, [f"Part=tables needs {name}." for name in ("Vault", "AccountsTable", "ActivityTable", "AlarmTopic")])

    def test_copies_are_made_as_often_as_asked_for(self):
        (rule,) = RESOURCES["Plan"]["BackupPlan"]["BackupPlanRule"]
        self.assertEqual(rule["ScheduleExpression"], {"Fn::Sub": "cron(0 0/${EveryHours} * * ? *)"})
        hours = BACKUP["Parameters"]["EveryHours"]
        # A step that does not divide the day would leave a shorter one at midnight.
        self.assertEqual([each for each in hours["AllowedValues"] if 24 % each], [])
        # The preflight complains about older ones.
        self.assertGreater(OLDEST_COPY, 2 * timedelta(hours=max(hours["AllowedValues"])))

    def test_a_failure_is_told(self):
        rule = RESOURCES["Failing"]
        self.assertEqual(rule["EventPattern"]["detail-type"], ["Backup Job State Change", "Copy Job State Change"])
        said = [list(one.values()) for one in rule["EventPattern"]["detail"]["$or"]]
        model = botocore.session.get_session().get_service_model("backup")
        for states in said:
            ended = set(model.shape_for("BackupJobState").enum) | set(model.shape_for("CopyJobState").enum)
            under_way = {"ABORTING", "AGGREGATE_ALL", "ANY", "CREATED", "PENDING", "RUNNING"}
            self.assertEqual(set(states[0]), ended - under_way - {"COMPLETED"})
        (target,) = rule["Targets"]
        self.assertEqual(target["Arn"], {"Ref": "AlarmTopic"})
        # The topic of the deployment takes what rules of the account publish.
        policy = read()["Resources"]["AlarmTopicPolicy"]["Properties"]["PolicyDocument"]["Statement"]
        self.assertIn("events.amazonaws.com", [one["Principal"]["Service"] for one in policy if "Condition" not in one])
        self.assertEqual(read()["Outputs"]["AlarmTopic"]["Value"], {"Ref": "AlarmTopic"})

    def test_the_account_of_the_deployment_may_only_add_copies(self):
        (statement,) = RESOURCES["CopiesVault"]["AccessPolicy"]["Statement"]
        self.assertEqual(statement["Action"], "backup:CopyIntoBackupVault")

    def test_what_holds_copies_outlives_its_stack(self):
        for name, one in BACKUP["Resources"].items():
            if one["Type"] in ("AWS::Backup::BackupVault", "AWS::KMS::Key"):
                self.assertEqual((one["DeletionPolicy"], one["UpdateReplacePolicy"]), ("Retain", "Retain"), name)

    def test_no_vault_uses_a_key_that_the_other_account_cannot_use(self):
        for name in ("CopiesVault", "TablesVault"):
            self.assertEqual(RESOURCES[name]["EncryptionKeyArn"], {"Fn::GetAtt": ["Key", "Arn"]})
        others = [one for one in RESOURCES["Key"]["KeyPolicy"]["Statement"] if "OtherAccount" in one["Sid"]]
        self.assertEqual(len(others), 2)
        for one in others:
            self.assertEqual(one["Principal"], {"AWS": {"Fn::Sub": "arn:${AWS::Partition}:iam::${OtherAccount}:root"}})


if __name__ == "__main__":
    unittest.main()
