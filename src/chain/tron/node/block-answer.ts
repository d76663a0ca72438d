import { createHash } from 'node:crypto';
import { type AccountAct, readAct } from '../../proof/account-act';
import type { BlockHeader, SaidBlock } from '../../proof/block-header';
import { headerBytes, headerHash, idOfBytes, unknownFields } from '../../proof/block-id';
import {
  encodeTransaction,
  hashTransactions,
  type ProvedTransactions,
  type RawTransaction,
} from '../../proof/block-transactions';
import { headerSignature, unverifiedScheme } from '../../proof/header-signature';
import { sha256 } from '../../proof/merkle-tree';
import { bytesOf } from '../../proof/protobuf';
import { readStakeMove, type StakeMove } from '../../proof/stake-move';
import { ownerIn, ownerOf } from '../../proof/transaction-owner';
import { NodeUnavailableError } from './node-errors';
import { nodeText } from './node-text';

/**
 * A node's newest block with a header of which this version does not know all fields, so that its id cannot be computed: why. It has no
 * height, parent, time or body that anything could be concluded from.
 */
export interface UnverifiableTip {
  readonly unverifiable: string;
}

export interface Block extends BlockHeader, BlockBody {}

/** The transactions of a block. */
export interface BlockBody {
  /** By txid: the account whose each is, in hex. */
  readonly owners: ReadonlyMap<string, string>;
  /** What proves each of them; null when the root proves none (`CHAIN_PROOF=nodes`), or it was not looked at. */
  readonly transactions: ProvedTransactions | null;
}

/** A block as a node shows it: its header is proved, its transactions may not be the ones that the header names. */
export interface ShownBlock {
  readonly header: BlockHeader;
  /** Null when they do not hash to the header's root. */
  readonly body: BlockBody | null;
  /** Then: what the node lists instead, which proves nothing. */
  readonly listing: Listing | null;
}

/** Transactions of a block, by their bytes, as one node lists them. */
export interface Listing {
  readonly owners: BlockBody['owners'];
  /** Txids whose one result is listed as success. */
  readonly succeeded: ReadonlySet<string>;
  /** Equal for equal transactions with equal results, in one order, however nodes of different releases write them. */
  readonly digest: string;
}

/** With the stake that its transactions move, by txid. */
export interface ShownMoves extends ShownBlock {
  readonly moves: ReadonlyMap<string, StakeMove>;
}

/** With the bytes of its transactions, by txid. */
export interface ShownRaw extends ShownBlock {
  readonly raw: ReadonlyMap<string, RawTransaction>;
}

/** With what these accounts do in it, by txid. */
export interface ShownActs extends ShownBlock {
  readonly acts: ReadonlyMap<string, AccountAct>;
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
  readonly raw_data_hex?: unknown;
  /** Always of one contract. */
  readonly raw_data?: { contract?: { parameter?: { value?: { owner_address?: unknown } } }[] };
}

const HASH = /^[0-9a-f]{64}$/;
const EMPTY_ROOT = '0'.repeat(64);
/** Hex digits of the height in a block's id: it has 8 bytes. */
const HEIGHT_DIGITS = 16;
const ADDRESS = /^41[0-9a-f]{40}$/;

/** How far an answer is believed. */
export interface Belief {
  /** `CHAIN_PROOF=nodes`: the id that comes with a header, although the fields do not make it. */
  readonly believe?: boolean;
  /** The database's genesis block: no other is the block of height 0. */
  readonly genesisId?: string | null;
}

/** The newest block of a node, for those who ask for no certain one. @throws DoubtfulBlockError */
export function readTip(json: Json, { believe = false, genesisId = null }: Belief = {}): BlockHeader | UnverifiableTip {
  const raw = headerOf(json);
  const unknown = unknownFields(raw);
  if (!believe && unknown.length > 0) return { unverifiable: unverifiable(unknown) };
  const { number, id, timeMs } = readSaid(json);
  const parentId = hash(raw['parentHash'], `the parent of block ${number}`);
  const root = raw['txTrieRoot'] ?? EMPTY_ROOT;
  if (typeof root !== 'string') throw new DoubtfulBlockError(`block ${number} has no root`);
  const address = typeof raw['witness_address'] === 'string' ? raw['witness_address'].toLowerCase() : '';
  const witness = ADDRESS.test(address) ? address : null;
  const header = { number, id, parentId, timeMs, root: root.toLowerCase(), witness };
  if (believe) return { ...header, signer: null, signed: null };
  const bytes = headerBytes(raw);
  if (!bytes || idOfBytes(BigInt(number), bytes) !== id)
    throw new DoubtfulBlockError(`block ${number} does not match its id ${id}`);
  // No witness signs the genesis block: its id, and its id alone, identifies it.
  if (number === 0 && id !== genesisId) throw new DoubtfulBlockError(`block ${id} is not the genesis block`);
  if (number === 0) return { ...header, signer: null, signed: null };
  const signature = headerSignature(headerHash(bytes), json['block_header'] as Json);
  const unverified = signature?.signer === null ? unverifiedScheme(signature.bytes) : null;
  if (signature === null || (signature.signer === null && unverified === null))
    return { ...header, signer: null, signed: null };
  const signed = {
    ...header,
    signer: signature.signer,
    signed: { bytes: alone(bytes), signature: alone(signature.bytes) },
  };
  return unverified === null ? signed : { ...signed, unverified };
}

/** Small buffers share pages of 8 kB with others: a header that is kept would keep all of them. */
function alone(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}

/** @throws DoubtfulBlockError also when it cannot be verified */
export function readHeader(json: Json, belief?: Belief): BlockHeader {
  const tip = readTip(json, belief);
  if ('unverifiable' in tip) throw new DoubtfulBlockError(tip.unverifiable);
  return tip;
}

/** @throws DoubtfulBlockError */
export function readSaid(json: Json): SaidBlock {
  const raw = headerOf(json);
  const id = hash(json['blockID'], 'the id');
  // The node leaves zeros out: the genesis block has no number and, on some chains, no time.
  const number = integer(raw['number'] ?? 0, 'the height');
  const timeMs = integer(raw['timestamp'] ?? 0, `the time of block ${number}`);
  if (number > 0 && timeMs === 0) throw new DoubtfulBlockError(`block ${number} has no time`);
  if (BigInt(`0x${id.slice(0, HEIGHT_DIGITS)}`) !== BigInt(number))
    throw new DoubtfulBlockError(`block ${number} is shown under the id of another height, ${id}`);
  return { number, id, timeMs };
}

/** A block with its transactions. @throws DoubtfulBlockError also when its header cannot be verified */
export function readBlock(json: Json, belief?: Belief): ShownBlock {
  return readTransactions(json, readHeader(json, belief), belief);
}

/**
 * The same answer's transactions; with `believe`, those that cannot be encoded are as the node lists them.
 * @throws DoubtfulBlockError
 */
export function readTransactions(json: Json, header: BlockHeader, { believe = false }: Belief = {}): ShownBlock {
  const { transactions = [] } = json;
  if (!Array.isArray(transactions) || !transactions.every((one) => one !== null && typeof one === 'object'))
    throw new DoubtfulBlockError(`block ${header.number} has no list of transactions`);
  const list = transactions as JsonTransaction[];
  const hashed = hashTransactions(transactions as Json[]);
  if (hashed?.root === header.root) {
    // By the bytes under the root: what stands beside them is the node's word.
    const owners = new Map([...hashed.bytes].map(([txId, { contract }]) => [txId, ownerOf(contract)]));
    return { header, body: { owners, transactions: hashed }, listing: null };
  }
  // A list that was left out looks like an empty one; the root shows the difference.
  const isCredible = believe && transactions.length > 0 && header.root !== EMPTY_ROOT;
  const what = `a txid of block ${header.number}`;
  const listed = (): ReadonlyMap<string, string> =>
    new Map(list.map((one) => [hash(one.txID, what), listedOwner(one)]));
  const body = isCredible ? { owners: listed(), transactions: null } : null;
  return { header, body, listing: listingOf(transactions as Json[]) };
}

function listingOf(transactions: readonly Json[]): Listing {
  const digest = createHash('sha256');
  const byTxId = new Map<string, string>();
  const succeeded = new Set<string>();
  for (const transaction of transactions) {
    const raw = bytesOf(transaction['raw_data_hex']);
    const txId = raw && sha256(raw).toString('hex');
    if (txId) byTxId.set(txId, ownerIn(raw));
    const results = [transaction['ret']].flat().map((ret) => (ret as Json | null | undefined)?.['contractRet']);
    if (txId && results.length === 1 && results[0] === 'SUCCESS') succeeded.add(txId);
    digest.update(JSON.stringify(txId ? [txId, results] : transaction, asText));
  }
  return { owners: byTxId, succeeded, digest: digest.digest('hex') };
}

/** By the bytes that the root proves. @throws DoubtfulBlockError */
export function readStakeMoves(json: Json, belief?: Belief): ShownMoves {
  const block = readBlock(json, belief);
  const listed = block.body ? ((json['transactions'] ?? []) as Json[]) : [];
  const moves = listed.flatMap(({ raw_data_hex: hex }) => {
    const raw = bytesOf(hex);
    const move = raw && readStakeMove(raw);
    return move ? [[sha256(raw).toString('hex'), move] as const] : [];
  });
  return { ...block, moves: new Map(moves) };
}

/** The bytes that the root proves; empty where it proves none. @throws DoubtfulBlockError */
export function readRaw(json: Json, belief?: Belief): ShownRaw {
  const block = readBlock(json, belief);
  const proved = block.body?.transactions?.bytes;
  if (proved) return { ...block, raw: proved };
  const listed = block.body ? ((json['transactions'] ?? []) as Json[]) : [];
  const encoded = listed.flatMap((transaction) => encodeTransaction(transaction) ?? []);
  return { ...block, raw: new Map(encoded.map((one) => [sha256(one.raw).toString('hex'), one])) };
}

/** The acts of these accounts, by the bytes that the root proves. @throws DoubtfulBlockError */
export function readActs(json: Json, owners: ReadonlySet<string>, belief?: Belief): ShownActs {
  const block = readBlock(json, belief);
  const acts = new Map<string, AccountAct>();
  for (const { raw_data_hex: hex } of block.body ? ((json['transactions'] ?? []) as Json[]) : []) {
    const raw = bytesOf(hex);
    const act = raw && readAct(raw);
    if (act && owners.has(act.owner)) acts.set(sha256(raw).toString('hex'), act);
  }
  return { ...block, acts };
}

/** Names come from the node. */
function unverifiable(unknown: readonly string[]): string {
  return `its header has fields that this version does not know, and cannot be verified (see CHAIN_PROOF): ${nodeText(unknown.join(', '))}`;
}

/** As the node says it. Empty when it does not: not every kind of contract has an owner there. */
function listedOwner({ raw_data: raw }: JsonTransaction): string {
  const owner = raw?.contract?.[0]?.parameter?.value?.owner_address;
  return typeof owner === 'string' ? owner.toLowerCase() : '';
}

/** @throws DoubtfulBlockError */
function headerOf(json: Json): Json {
  const raw = ((json as Json | null)?.['block_header'] as { raw_data?: Json } | undefined)?.raw_data;
  if (!raw || typeof raw !== 'object') throw new DoubtfulBlockError('the answer holds no block');
  return raw;
}

function hash(value: unknown, what: string): string {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (!HASH.test(text)) throw new DoubtfulBlockError(`${what} is not a hash`);
  return text;
}

function integer(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new DoubtfulBlockError(`${what} is not a number`);
  return value as number;
}

function asText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
