"""Checks the receipt of an order: that TRON's witnesses have signed what it states. Needs Python 3.9 or newer and nothing else: no node,
and no trust in the service that gave it.

python3 verify_receipt.py receipt.json witnesses.json [earlier-witnesses.json]

Signatures of post-quantum keys (`pq_auth_sig`) take a library that Python does not bring along: their headers only link the others here,
count as nobody's, and are named. `receipt:verify` verifies those of FN-DSA-512.

receipt.json is the answer of GET /api/chain/delegations/{id}/receipt; witnesses.json is {"witnesses":[{"address","isJobs",
"signing_address"}]}, from somebody you trust: see docs/customers/en/receipts.md. A second file where the witnesses changed between the headers.
"""

import datetime
import hashlib
import json
import sys
from decimal import Decimal

# secp256k1: y² = x³ + 7 modulo P, with the generator G of order N.
P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def require(condition, reason):
    if not condition:
        raise ValueError(reason)


def sha256(data):
    return hashlib.sha256(data).digest()


def verify_receipt(receipt, *files):
    """The number of witnesses that have built on the block, and what was not verified of it; or ValueError. Several files: the witnesses
    changed between the headers. Each signature must be of one of them, and the witnesses of one file must be enough."""
    sets = [{w["address"]: w["signing_address"] for w in file["witnesses"] if w.get("isJobs") is True} for file in files]
    require(receipt.get("success") is True, "this is no receipt")
    data = receipt["data"]
    block = read_header(data["header"], sets)

    # The transaction: its own bytes make the txid, all of it with signature and result is a leaf of the block's tree.
    transaction = bytes.fromhex(data["transaction"])
    require(len(transaction) != 64, "a leaf of this length could be two hashes")
    fields = read_message(transaction)
    raw = only(fields, 1)
    require(sha256(raw).hex() == data["txid"], "the txid is another one")
    root = sha256(transaction)
    for step in data["branch"]:
        beside = bytes.fromhex(step["hash"])
        require(len(beside) == 32 and step["side"] in ("left", "right"), "the branch is malformed")
        root = sha256(beside + root if step["side"] == "left" else root + beside)
    require(root == block["root"], "the transaction is not in the block")

    # What it says: DelegateResourceContract (57) of energy (1), with the result SUCCESS (1).
    require(only(read_message(only(fields, 5)), 3) == 1, "the transaction did not succeed")
    contract = read_message(only(read_message(raw), 11))
    require(only(contract, 1) == 57, "the transaction is no delegation")
    delegation = read_message(only(read_message(only(contract, 2)), 2))
    require(only(delegation, 2) == 1, "not energy was delegated")
    require(base58(only(delegation, 4)) == data["receiver_address"], "the receiver is another one")
    require(Decimal(only(delegation, 3)) / 10**6 == data["stake"], "the stake is another one")

    require(block["id"] == data["block_id"] and block["number"] == data["block_number"], "the block is another one")
    time = datetime.datetime.strptime(data["block_time"], "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=datetime.timezone.utc)
    milliseconds = (time - datetime.datetime.fromtimestamp(0, datetime.timezone.utc)) // datetime.timedelta(milliseconds=1)
    require(milliseconds == block["time"], "the block's time is another one")

    # The blocks above: each names the one below, and was signed by its witness.
    signed, parent, headers = set(), block, [block]
    for one in data["following"]:
        header = read_header(one, sets)
        require(header["parent"] == parent["id"], "a header does not follow the one before it")
        if header["scheme"] is None:
            signed.add(header["witness"])
        headers.append(header)
        parent = header
    unverified = [f"the {h['scheme']} signature of block {h['number']}" for h in headers if h["scheme"] is not None]
    # As java-tron counts: all but int(27 * (1 - 0.7)) = 8.
    counts = [(len(signed & keys.keys()), len(keys) - int(len(keys) * (1 - 0.7))) for keys in sets if keys]
    enough = [count for count, needed in counts if count >= needed]
    reason = f"as many witnesses as have built on the block, and as it takes, in each file: {counts}"
    if unverified:
        reason += f"; this program does not verify {', '.join(unverified)}"
    require(enough, reason)
    return enough[0], unverified


def read_header(signed, sets):
    """A header's fields, once its witness has signed it; `scheme` names what has signed it where that is not verified here."""
    data, scheme = bytes.fromhex(signed["bytes"]), signed.get("pq_auth_sig", {}).get("scheme")
    fields, digest = read_message(data), sha256(data)
    witness, number = only(fields, 9).hex(), only(fields, 7)
    keys = [file[witness] for file in sets if witness in file]
    require(keys, f"block {number} was made by no witness of a file")
    if scheme is None:
        signer = recover_address(digest, bytes.fromhex(signed["signature"]))
        require(signer in keys, f"block {number} is not signed by its witness")
    return {
        "scheme": scheme,
        "witness": witness,
        "number": number,
        "id": number.to_bytes(8, "big").hex() + digest[8:].hex(),
        "parent": only(fields, 3).hex(),
        "root": only(fields, 2),
        "time": only(fields, 1),
    }


def read_message(data):
    """A protobuf message of integers and bytes, by field number."""
    fields, at = {}, 0
    while at < len(data):
        tag, at = read_varint(data, at)
        value, at = read_varint(data, at)
        require(tag & 7 in (0, 2), "a field is of an unknown kind")
        if tag & 7 == 2:
            require(at + value <= len(data), "a message is cut off")
            value, at = data[at : at + value], at + value
        fields.setdefault(tag >> 3, []).append(value)
    return fields


def read_varint(data, at):
    value = 0
    for shift in range(0, 70, 7):
        require(at < len(data), "a message is cut off")
        value |= (data[at] & 0x7F) << shift
        at += 1
        if data[at - 1] < 0x80:
            return value, at
    raise ValueError("a number is too long")


def only(fields, number):
    require(len(fields.get(number, [])) == 1, f"field {number} is missing")
    return fields[number][0]


def base58(address):
    data = address + sha256(sha256(address))[:4]
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = ALPHABET[digit] + text
    return text


def recover_address(digest, signature):
    """The address whose key made this signature: 41 and the last 20 bytes of its public key's Keccak-256."""
    require(len(signature) == 65 and signature[64] in (0, 1), "a signature is malformed")
    r, s, v = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:64], "big"), signature[64]
    require(0 < r < N and 0 < s < N, "a signature is malformed")
    y = pow(r**3 + 7, (P + 1) // 4, P)
    require(y * y % P == (r**3 + 7) % P, "a signature is malformed")
    point, inverse = (r, y if y % 2 == v else P - y), pow(r, -1, N)
    x, y = add(multiply(point, s * inverse % N), multiply(G, -int.from_bytes(digest, "big") * inverse % N))
    return "41" + keccak256(x.to_bytes(32, "big") + y.to_bytes(32, "big"))[12:].hex()


def add(a, b):
    if a is None or b is None:
        return a or b
    if a[0] == b[0] and (a[1] + b[1]) % P == 0:
        return None
    slope = 3 * a[0] ** 2 * pow(2 * a[1], -1, P) if a == b else (b[1] - a[1]) * pow(b[0] - a[0], -1, P)
    x = (slope**2 - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def multiply(point, factor):
    result = None
    while factor:
        if factor & 1:
            result = add(result, point)
        point, factor = add(point, point), factor >> 1
    return result


def keccak256(data):
    """Keccak as it was before SHA3: hashlib has only the other padding. `data` is shorter than one block of 136 bytes."""
    block = bytearray(data + bytes(136 - len(data)))
    block[len(data)] ^= 0x01
    block[135] ^= 0x80
    lanes = [[int.from_bytes(block[8 * (x + 5 * y) : 8 * (x + 5 * y) + 8], "little") for y in range(5)] for x in range(5)]
    round_bits = 1
    for _ in range(24):
        columns = [a ^ b ^ c ^ d ^ e for a, b, c, d, e in lanes]
        lanes = [[lane ^ columns[x - 1] ^ rotate(columns[(x + 1) % 5], 1) for lane in lanes[x]] for x in range(5)]
        x, y, current = 1, 0, lanes[1][0]
        for t in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            current, lanes[x][y] = lanes[x][y], rotate(current, (t + 1) * (t + 2) // 2)
        lanes = [[lanes[x][y] ^ (~lanes[(x + 1) % 5][y] & lanes[(x + 2) % 5][y]) for y in range(5)] for x in range(5)]
        for j in range(7):
            round_bits = (round_bits << 1 ^ (round_bits >> 7) * 0x71) % 256
            if round_bits & 2:
                lanes[0][0] ^= 1 << (1 << j) - 1
    return b"".join(lanes[x][0].to_bytes(8, "little") for x in range(4))


def rotate(lane, bits):
    bits %= 64
    return (lane << bits | lane >> 64 - bits) % 2**64


def read_json(name):
    # Amounts exactly, as they are written. Some editors begin a file with a mark.
    with open(name, encoding="utf-8-sig") as file:
        return json.load(file, parse_float=Decimal, parse_int=int)


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: verify_receipt.py receipt.json witnesses.json [earlier-witnesses.json]")
    try:
        receipt, *witnesses = [read_json(name) for name in sys.argv[1:]]
        count, unverified = verify_receipt(receipt, *witnesses)
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"not proved: {error}")
    data = receipt["data"]
    print(f"{data['stake']} TRX of energy to {data['receiver_address']} at {data['block_time']}: {count} witnesses have built on it")
    if unverified:
        print(f"Not verified by this program: {', '.join(unverified)}")


if __name__ == "__main__":
    main()
