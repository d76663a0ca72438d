import { headerBytes, headerHash, idOfBytes, unknownFields } from '../proof/block-id';
import { type BlockTransactions, hashTransactions } from '../proof/block-transactions';
import { normalized, signerOf } from '../proof/witness-signature';
import { NodeUnavailableError } from './node-errors';

export interface BlockHeader {
  readonly number: number;
  readonly id: string;
  readonly parentId: string;
  readonly timeMs: number;
  /** The witness that it names, `41…` in lower-case hex; null when it names none. */
  readonly witness: string | null;
  /** The address of the key that signed it; null when nobody has, or when its id cannot be computed from its fields. */
  readonly signer: string | null;
  /** The bytes that were signed, with the signature; null as the signer is. */
  readonly signed: SignedHeader | null;
}

export interface SignedHeader {
  /** protocol.BlockHeader.raw */
  readonly bytes: Buffer;
  /** r, s and v, which is 0 or 1. */
  readonly signature: Buffer;
}

export interface Block extends BlockHeader, BlockBody {}

/** The transactions of a block. */
export interface BlockBody {
  /** By txid: the account whose each is, in hex. */
  readonly owners: ReadonlyMap<string, string>;
  /** What proves each of them; null when the root proves none (`CHAIN_PROOF=nodes`), or nobody looked. */
  readonly transactions: BlockTransactions | null;
}

/** A block as a node shows it: its header is proved, its transactions may not be the ones that the header names. */
export interface ShownBlock {
  readonly header: BlockHeader;
  /** Null when they do not hash to the header's root. */
  readonly body: BlockBody | null;
  /** Then: equal for equal lists of transactions. */
  readonly list: string;
}

/** A node's answer about a block is impossible. Nothing is concluded from it, and another node is asked. */
export class DoubtfulBlockError extends NodeUnavailableError {
  constructor(reason: string) {
    super(reason);
    this.name = 'DoubtfulBlockError';
  }
}

type Json = Record<string, unknown>;
interface JsonTransaction {
  readonly txID?: unknown;
  /** Always of one contract. */
  readonly raw_data?: { contract?: { parameter?: { value?: { owner_address?: unknown } } }[] };
}

const HASH = /^[0-9a-f]{64}$/;
const EMPTY_ROOT = '0'.repeat(64);
const ADDRESS = /^41[0-9a-f]{40}$/;

/**
 * @param believe the id that comes with it, although the fields do not make it (`CHAIN_PROOF=nodes`)
 * @throws DoubtfulBlockError
 */
export function readHeader(json: Json, believe = false): BlockHeader {
  const raw = headerOf(json);
  const id = hash(json['blockID'], 'the id');
  // The node leaves zeros out: the genesis block has no number and, on some chains, no time.
  const number = integer(raw['number'] ?? 0, 'the height');
  const timeMs = integer(raw['timestamp'] ?? 0, `the time of block ${number}`);
  if (number > 0 && timeMs === 0) throw new DoubtfulBlockError(`block ${number} has no time`);
  const parentId = hash(raw['parentHash'], `the parent of block ${number}`);
  const address = typeof raw['witness_address'] === 'string' ? raw['witness_address'].toLowerCase() : '';
  const header = { number, id, parentId, timeMs, witness: ADDRESS.test(address) ? address : null };
  // Nobody signs the genesis block; with fields that a later release has added, there is nothing that a signature could be compared with.
  if (number === 0 || believe || unknownFields(raw).length > 0) return { ...header, signer: null, signed: null };
  const bytes = headerBytes(raw);
  if (!bytes || idOfBytes(BigInt(number), bytes) !== id)
    throw new DoubtfulBlockError(`block ${number} does not match its id ${id}`);
  const { witness_signature: signature } = json['block_header'] as Json;
  const signer = signerOf(headerHash(bytes), signature);
  return { ...header, signer, signed: signer === null ? null : { bytes, signature: normalized(signature as string) } };
}

/** A block with its transactions. As `readHeader`; with `believe`, transactions that cannot be encoded are those that the node lists. */
export function readBlock(json: Json, believe = false): ShownBlock {
  const header = readHeader(json, believe);
  const { transactions = [] } = json;
  const root = headerOf(json)['txTrieRoot'] ?? EMPTY_ROOT;
  if (!Array.isArray(transactions) || typeof root !== 'string')
    throw new DoubtfulBlockError(`block ${header.number} has no list of transactions`);
  const list = transactions as JsonTransaction[];
  const owners = list.map(ownerOf);
  const hashed = hashTransactions(transactions as Json[]);
  if (hashed?.root === root.toLowerCase()) {
    const byTxId = new Map(hashed.txIds.map((txId, at) => [txId, owners[at]!]));
    return { header, body: { owners: byTxId, transactions: hashed }, list: '' };
  }
  // A list that was left out looks like an empty one; the root shows the difference.
  const isCredible = believe && transactions.length > 0 && root !== EMPTY_ROOT;
  const what = `a txid of block ${header.number}`;
  const listed = (): ReadonlyMap<string, string> =>
    new Map(list.map(({ txID }, at) => [hash(txID, what), owners[at]!]));
  const body = isCredible ? { owners: listed(), transactions: null } : null;
  return { header, body, list: JSON.stringify(transactions, asText) };
}

/** Empty when it is not said: not every kind of contract has an owner there. */
function ownerOf({ raw_data: raw }: JsonTransaction): string {
  const owner = raw?.contract?.[0]?.parameter?.value?.owner_address;
  return typeof owner === 'string' ? owner.toLowerCase() : '';
}

/** @throws DoubtfulBlockError */
export function headerOf(json: Json): Json {
  const raw = (json['block_header'] as { raw_data?: Json } | undefined)?.raw_data;
  if (!raw || typeof raw !== 'object') throw new DoubtfulBlockError('the answer holds no block');
  return raw;
}

function hash(value: unknown, what: string): string {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (!HASH.test(text)) throw new DoubtfulBlockError(`${what} is no hash`);
  return text;
}

function integer(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new DoubtfulBlockError(`${what} is no number`);
  return value as number;
}

function asText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
