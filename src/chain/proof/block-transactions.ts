import { type Contract, contractIn } from './contract';
import { type BranchStep, merkleBranch, merkleLevels, merkleRoot, sha256 } from './merkle-tree';
import { bytesOf, messageField } from './protobuf';
import { transactionTail } from './transaction-tail';

type Json = Readonly<Record<string, unknown>>;

/** Two hashes side by side: a transaction of this length could stand for a pair of others, and hide them. */
export const PAIR_BYTES = 64;

/** A block has 2 MB of transactions at most, each of which takes some 200 bytes. A list of more takes seconds to hash, for nothing. */
const MOST_TRANSACTIONS = 16_000;

/** A transaction's bytes in its block: what was signed, and what follows it (signatures and result). */
export interface RawTransaction {
  readonly raw: Buffer;
  readonly tail: Buffer;
  /** What the signed bytes say that it does: each is read once. */
  readonly contract: Contract | null;
}

export function rawTransaction(raw: Buffer, tail: Buffer): RawTransaction {
  return { raw, tail, contract: contractIn(raw) };
}

/** A transaction in its block. */
export interface Inclusion {
  /** What follows the signed bytes there: signatures and result. */
  readonly tail: Buffer;
  readonly branch: readonly BranchStep[];
}

/** What proves transactions of a block, all of them or some. */
export interface ProvedTransactions {
  readonly root: string;
  /** Null when it is none of these. */
  inclusionOf(txId: string): Inclusion | null;
  /** By txid the bytes of all transactions of the block; null when they were not kept. */
  readonly bytes: ReadonlyMap<string, RawTransaction> | null;
  /** These alone, on memory of their own: so little of a large block may be kept for long. */
  only(txIds: readonly string[]): ProvedTransactions;
}

/** The transactions of a block by their bytes: their root and ids, and what proves each of them. */
export class BlockTransactions implements ProvedTransactions {
  readonly root: string;
  /** The tails of all transactions, one after the other: a block has hundreds, and some hundred blocks are kept. */
  private readonly tails: Buffer;
  private readonly ends: number[] = [];
  private readonly hashes: Buffer;
  private levels: readonly (readonly Buffer[])[] | null = null;
  readonly bytes: ReadonlyMap<string, RawTransaction>;

  /** @param leaves hashes of whole transactions */
  constructor(
    readonly txIds: readonly string[],
    leaves: readonly Buffer[],
    transactions: readonly RawTransaction[],
  ) {
    this.bytes = new Map(txIds.map((txId, at) => [txId, transactions[at]!]));
    const tails = transactions.map(({ tail }) => tail);
    this.root = merkleRoot(merkleLevels(leaves)).toString('hex');
    this.hashes = Buffer.concat(leaves);
    this.tails = Buffer.concat(tails);
    let end = 0;
    for (const { length } of tails) this.ends.push((end += length));
  }

  /** Null when the block does not have it. */
  inclusionOf(txId: string): Inclusion | null {
    const at = this.txIds.indexOf(txId);
    if (at < 0) return null;
    this.levels ??= merkleLevels(this.txIds.map((_, leaf) => this.hashes.subarray(leaf * 32, leaf * 32 + 32)));
    return { tail: this.tails.subarray(this.ends[at - 1] ?? 0, this.ends[at]), branch: merkleBranch(this.levels, at) };
  }

  only(txIds: readonly string[]): ProvedTransactions {
    return new SomeTransactions(this.root, new Map(txIds.map((txId) => [txId, copyOf(this.inclusionOf(txId))])));
  }
}

class SomeTransactions implements ProvedTransactions {
  readonly bytes = null;

  constructor(
    readonly root: string,
    private readonly proofs: ReadonlyMap<string, Inclusion | null>,
  ) {}

  inclusionOf(txId: string): Inclusion | null {
    return this.proofs.get(txId) ?? null;
  }

  only(txIds: readonly string[]): ProvedTransactions {
    return new SomeTransactions(this.root, new Map(txIds.map((txId) => [txId, this.inclusionOf(txId)])));
  }
}

function copyOf(inclusion: Inclusion | null): Inclusion | null {
  if (!inclusion) return null;
  const branch = inclusion.branch.map(({ side, hash }) => ({ side, hash: Buffer.from(hash) }));
  return { tail: Buffer.from(inclusion.tail), branch };
}

/** Null when one of them cannot be encoded, or when no block can have so many. */
export function hashTransactions(transactions: readonly Json[]): BlockTransactions | null {
  if (transactions.length > MOST_TRANSACTIONS) return null;
  const [leaves, encoded, txIds]: [Buffer[], RawTransaction[], string[]] = [[], [], []];
  for (const transaction of transactions) {
    const one = encodeTransaction(transaction);
    if (!one) return null;
    const bytes = wholeTransaction(one.raw, one.tail);
    if (bytes.length === PAIR_BYTES) return null;
    leaves.push(sha256(bytes));
    encoded.push(one);
    txIds.push(sha256(one.raw).toString('hex'));
  }
  return new BlockTransactions(txIds, leaves, encoded);
}

/** protocol.Transaction, as its leaf hashes it. */
export function wholeTransaction(raw: Buffer, tail: Buffer): Buffer {
  return Buffer.concat([messageField(1, raw), tail]);
}

/** protocol.Transaction. The text of `raw_data` is not looked at: `raw_data_hex` has the bytes that were signed. */
export function encodeTransaction(transaction: Json): RawTransaction | null {
  const raw = bytesOf(transaction['raw_data_hex']);
  const tail = transactionTail(transaction);
  return raw && tail && rawTransaction(raw, tail);
}
