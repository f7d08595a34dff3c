"""Exports swaps with boto3: the same reads of the same rows, the same columns, the same parts. Reads its job
from the environment and prints the used resources as JSON."""

import csv
import io
import json
import os
import resource
from datetime import datetime, timezone

import boto3
from boto3.dynamodb.types import TypeDeserializer
from botocore.config import Config

job = json.loads(os.environ["JOB"])
PART = 5 * 1024 * 1024
keys = {"aws_access_key_id": "test", "aws_secret_access_key": "test", "region_name": "us-east-1"}
dynamodb = boto3.client("dynamodb", endpoint_url=job["dynamodb"], **keys)
path_style = Config(s3={"addressing_style": "path"}, request_checksum_calculation="when_required")
s3 = boto3.client("s3", endpoint_url=job["s3"], config=path_style, **keys)
plain = TypeDeserializer().deserialize

TOP = ["id", "type", "createdAt", "updatedAt", "status", "txId", "intentTxHash", "spokeTxHash",
       "srcChain", "dstChain", "userAddress", "tradingAddress", "withdrawTo"]
INTENT = ["inputToken", "outputToken", "inputAmount", "minOutputAmount"]
END = ["fillTxHash", "failedAtStep", "failureReason"]


def usage():
    used = resource.getrusage(resource.RUSAGE_SELF)
    # Not ru_maxrss, which includes the parent process's peak.
    with open("/proc/self/status", encoding="ascii") as status:
        peak = next(line.split()[1] for line in status if line.startswith("VmHWM:"))
    return used.ru_utime + used.ru_stime, int(peak)


def in_utc(ms):
    moment = datetime.fromtimestamp(int(ms) / 1000, timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{int(ms) % 1000:03}Z"


def inert(text):
    if text[:1] in ("=", "+", "-", "@", "\t", "\r", "\n") and text:
        number = text.lstrip("+-").replace(".", "", 1).isdigit()
        return text if number else "'" + text
    return text


def cells(row):
    values = [row.get(name) for name in TOP]
    values[2], values[3] = in_utc(values[2]), in_utc(values[3])
    values += [row["intent"].get(name) for name in INTENT] + [row.get(name) for name in END]
    return ["" if value is None else inert(str(value)) for value in values]


before = usage()
upload = s3.create_multipart_upload(Bucket=job["bucket"], Key=job["key"])["UploadId"]
place = {"Bucket": job["bucket"], "Key": job["key"], "UploadId": upload}
parts, rows, sent = [], 0, 0


def send():
    global sheet, writer, sent
    body = sheet.getvalue().encode()
    sent += len(body)
    number = len(parts) + 1
    part = s3.upload_part(PartNumber=number, Body=body, **place)
    parts.append({"PartNumber": number, "ETag": part["ETag"]})
    sheet = io.StringIO()
    writer = csv.writer(sheet)


sheet = io.StringIO()
writer = csv.writer(sheet)
writer.writerow(TOP + INTENT + END)
for low in range(1, job["count"] + 1, 100):
    high = min(low + 99, job["count"])
    members = dynamodb.query(
        TableName=job["table"],
        KeyConditionExpression="pk = :pk AND sk BETWEEN :low AND :high",
        ExpressionAttributeValues={":pk": {"S": job["list"]}, ":low": {"S": f"{low:012}"},
                                   ":high": {"S": f"{high:012}"}},
        ConsistentRead=True)["Items"]
    swaps = [member["value"]["M"]["swap"]["M"] for member in members]
    wanted = [{"pk": {"S": f"xchain#intent#{swap['intent']['S']}"},
               "sk": {"S": f"account#{swap['account']['S']}"}} for swap in swaps]
    found, left = {}, {job["table"]: {"Keys": wanted, "ConsistentRead": True}}
    while left:
        answer = dynamodb.batch_get_item(RequestItems=left)
        for item in answer["Responses"].get(job["table"], []):
            found[item["pk"]["S"]] = item
        left = answer["UnprocessedKeys"]
    for key in wanted:
        item = {name: plain(value) for name, value in found[key["pk"]["S"]].items()}
        writer.writerow(cells(item))
        rows += 1
        # All characters are ASCII, so the position equals the number of bytes.
        if sheet.tell() >= PART:
            send()
if sheet.tell():
    send()
s3.complete_multipart_upload(MultipartUpload={"Parts": parts}, **place)
after = usage()
print(json.dumps({"rows": rows, "bytes": sent, "cpuSeconds": after[0] - before[0],
                  "peakKib": after[1], "beforeKib": before[1]}))
