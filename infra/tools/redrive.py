"""redrive.py STACK QUEUE [move]: shows the dead letters in QUEUE, a queue of the stack by its name in the template; with
`move`, moves them back to the queue that they came from, and waits until that is done. Of a message it shows when it
was sent, and what kind it is: mails hold addresses and links that prove an identity, which are not printed."""

import json
import sys
import time
from datetime import datetime, timezone

import boto3
from botocore.exceptions import BotoCoreError, ClientError

# Messages that are shown; all of them are moved.
SHOWN = 20
# The worker's queue takes other messages too.
PER_SECOND = 10
ENDED = {"COMPLETED", "CANCELLED", "FAILED"}


def kind(body):
    """What a message is about, without anything that is confidential: the ids of mails and exports are not."""
    try:
        message = json.loads(body)
    except ValueError:
        return f"no JSON, {len(body)} characters"
    if not isinstance(message, dict):
        return f"no message, {len(body)} characters"
    if "letter" in message:
        letter = message["letter"]
        name = next(iter(letter), "?") if isinstance(letter, dict) else "?"
        return f"mail {message.get('id', '?')}, {name}"
    if message == {"sweep": True}:
        return "sweep of exports"
    if set(message) == {"export"}:
        return f"export {message['export']}"
    return f"unknown, with {', '.join(sorted(message))}"


def queues_of(stack, client):
    """The queues of a stack by their names in the template, each with its URL and attributes."""
    pages = client("cloudformation").get_paginator("list_stack_resources").paginate(StackName=stack)
    sqs, queues = client("sqs"), {}
    for each in (each for page in pages for each in page["StackResourceSummaries"]):
        if each["ResourceType"] == "AWS::SQS::Queue":
            url = each["PhysicalResourceId"]
            attributes = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
            queues[each["LogicalResourceId"]] = {"url": url, **attributes}
    return queues


def sources_of(queue, queues):
    """The names of the queues whose dead letters are in a queue."""
    policies = {name: json.loads(each.get("RedrivePolicy", "{}")) for name, each in queues.items()}
    return [name for name, policy in policies.items() if policy.get("deadLetterTargetArn") == queue["QueueArn"]]


def letters(sqs, url):
    """Some of the messages, oldest first. They stay visible, so that a move takes them."""
    found, empty = {}, 0
    # SQS answers from some of its servers each time.
    while len(found) < SHOWN and empty < 3:
        messages = sqs.receive_message(
            QueueUrl=url, MaxNumberOfMessages=10, VisibilityTimeout=0, MessageSystemAttributeNames=["SentTimestamp"]
        ).get("Messages", [])
        new = {each["MessageId"]: each for each in messages if each["MessageId"] not in found}
        found, empty = {**found, **new}, 0 if new else empty + 1
    return sorted(found.values(), key=lambda each: int(each["Attributes"]["SentTimestamp"]))[:SHOWN]


def redrive(stack, queue, move, client=boto3.client, wait=time.sleep):
    sqs, queues = client("sqs"), queues_of(stack, client)
    sources = {name: sources_of(each, queues) for name, each in queues.items()}
    if not sources.get(queue):
        sys.exit(f"make: QUEUE is one of {', '.join(sorted(name for name, found in sources.items() if found))}")
    dead = queues[queue]
    arn, number = dead["QueueArn"], dead["ApproximateNumberOfMessages"]
    print(f"{queue}: {number} messages, back to {', '.join(sources[queue])}")
    if (hidden := dead["ApproximateNumberOfMessagesNotVisible"]) != "0":
        print(f"{hidden} more are being read by somebody, and stay")
    shown = letters(sqs, dead["url"])
    for each in shown:
        sent = datetime.fromtimestamp(int(each["Attributes"]["SentTimestamp"]) / 1000, timezone.utc)
        print(f"{sent:%Y-%m-%d %H:%M:%S}Z  {each['MessageId']}  {kind(each['Body'])}")
    if (more := int(number) - len(shown)) > 0:
        print(f"and {more} more")
    if number == "0":
        return
    if not move:
        print("To move all of them back: the same command with MOVE=yes")
        return
    sqs.start_message_move_task(SourceArn=arn, MaxNumberOfMessagesPerSecond=PER_SECOND)
    while True:
        task = sqs.list_message_move_tasks(SourceArn=arn, MaxResults=1)["Results"][0]
        if task["Status"] in ENDED:
            break
        wait(2)
    print(f"{task['Status'].lower()}: {task.get('ApproximateNumberOfMessagesMoved', 0)} messages moved")
    if task["Status"] != "COMPLETED":
        sys.exit(f"make: not all messages were moved: {task.get('FailureReason', 'the task was cancelled')}")


if __name__ == "__main__":
    try:
        redrive(sys.argv[1], sys.argv[2], sys.argv[3:] == ["move"])
    except (BotoCoreError, ClientError) as error:
        sys.exit(f"make: {error}")
