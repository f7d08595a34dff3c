// Exports swaps with the AWS SDK for JavaScript: the same reads of the same rows, the same columns, the
// same parts. Reads its job from the environment and prints the used resources as JSON.

import { readFileSync } from "node:fs";

import { BatchGetItemCommand, DynamoDBClient, QueryCommand } from "@aws-sdk/client-dynamodb";
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { stringify } from "csv-stringify";

const job = JSON.parse(process.env.JOB);
const PART = 5 * 1024 * 1024;
const common = {
  region: "us-east-1",
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
};
const dynamodb = new DynamoDBClient({ ...common, endpoint: job.dynamodb });
const s3 = new S3Client({
  ...common,
  endpoint: job.s3,
  forcePathStyle: true,
  requestChecksumCalculation: "WHEN_REQUIRED",
});

const TOP = [
  "id", "type", "createdAt", "updatedAt", "status", "txId", "intentTxHash", "spokeTxHash",
  "srcChain", "dstChain", "userAddress", "tradingAddress", "withdrawTo",
];
const INTENT = ["inputToken", "outputToken", "inputAmount", "minOutputAmount"];
const END = ["fillTxHash", "failedAtStep", "failureReason"];

const usage = () => {
  const { user, system } = process.cpuUsage();
  // Not maxRSS, which includes the parent process's peak.
  const [, peak] = /^VmHWM:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "ascii"));
  return { cpu: (user + system) / 1e6, peak: Number(peak) };
};
const inert = (text) =>
  /^[=+\-@\t\r\n]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
const cells = (row) => {
  const values = TOP.map((name) => row[name]);
  values[2] = new Date(values[2]).toISOString();
  values[3] = new Date(values[3]).toISOString();
  values.push(...INTENT.map((name) => row.intent[name]), ...END.map((name) => row[name]));
  return values.map((value) => (value === undefined || value === null ? "" : inert(String(value))));
};
const stringifier = stringify({ record_delimiter: "windows" });
// One stringifier for all rows; what a row adds can be read right after it.
const format = (row) => {
  stringifier.write(row);
  return stringifier.read();
};

const before = usage();
const place = { Bucket: job.bucket, Key: job.key };
place.UploadId = (await s3.send(new CreateMultipartUploadCommand(place))).UploadId;
const parts = [];
let rows = 0;
let sent = 0;
let sheet = [format([...TOP, ...INTENT, ...END])];
let length = sheet[0].length;
const send = async () => {
  const Body = Buffer.concat(sheet);
  const PartNumber = parts.length + 1;
  const { ETag } = await s3.send(new UploadPartCommand({ ...place, PartNumber, Body }));
  parts.push({ PartNumber, ETag });
  sent += length;
  [sheet, length] = [[], 0];
};
const number = (n) => ({ S: String(n).padStart(12, "0") });
for (let low = 1; low <= job.count; low += 100) {
  const high = Math.min(low + 99, job.count);
  const { Items } = await dynamodb.send(
    new QueryCommand({
      TableName: job.table,
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :low AND :high",
      ExpressionAttributeValues: { ":pk": { S: job.list }, ":low": number(low), ":high": number(high) },
      ConsistentRead: true,
    }),
  );
  const wanted = Items.map((member) => member.value.M.swap.M).map((swap) => ({
    pk: { S: `xchain#intent#${swap.intent.S}` },
    sk: { S: `account#${swap.account.S}` },
  }));
  const found = new Map();
  let left = { [job.table]: { Keys: wanted, ConsistentRead: true } };
  while (Object.keys(left).length > 0) {
    const answer = await dynamodb.send(new BatchGetItemCommand({ RequestItems: left }));
    for (const item of answer.Responses[job.table] ?? []) found.set(item.pk.S, item);
    left = answer.UnprocessedKeys ?? {};
  }
  for (const { pk } of wanted) {
    const row = format(cells(unmarshall(found.get(pk.S), { wrapNumbers: false })));
    sheet.push(row);
    length += row.length;
    rows += 1;
    if (length >= PART) await send();
  }
}
if (length > 0) await send();
await s3.send(new CompleteMultipartUploadCommand({ ...place, MultipartUpload: { Parts: parts } }));
const after = usage();
console.log(
  JSON.stringify({
    rows,
    bytes: sent,
    cpuSeconds: after.cpu - before.cpu,
    peakKib: after.peak,
    beforeKib: before.peak,
  }),
);
