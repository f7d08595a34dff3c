/** DynamoDB: the reads and writes of `shared/store`, with the same conditions. */

import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";

import { Problem } from "./problems.mjs";

/** The condition that a key is free: no row exists, or its `expiresAt` has passed. */
const FREE = "attribute_not_exists(pk) OR expiresAt <= :now";
/** The number of attempts to count a hit if writes conflict. */
const HIT_ATTEMPTS = 8;
/** The number of attempts to append to a busy list. */
const APPEND_ATTEMPTS = 40;

const seconds = (ms) => Math.floor(ms / 1000);
/** Seconds since the epoch, rounded up: the unit of DynamoDB's TTL. */
export const expiry = (ms) => Math.ceil(ms / 1000);

const pause = (attempt) => sleep(Math.random() * Math.min(8 * 2 ** attempt, 400));

/** A condition of a transaction failed; `meaning` names the reason. */
export class ConditionFailed extends Error {
  constructor(meaning) {
    super(meaning);
    this.meaning = meaning;
  }
}

export class Store {
  #tables;
  #client = DynamoDBDocumentClient.from(new DynamoDBClient());

  constructor(settings) {
    this.#tables = settings;
  }

  /** Reads a row with strong consistency. */
  async get(key) {
    const { Item } = await this.#client.send(
      new GetCommand({ ...this.#place(key), ConsistentRead: true }),
    );
    return Item;
  }

  /** Reads the rows from one key to another in one partition, both included, with strong consistency. */
  async range(low, high, forward) {
    const rows = [];
    let from;
    do {
      const page = await this.#client.send(
        new QueryCommand({
          TableName: this.#tables[low.table],
          KeyConditionExpression: "pk = :pk AND sk BETWEEN :low AND :high",
          ExpressionAttributeValues: { ":pk": low.pk, ":low": low.sk, ":high": high.sk },
          ScanIndexForward: forward,
          ConsistentRead: true,
          ExclusiveStartKey: from,
        }),
      );
      rows.push(...page.Items);
      from = page.LastEvaluatedKey;
    } while (from);
    return rows;
  }

  /** Writes a row, replacing an existing one. */
  async put(key, entity, row) {
    await this.#client.send(new PutCommand(this.#write(key, entity, row)));
  }

  /** Writes a row that must not exist yet; returns the existing one, if any. */
  async claim(key, entity, row) {
    // If a response is lost, the SDK repeats the write and then finds its own row.
    const claim = randomBytes(16).toString("hex");
    try {
      await this.#client.send(
        new PutCommand({
          ...this.#write(key, entity, { ...row, claim }),
          ConditionExpression: FREE,
          ExpressionAttributeValues: { ":now": seconds(Date.now()) },
          ReturnValuesOnConditionCheckFailure: "ALL_OLD",
        }),
      );
      return undefined;
    } catch (error) {
      if (error.name !== "ConditionalCheckFailedException") throw error;
      const earlier = unmarshall(error.Item ?? {});
      return earlier.claim === claim ? undefined : earlier;
    }
  }

  /** Counts a hit in a time window, which the first hit opens: one write, or two if the window is already
   * open. If the window has `most` hits, returns its end in milliseconds. */
  async hit(key, most, windowMs) {
    for (let attempt = 0; attempt < HIT_ATTEMPTS; attempt += 1) {
      const now = Date.now();
      const open = await this.claim(key, "window", { hits: 1, expiresAt: expiry(now + windowMs) });
      if (!open) return undefined;
      if (open.hits >= most) return open.expiresAt * 1000;
      try {
        await this.#client.send(
          new UpdateCommand({
            ...this.#place(key),
            UpdateExpression: "SET hits = hits + :one",
            ConditionExpression: "hits < :most AND expiresAt > :now",
            ExpressionAttributeValues: { ":one": 1, ":most": most, ":now": seconds(now) },
          }),
        );
        return undefined;
      } catch (error) {
        if (error.name !== "ConditionalCheckFailedException") throw error;
        await pause(attempt);
      }
    }
    return Date.now() + 1000;
  }

  /** An action of a transaction that writes a row. The row must not exist yet, or must satisfy the condition
   * of `freeWhen`. */
  insert(key, entity, row, meaning, freeWhen) {
    return {
      meaning,
      action: {
        Put: {
          ...this.#write(key, entity, row),
          ConditionExpression: freeWhen ? `${FREE} OR (${freeWhen.condition})` : FREE,
          ExpressionAttributeValues: { ":now": seconds(Date.now()), ...freeWhen?.values },
        },
      },
    };
  }

  /** Appends to a list, together with other writes, in one transaction. `draft` returns these writes and the
   * value of the list member for a creation time. Returns that time. */
  async append(list, draft) {
    const appendedBy = randomBytes(16).toString("hex");
    for (let attempt = 0; attempt < APPEND_ATTEMPTS; attempt += 1) {
      const head = await this.get(list.head);
      const at = Math.max(Date.now(), head?.lastAt ?? 0);
      const n = (head?.count ?? 0) + 1;
      const { actions, value } = draft(at);
      const member = { n, value, createdAt: at, appendedBy };
      try {
        await this.#commit([
          ...actions,
          head ? this.#advance(list.head, head.count, n, at) : this.#head(list.head, n, at, "moved"),
          this.insert(list.member(n), "listMember", member, "moved"),
        ]);
        return at;
      } catch (error) {
        if (!(error instanceof ConditionFailed) || error.meaning !== "moved") throw error;
        await pause(attempt);
      }
    }
    throw new Problem("unavailable");
  }

  /** The writes of the first member of a new list, which no other writer can have started. */
  start(list, value, at, meaning) {
    const member = { n: 1, value, createdAt: at, appendedBy: "" };
    return [
      this.#head(list.head, 1, at, meaning),
      this.insert(list.member(1), "listMember", member, meaning),
    ];
  }

  #head(key, count, lastAt, meaning) {
    return this.insert(key, "listHead", { count, lastAt }, meaning);
  }

  #advance(key, before, count, lastAt) {
    return {
      meaning: "moved",
      action: {
        Update: {
          ...this.#place(key),
          UpdateExpression: "SET #count = :count, lastAt = :lastAt",
          ConditionExpression: "#count = :before",
          ExpressionAttributeNames: { "#count": "count" },
          ExpressionAttributeValues: { ":count": count, ":lastAt": lastAt, ":before": before },
        },
      },
    };
  }

  async #commit(writes) {
    const TransactItems = writes.map(({ action }) => action);
    try {
      await this.#client.send(new TransactWriteCommand({ TransactItems }));
    } catch (error) {
      if (error.name !== "TransactionCanceledException") throw error;
      const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code);
      const failed = codes.indexOf("ConditionalCheckFailed");
      if (failed >= 0) throw new ConditionFailed(writes[failed].meaning);
      if (codes.includes("TransactionConflict")) throw new ConditionFailed("moved");
      throw error;
    }
  }

  #place({ table, pk, sk }) {
    return { TableName: this.#tables[table], Key: { pk, sk } };
  }

  #write({ table, pk, sk }, entity, row) {
    const Item = { version: 1, createdAt: Date.now(), ...row, pk, sk, entity };
    return { TableName: this.#tables[table], Item };
  }
}
