"""DynamoDB: the reads and writes of `shared/store`, with the same conditions."""

import random
import secrets
import time

from boto3.dynamodb.types import TypeDeserializer, TypeSerializer
from botocore.exceptions import ClientError

from . import aws
from .problems import Problem
from .ids import now_ms

# The condition that a key is free: no row exists, or its `expiresAt` has passed.
FREE = "attribute_not_exists(pk) OR expiresAt <= :now"
# The number of attempts to count a hit if writes conflict.
HIT_ATTEMPTS = 8
# The number of attempts to append to a busy list.
APPEND_ATTEMPTS = 40


class Deserializer(TypeDeserializer):
    """The library's serializer, except that all numbers are integers."""

    def _deserialize_n(self, value):
        return int(value)


_encode = TypeSerializer().serialize
_decode = Deserializer().deserialize


def encode(row):
    return {name: _encode(value) for name, value in row.items()}


def decode(item):
    return {name: _decode(value) for name, value in item.items()}


def expiry(ms):
    """Seconds since the epoch, rounded up: the unit of DynamoDB's TTL."""
    return -(-ms // 1000)


def pause(attempt):
    time.sleep(random.random() * min(8 * 2**attempt, 400) / 1000)


def code_of(error):
    return error.response["Error"]["Code"]


class ConditionFailed(Exception):
    """A condition of a transaction failed; `meaning` names the reason."""

    def __init__(self, meaning):
        super().__init__(meaning)
        self.meaning = meaning


class Store:
    def __init__(self, settings):
        self._settings = settings
        self._client = aws.client("dynamodb")

    def get(self, key):
        """Reads a row with strong consistency."""
        item = self._client.get_item(**self._place(key), ConsistentRead=True).get("Item")
        return item and decode(item)

    def range(self, low, high, forward):
        """Reads the rows from one key to another in one partition, both included, with strong consistency."""
        rows, start = [], {}
        while True:
            page = self._client.query(
                TableName=self._name(low.table),
                KeyConditionExpression="pk = :pk AND sk BETWEEN :low AND :high",
                ExpressionAttributeValues=encode({":pk": low.pk, ":low": low.sk, ":high": high.sk}),
                ScanIndexForward=forward,
                ConsistentRead=True,
                **start,
            )
            rows += map(decode, page["Items"])
            if "LastEvaluatedKey" not in page:
                return rows
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def put(self, key, entity, row):
        """Writes a row, replacing an existing one."""
        self._client.put_item(**self._write(key, entity, row))

    def claim(self, key, entity, row):
        """Writes a row that must not exist yet; returns the existing one, if any."""
        # If a response is lost, the SDK repeats the write and then finds its own row.
        claim = secrets.token_hex(16)
        try:
            self._client.put_item(
                **self._write(key, entity, row | {"claim": claim}),
                ConditionExpression=FREE,
                ExpressionAttributeValues=encode({":now": now_ms() // 1000}),
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        except ClientError as error:
            if code_of(error) != "ConditionalCheckFailedException":
                raise
            earlier = decode(error.response.get("Item", {}))
            return None if earlier.get("claim") == claim else earlier

    def hit(self, key, most, window_ms):
        """Counts a hit in a time window, which the first hit opens: one write, or two if the window is already
        open. If the window has `most` hits, returns its end in milliseconds."""
        for attempt in range(HIT_ATTEMPTS):
            now = now_ms()
            opened = self.claim(key, "window", {"hits": 1, "expiresAt": expiry(now + window_ms)})
            if opened is None:
                return None
            if opened["hits"] >= most:
                return opened["expiresAt"] * 1000
            try:
                self._client.update_item(
                    **self._place(key),
                    UpdateExpression="SET hits = hits + :one",
                    ConditionExpression="hits < :most AND expiresAt > :now",
                    ExpressionAttributeValues=encode({":one": 1, ":most": most, ":now": now // 1000}),
                )
                return None
            except ClientError as error:
                if code_of(error) != "ConditionalCheckFailedException":
                    raise
                pause(attempt)
        return now_ms() + 1000

    def insert(self, key, entity, row, meaning, free_when=None):
        """An action of a transaction that writes a row. The row must not exist yet, or must satisfy the
        condition of `free_when`."""
        condition, values = free_when or ("", {})
        put = self._write(key, entity, row) | {
            "ConditionExpression": f"{FREE} OR ({condition})" if condition else FREE,
            "ExpressionAttributeValues": encode({":now": now_ms() // 1000} | values),
        }
        return {"Put": put}, meaning

    def append(self, list_, draft):
        """Appends to a list, together with other writes, in one transaction. `draft` returns these writes and
        the value of the list member for a creation time. Returns that time."""
        appended_by = secrets.token_hex(16)
        for attempt in range(APPEND_ATTEMPTS):
            head = self.get(list_.head())
            at = max(now_ms(), head["lastAt"] if head else 0)
            n = (head["count"] if head else 0) + 1
            actions, value = draft(at)
            member = {"n": n, "value": value, "createdAt": at, "appendedBy": appended_by}
            advance = self._advance(list_, n, at) if head else self._head(list_, n, at, "moved")
            try:
                self._commit([*actions, advance, self.insert(list_.member(n), "listMember", member, "moved")])
                return at
            except ConditionFailed as failed:
                if failed.meaning != "moved":
                    raise
                pause(attempt)
        raise Problem("unavailable")

    def start(self, list_, value, at, meaning):
        """The writes of the first member of a new list, which no other writer can have started."""
        member = {"n": 1, "value": value, "createdAt": at, "appendedBy": ""}
        return [
            self._head(list_, 1, at, meaning),
            self.insert(list_.member(1), "listMember", member, meaning),
        ]

    def _head(self, list_, count, last_at, meaning):
        return self.insert(list_.head(), "listHead", {"count": count, "lastAt": last_at}, meaning)

    def _advance(self, list_, n, at):
        update = self._place(list_.head()) | {
            "UpdateExpression": "SET #count = :count, lastAt = :lastAt",
            "ConditionExpression": "#count = :before",
            "ExpressionAttributeNames": {"#count": "count"},
            "ExpressionAttributeValues": encode({":count": n, ":lastAt": at, ":before": n - 1}),
        }
        return {"Update": update}, "moved"

    def _commit(self, writes):
        try:
            self._client.transact_write_items(TransactItems=[action for action, _ in writes])
        except ClientError as error:
            if code_of(error) != "TransactionCanceledException":
                raise
            codes = [reason.get("Code") for reason in error.response.get("CancellationReasons", [])]
            for (_, meaning), code in zip(writes, codes):
                if code == "ConditionalCheckFailed":
                    raise ConditionFailed(meaning) from error
            if "TransactionConflict" in codes:
                raise ConditionFailed("moved") from error
            raise

    def _name(self, table):
        return getattr(self._settings, table)

    def _place(self, key):
        return {"TableName": self._name(key.table), "Key": encode({"pk": key.pk, "sk": key.sk})}

    def _write(self, key, entity, row):
        defaults = {"version": 1, "createdAt": now_ms()}
        item = defaults | row | {"pk": key.pk, "sk": key.sk, "entity": entity}
        return {"TableName": self._name(key.table), "Item": encode(item)}
