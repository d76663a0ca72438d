import { createHash } from 'node:crypto';
import { utils } from 'tronweb';
import type { Answer } from './chain.fixture';

/** The formulas of `test/conformance/blocks/README.md`, on nothing but a block's JSON; shares no line with the chain that made it. */
const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}
const numberField = (number: number, value = 0): Buffer =>
  value === 0 ? Buffer.alloc(0) : Buffer.concat([varint(number << 3), varint(value)]);
const bytesField = (number: number, value: Buffer | undefined): Buffer =>
  value ? Buffer.concat([varint((number << 3) | 2), varint(value.length), value]) : Buffer.alloc(0);
const hexField = (number: number, hex: string | undefined): Buffer =>
  bytesField(number, hex === undefined ? undefined : Buffer.from(hex, 'hex'));

const headerBytes = (raw: Answer): Buffer =>
  Buffer.concat([
    numberField(1, raw['timestamp']),
    hexField(2, raw['txTrieRoot']),
    hexField(3, raw['parentHash']),
    numberField(7, raw['number']),
    numberField(8, raw['witness_id']),
    hexField(9, raw['witness_address']),
    numberField(10, raw['version']),
    hexField(11, raw['accountStateRoot']),
  ]);

export function blockIdOf(block: Answer): string {
  const raw = block['block_header'].raw_data as Answer;
  const height = Number(raw['number'] ?? 0);
  return height.toString(16).padStart(16, '0') + sha256(headerBytes(raw)).toString('hex', 8);
}

/** The address that signed the header. */
export function blockSignerOf(block: Answer): string {
  const { raw_data: raw, witness_signature: signature } = block['block_header'] as Answer;
  const [rs, v] = [signature.slice(0, 128), parseInt(signature.slice(128), 16)];
  const hash = sha256(headerBytes(raw)).toString('hex');
  return utils.crypto.ecRecover(hash, rs + (v < 27 ? v + 27 : v).toString(16)).toLowerCase();
}

const RESULTS: Record<string, number> = { SUCCESS: 1, REVERT: 2, OUT_OF_ENERGY: 10, ILLEGAL_OPERATION: 8 };

const SCHEMES: Record<string, number> = { FN_DSA_512: 1, ML_DSA_44: 2 };

const transactionBytes = (tx: Answer): Buffer =>
  Buffer.concat([
    hexField(1, tx['raw_data_hex']),
    ...((tx['signature'] ?? []) as string[]).map((signature) => hexField(2, signature)),
    ...((tx['ret'] ?? []) as Answer[]).map((ret) =>
      bytesField(5, Buffer.concat([numberField(1, ret['fee']), numberField(3, RESULTS[ret['contractRet']])])),
    ),
    ...((tx['pq_auth_sig'] ?? []) as Answer[]).map((one) =>
      bytesField(
        6,
        Buffer.concat([
          numberField(1, SCHEMES[one['scheme']]),
          hexField(2, one['public_key']),
          hexField(3, one['signature']),
        ]),
      ),
    ),
  ]);

export function transactionRootOf(block: Answer): string {
  let level = ((block['transactions'] ?? []) as Answer[]).map((tx) => sha256(transactionBytes(tx)));
  if (level.length === 0) return '00'.repeat(32);
  while (level.length > 1) {
    const pairs: Buffer[] = [];
    for (let i = 0; i < level.length; i += 2)
      pairs.push(level[i + 1] ? sha256(Buffer.concat([level[i]!, level[i + 1]!])) : level[i]!);
    level = pairs;
  }
  return level[0]!.toString('hex');
}
