"""Recomputes a virtual mint from the Bitcoin chain, compares it with the payouts there, and names the first difference.
It follows docs/guides/verify-a-mint.md, and shares no code with the service or its client."""

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from heapq import heappop, heappush
from itertools import zip_longest
from pathlib import Path
from urllib import error, request

# The script of a trading wallet ends in the service's key, or a delay after which the user signs alone.
TRADING = re.compile(r"(?:21[0-9a-f]{66}ad|2102([0-9a-f]{64})ac642103\1ad68)21(0[23][0-9a-f]{64})ac736402a032b268")
MARGIN_MS, DEPTH = 2 * 3_600_000, 7  # Block times may be two hours off.


def expect(txid, height, expected, found):
    if expected != found:
        sys.exit(f"DIFFERENCE in transaction {txid}, block {height}: expected {expected}, found {found}")


def fetch(place):
    """The JSON of a file or an address; None if the server does not know it."""
    try:
        with request.urlopen(place if "://" in place else Path(place).absolute().as_uri(), timeout=60) as answer:
            return json.load(answer)
    except error.HTTPError as problem:
        if problem.code != 404:
            raise


def rows_of(place, sort):
    """All rows of a list of the service; a file has them on one page."""
    address = f"{place}{'&' if '?' in place else '?'}sort={sort}&pageSize=100&page="
    first = fetch(f"{address}1" if "://" in place else place)
    more = range(2, first["metaData"]["totalPages"] + 1) if "://" in place else []
    return first["data"] + [row for page in more for row in fetch(f"{address}{page}")["data"]]


def history(esplora, address, since):
    """The transactions of an address in blocks since a time in ms, in the order of the chain, each with its place there."""
    found, places, last = [], {}, ""
    while page := fetch(f"{esplora}/address/{address}/txs/chain{last}"):
        found += [tx for tx in page if tx["status"]["block_time"] * 1000 >= since]
        if (oldest := page[-1])["status"]["block_time"] * 1000 < since:
            break
        last = f"/{oldest['txid']}"
    for height, block in {(tx["status"]["block_height"], tx["status"]["block_hash"]) for tx in found}:
        places |= {txid: (height, position) for position, txid in enumerate(fetch(f"{esplora}/block/{block}/txids"))}
    for tx in found:
        tx["from"] = {(coin["prevout"] or {}).get("scriptpubkey_address") for coin in tx["vin"]}
    return sorted((places[txid], tx) for txid, tx in {tx["txid"]: tx for tx in found}.items())


def paying(tx, address):
    return [(vout, out["value"]) for vout, out in enumerate(tx["vout"]) if out.get("scriptpubkey_address") == address]


def cosigners(tx):
    """The keys with which services have signed for trading wallets."""
    return {key[2] for coin in tx["vin"] if (signed := coin.get("witness")) and (key := TRADING.fullmatch(signed[-1])) and signed[0]}


def rune_payments(tx, rune):
    """(address, amount) for each output to which edicts give units of a rune. A malformed message gives nothing."""
    script = next((bytes.fromhex(out["scriptpubkey"]) for out in tx["vout"] if out["scriptpubkey"].startswith("6a5d")), b"")
    numbers, value, shift, at, given, block, index = [], 0, 0, 2, Counter(), 0, 0
    while at < len(script):
        width = max(0, script[at] - 0x4B)  # The bytes of the length, after the opcode; none if the opcode is it.
        size = int.from_bytes(script[at + 1:at + 1 + width], "little") if width else script[at]
        for byte in script[at + 1 + width:at + 1 + width + size]:
            value, shift = value | (byte & 0x7F) << shift, shift + 7
            if byte < 0x80:
                numbers, value, shift = numbers + [value], 0, 0
        at += 1 + width + size
    numbers = numbers[2:] if numbers[:1] == [22] else numbers  # Where runes go that no edict moves.
    if numbers[:1] == [0] and len(numbers) % 4 == 1:
        for blocks, indexes, amount, output in zip(*[iter(numbers[1:])] * 4):
            block, index = block + blocks, indexes if blocks else index + indexes
            for vout in range(len(tx["vout"])) if output == len(tx["vout"]) else [output]:
                given[vout] += amount * (f"{block}:{index}" == rune)
    return [(address, given[vout]) for vout, out in enumerate(tx["vout"]) if (address := out.get("scriptpubkey_address")) and given[vout]]


def read_batches(terms, rows, payments, is_elsewhere):
    """The batches in the chain, in its order, with the prices that the service lists."""
    by_id = {row["txId"]: row for row in rows if row["mintId"] == terms["id"]}
    keys, batches = set().union(*(cosigners(tx) for _, tx in payments if tx["txid"] in by_id)), []
    for place, tx in payments:
        txid, height, paid, bids = tx["txid"], place[0], paying(tx, terms["treasuryAddress"]), []
        if txid not in by_id:
            if cosigners(tx) & keys and not is_elsewhere(txid):
                expect(txid, height, f"a listed batch, since the service has signed this payment of {paid[0][1]} sats", "none")
            continue
        earlier = row = by_id[txid]
        while earlier and len(bids) <= 20:
            bids.insert(0, (earlier["satsNewRequests"] // earlier["satsPerNewRequest"], earlier["satsPerNewRequest"]))
            earlier = by_id.get(earlier["replaceTxId"])
        before = [sum(n for n, _ in bids[:-1]), sum(n * price for n, price in bids[:-1])]
        listed = [row["replacedRequestsCount"], row["satsPreviousRequests"], before[1] + row["satsNewRequests"]]
        expect(txid, height, listed, before + [sats for _, sats in paid])
        expect(txid, height, [], [bid for bid in bids if not 0 < bid[0] <= terms["totalRequests"] or bid[1] < terms["minSatsPerRequest"]])
        expect(txid, height, {row["tradingAddress"]}, tx["from"])
        batches.append({"txid": txid, "vout": paid[0][0], "place": place, "bids": bids, "to": row["tradingAddress"],
                        "taken": [0] * len(bids), "row": row, "moved": False, "sent": False, "refunded": False})
    for txid in sorted(by_id.keys() - {batch["txid"] for batch in batches}):
        expect(txid, None, f"a payment of {by_id[txid]['paidSats']} sats in a block" if by_id[txid]["paidSats"] else "none", "none")
    return batches


def fill(terms, batches, last):
    """Fills the virtual blocks up to a height; returns them, and the height at which the last request is taken."""
    arrivals, waiting, blocks, left = defaultdict(list), [], [], terms["totalRequests"]
    for batch in batches:
        arrivals[batch["place"][0]] += [(-bid[1], batch["place"], number, batch) for number, bid in enumerate(batch["bids"])]
    for height in range(min(arrivals, default=last + 1), last + 1):
        for bid in arrivals[height]:
            heappush(waiting, bid)
        room, taken = min(terms["requestsPerBlock"], left), []
        while room and waiting:
            price, _, number, batch = waiting[0]
            count = min(room, batch["bids"][number][0] - batch["taken"][number])
            batch["taken"][number] += count
            room, left, taken = room - count, left - count, taken + [(-price, count, batch["txid"])]
            if batch["taken"][number] == batch["bids"][number][0]:
                heappop(waiting)
        if taken:
            count, prices = sum(n for _, n, _ in taken), [price for price, _, _ in taken]
            blocks.append({"height": height, "requests": count, "batches": len({txid for _, _, txid in taken}), "lowestPrice": min(prices),
                           "averagePrice": sum(price * n for price, n, _ in taken) // count, "highestPrice": max(prices)})
        if not left:
            return blocks, height
    return blocks, None


def check_payouts(terms, batches, spending, sending):
    """Transfers and refunds spend what batches have paid the treasury; distributions send runes from the pool."""
    owners, unsent = {(batch["txid"], batch["vout"]): [batch] for batch in batches}, defaultdict(list)
    for (height, _), tx in spending:
        txid, coins = tx["txid"], [coin for spent in tx["vin"] if (coin := (spent["txid"], spent["vout"])) in owners]
        proceeds, back = sum(sats for _, sats in paying(tx, terms["proceedsAddress"])), paying(tx, terms["treasuryAddress"])
        ours, to = [owners[coin][0] for coin in coins], {out.get("scriptpubkey_address") for out in tx["vout"]}
        expect(txid, height, [], coins if terms["state"] == "open" else [])
        if ours and (proceeds or back):
            due = [sum(batch["kept"] for batch in ours), *sorted(batch["rest"] for batch in ours if batch["rest"])]
            expect(txid, height, due, [proceeds, *sorted(sats for _, sats in back)])
            for batch in ours:
                expect(txid, height, (True, False), (batch["runes"] > 0, batch["moved"]))
                batch["moved"] = True
            owners |= {(txid, vout): [batch for batch in ours if batch["rest"] == sats] for vout, sats in back}
        for found in [owners[coin] for coin in coins] if not proceeds and not back else []:
            batch = next((one for one in found if {one["to"]} == to and not one["refunded"]), found[0])
            expect(txid, height, {batch["to"]}, to)
            expect(txid, height, (batch["runes"] > 0, False), (batch["moved"], batch["refunded"]))
            batch["refunded"] = True
    for batch in (batch for batch in batches if batch["runes"]):
        unsent[batch["to"]].append(batch)
    for (height, _), tx in sending:
        paid = [(to, amount) for to, amount in rune_payments(tx, terms["runeId"]) if to != terms["poolAddress"]]
        is_ours = any(amount == one["runes"] and not one["sent"] for to, amount in paid for one in unsent[to])
        for to, amount in paid:
            waiting = [one for one in unsent[to] if not one["sent"]]
            right = next((one for one in waiting if one["runes"] == amount), None)
            if right:
                right["sent"] = True
            elif waiting or is_ours:  # The pool also pays for other mints.
                expect(tx["txid"], height, f"{[one['runes'] for one in waiting]} units to {to}", f"{amount} units to {to}")
    for batch in batches if terms["state"] == "distributed" else []:
        expect(batch["txid"], batch["place"][0], (batch["runes"] > 0,) * 2, (batch["moved"], batch["sent"]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mint", help="address or file of a mint, as GET /api/vm-transactions/mints/{id} answers")
    parser.add_argument("esplora", help="address of any server with the Esplora API")
    parser.add_argument("--bids", help="address or file of its batches, as GET /api/vm-transactions?mintId_eq={id} lists them")
    parser.add_argument("--claims", help="address or file of its virtual blocks, as GET /api/vm-transactions/mints/{id}/blocks lists them")
    given = parser.parse_args()
    terms, esplora, service = fetch(given.mint)["data"], given.esplora.rstrip("/"), given.mint.split("/mints/")[0]
    is_over, tip = terms["state"] in ("mintedOut", "distributed"), fetch(f"{esplora}/blocks/tip/height")
    treasury, pool = (history(esplora, terms[name], terms["createdAt"] - MARGIN_MS) for name in ("treasuryAddress", "poolAddress"))
    payments, spending = ([one for one in treasury if (terms["treasuryAddress"] in one[1]["from"]) == spends] for spends in (False, True))
    rows = rows_of(given.bids or f"{service}?mintId_eq={terms['id']}", "timestamp")
    is_elsewhere = lambda txid: any(row["txId"] == txid for row in rows) or "://" in service and fetch(f"{service}/{txid}")
    batches = read_batches(terms, rows, payments, is_elsewhere)
    blocks, minted_out = fill(terms, batches, tip)
    claimed = [{name: block[name] for name in block if name not in ("id", "final")} for block in rows_of(given.claims, "height")] if given.claims else blocks
    for pair in zip_longest(*([block for block in found if block["height"] <= tip - DEPTH + 1] for found in (blocks, claimed))):
        expect(None, min(block["height"] for block in pair if block), *pair)
    expect(None, minted_out, is_over, is_over and (minted_out or tip) <= tip - DEPTH + 1)  # It has ended, and was full seven blocks deep.
    for batch in batches:
        taken = batch["taken"] if is_over else [0] * len(batch["bids"])
        expect(batch["txid"], batch["place"][0], sum(taken), batch["row"]["requestsInBlocksCount"] if is_over else 0)
        batch["runes"], batch["kept"] = sum(taken) * int(terms["tokensPerRequest"]), sum(n * bid[1] for n, bid in zip(taken, batch["bids"]))
        batch["rest"] = sum(n * price for n, price in batch["bids"]) - batch["kept"]
    check_payouts(terms, batches, spending, [one for one in pool if terms["poolAddress"] in one[1]["from"]])
    print(json.dumps({"blocks": blocks, "fills": {batch["txid"]: batch["taken"] for batch in batches}}))
