import { blockIdOf, unknownFields } from '../proof/block-id';
import { NodeUnavailableError } from './node-errors';

export interface BlockHeader {
  readonly number: number;
  readonly id: string;
  readonly parentId: string;
  readonly timeMs: number;
  /** The id computed from the header's fields is the id in the answer. */
  readonly proved: boolean;
}

export interface Block extends BlockHeader {
  readonly txIds: ReadonlySet<string>;
}

/** A node's answer about a block is impossible. Nothing is concluded from it, and another node is asked. */
export class DoubtfulBlockError extends NodeUnavailableError {
  constructor(reason: string) {
    super(reason);
    this.name = 'DoubtfulBlockError';
  }
}

type Json = Record<string, unknown>;

const HASH = /^[0-9a-f]{64}$/;
const EMPTY_ROOT = '0'.repeat(64);

/** @throws DoubtfulBlockError */
export function readHeader(json: Json): BlockHeader {
  const raw = headerOf(json);
  const id = hash(json['blockID'], 'the id');
  // The node leaves zeros out: the genesis block has no number and, on some chains, no time.
  const number = integer(raw['number'] ?? 0, 'the height');
  const timeMs = integer(raw['timestamp'] ?? 0, `the time of block ${number}`);
  if (number > 0 && timeMs === 0) throw new DoubtfulBlockError(`block ${number} has no time`);
  const parentId = hash(raw['parentHash'], `the parent of block ${number}`);
  return { number, id, parentId, timeMs, proved: unknownFields(raw).length === 0 && blockIdOf(raw) === id };
}

/** A block with its transactions. @throws DoubtfulBlockError */
export function readBlock(json: Json): Block {
  const header = readHeader(json);
  const transactions = (json['transactions'] ?? []) as { txID?: unknown }[];
  const root = headerOf(json)['txTrieRoot'];
  // A list that was left out looks like an empty one; the root shows the difference.
  if (root !== undefined && (root === EMPTY_ROOT) !== (transactions.length === 0))
    throw new DoubtfulBlockError(
      `block ${header.number} comes with ${transactions.length} transactions, which contradicts its root`,
    );
  const what = `a txid of block ${header.number}`;
  return { ...header, txIds: new Set(transactions.map((transaction) => hash(transaction.txID, what))) };
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
