import contextlib
import io
import json
import unittest

from botocore.exceptions import ClientError

from redrive import SHOWN, kind, redrive
from template import read

STACK, BASE = "runeport-test", "https://sqs.us-east-1.amazonaws.com/123456789012"
MAILS, DEAD = f"{BASE}/{STACK}-MailQueue-1X", f"{BASE}/{STACK}-MailDeadLetters-2Y"
ARN = "arn:aws:sqs:us-east-1:123456789012:dead"
SECRET = {
    "id": "5b0c",
    "to": "someone@example.com",
    "letter": {"verifyEmail": {"token": "s3cr3t", "expiresAt": 1}},
    "at": 1760000000000,
}


class Aws:
    """The services that it calls, with one message for each body."""

    def __init__(self, bodies, statuses=("RUNNING", "COMPLETED")):
        self.messages = [
            {"MessageId": f"id{number}", "Body": body, "Attributes": {"SentTimestamp": str(1760000000000 - number)}}
            for number, body in enumerate(bodies)
        ]
        self.statuses, self.started, self.reads = list(statuses), [], 0
        self.hidden, self.refused = 0, None

    def __call__(self, service):
        return {"sqs": self, "cloudformation": self}[service]

    def get_paginator(self, name):
        assert name == "list_stack_resources"
        return self

    def paginate(self, StackName):
        assert StackName == STACK
        queues = {"MailQueue": MAILS, "MailDeadLetters": DEAD}
        pages = [
            {"LogicalResourceId": name, "PhysicalResourceId": url, "ResourceType": "AWS::SQS::Queue"}
            for name, url in queues.items()
        ]
        table = {"LogicalResourceId": "AccountsTable", "ResourceType": "AWS::DynamoDB::Table"}
        return [{"StackResourceSummaries": [each]} for each in [table, *pages]]

    def get_queue_attributes(self, QueueUrl, AttributeNames):
        assert AttributeNames == ["All"]
        if QueueUrl == MAILS:
            return {"Attributes": {"QueueArn": "mails", "RedrivePolicy": json.dumps({"deadLetterTargetArn": ARN})}}
        counts = {"ApproximateNumberOfMessages": len(self.messages), "ApproximateNumberOfMessagesNotVisible": self.hidden}
        return {"Attributes": {"QueueArn": ARN, **{name: str(count) for name, count in counts.items()}}}

    def receive_message(self, QueueUrl, MaxNumberOfMessages, VisibilityTimeout, MessageSystemAttributeNames):
        assert (QueueUrl, VisibilityTimeout) == (DEAD, 0), "a message that is hidden would not be moved"
        first = self.reads * 7 % max(len(self.messages), 1)
        self.reads += 1
        found = (self.messages + self.messages)[first : first + min(MaxNumberOfMessages, len(self.messages))]
        return {"Messages": found} if found else {}

    def start_message_move_task(self, SourceArn, MaxNumberOfMessagesPerSecond):
        if self.refused:
            error = {"Code": self.refused, "Message": "there is one already"}
            raise ClientError({"Error": error}, "StartMessageMoveTask")
        self.started.append((SourceArn, MaxNumberOfMessagesPerSecond))

    def list_message_move_tasks(self, SourceArn, MaxResults):
        assert (SourceArn, MaxResults, len(self.started)) == (ARN, 1, 1)
        task = {"Status": self.statuses.pop(0), "ApproximateNumberOfMessagesMoved": len(self.messages)}
        return {"Results": [{**task, "FailureReason": "CouldNotDetermineMessageSource"}]}


class Redrive(unittest.TestCase):
    def redrive(self, aws, move=False, queue="MailDeadLetters"):
        output, self.waited = io.StringIO(), []
        with contextlib.redirect_stdout(output):
            redrive(STACK, queue, move, aws, self.waited.append)
        return output.getvalue()

    def test_it_shows_what_it_would_move_and_moves_nothing(self):
        aws = Aws([json.dumps(SECRET), "no json"])
        output = self.redrive(aws)
        self.assertIn("MailDeadLetters: 2 messages, back to MailQueue", output)
        self.assertIn("2025-10-09 08:53:20Z  id0  mail 5b0c, verifyEmail", output)
        # Oldest first.
        self.assertLess(output.index("id1"), output.index("id0"))
        self.assertIn("MOVE=yes", output)
        self.assertEqual(aws.started, [])

    def test_it_prints_nothing_confidential(self):
        output = self.redrive(Aws([json.dumps(SECRET), json.dumps({**SECRET, "letter": "s3cr3t"})]))
        for secret in ("s3cr3t", "someone@example.com"):
            self.assertNotIn(secret, output)

    def test_it_shows_each_message_once_and_not_too_many(self):
        for number in (1, 3, 12, SHOWN, SHOWN + 15):
            output = self.redrive(Aws([json.dumps({"export": f"e{each}"}) for each in range(number)]))
            shown = [line for line in output.splitlines() if "export e" in line]
            self.assertEqual(len(shown), len(set(shown)))
            self.assertEqual(len(shown), min(number, SHOWN))
            self.assertEqual(f"and {number - SHOWN} more" in output, number > SHOWN)

    def test_it_moves_all_of_them_and_waits_for_the_end(self):
        aws = Aws([json.dumps(SECRET)], ["RUNNING", "RUNNING", "COMPLETED"])
        output = self.redrive(aws, move=True)
        self.assertEqual(aws.started, [(ARN, 10)])
        self.assertEqual(len(self.waited), 2)
        self.assertIn("completed: 1 messages moved", output)
        self.assertLess(output.index("verifyEmail"), output.index("completed"))

    def test_a_move_that_fails_is_a_failure(self):
        for status in ("FAILED", "CANCELLED"):
            with self.assertRaisesRegex(SystemExit, "CouldNotDetermineMessageSource"):
                self.redrive(Aws(["{}"], [status]), move=True)
        aws = Aws(["{}"])
        aws.refused = "AWS.SimpleQueueService.UnsupportedOperation"
        with self.assertRaisesRegex(ClientError, "there is one already"):
            self.redrive(aws, move=True)

    def test_an_empty_queue_needs_no_move(self):
        aws = Aws([])
        aws.hidden = 3
        output = self.redrive(aws, move=True)
        self.assertIn("0 messages", output)
        self.assertIn("3 more are being read", output)
        self.assertEqual(aws.started, [])

    def test_only_dead_letters_can_be_moved(self):
        for queue in ("MailQueue", "AccountsTable", "Other"):
            with self.assertRaisesRegex(SystemExit, "QUEUE is one of MailDeadLetters"):
                self.redrive(Aws([]), True, queue)

    def test_kinds(self):
        for body, expected in [
            (SECRET, "mail 5b0c, verifyEmail"),
            ({"letter": {}}, "mail ?, ?"),
            ({"export": "e1"}, "export e1"),
            ({"sweep": True}, "sweep of exports"),
            ({"b": 1, "a": 2}, "unknown, with a, b"),
            ([1], "no message, 3 characters"),
        ]:
            self.assertEqual(kind(json.dumps(body)), expected)
        self.assertEqual(kind("x{"), "no JSON, 2 characters")

    def test_the_template_has_four_such_queues(self):
        queues = [each["Properties"] for each in read()["Resources"].values() if each["Type"] == "AWS::SQS::Queue"]
        dead = [each["RedrivePolicy"]["deadLetterTargetArn"] for each in queues if "RedrivePolicy" in each]
        # Mails with links and others share one, and so do prompt and slow webhooks.
        names = ("Mail", "Mail", "Export", "Webhook", "Webhook", "Socket")
        self.assertEqual(dead, [{"Fn::GetAtt": [f"{name}DeadLetters", "Arn"]} for name in names])


if __name__ == "__main__":
    unittest.main()
