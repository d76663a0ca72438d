import { bytesInBlock } from '../chain/transaction.model';
import { resultOf } from '../chain/transaction.receipt';
import { worthlessKey } from '../genesis.accounts';
import type { RouteRequest } from '../http/route.model';
import { printTransaction } from '../http/transaction.printer';
import type { Json, JsonObject } from '../protobuf/json.printer';
import { merkleRoot } from '../signing/merkle.tree';
import { forgeBlock, type Forgery } from './block.forgery';
import type { FaultKind } from './fault.plan';

const AHEAD_MS = 7_200_000n;
const NO_ROOT = merkleRoot([]).toString('hex');
const FOREIGN_KEY = worthlessKey('no witness');

export type Forger = (block: JsonObject, request: RouteRequest) => Forgery;

const timeOf = (block: JsonObject): bigint =>
  BigInt(((block['block_header'] as JsonObject)['raw_data'] as JsonObject)['timestamp'] as number | bigint);
const transactionsOf = (block: JsonObject): readonly Json[] => (block['transactions'] ?? []) as readonly Json[];
const pendingOf = ({ node, visible }: RouteRequest): Json[] =>
  node.pool.transactions.map((tx) => printTransaction(tx, { visible, ret: node.pool.resultOf(tx.id) }));

/** The real block's own root, had it what is only pending too. */
function rootWithPending(block: JsonObject, { node }: RouteRequest): string {
  const { number = 0 } = (block['block_header'] as JsonObject)['raw_data'] as { number?: number };
  const own = node.blocks.listTransactions(number).map(({ bytes, receipt }) => bytesInBlock(bytes, resultOf(receipt)));
  const pending = node.pool.transactions.map((tx) => bytesInBlock(tx.bytes, node.pool.resultOf(tx.id)));
  return merkleRoot([...own, ...pending]).toString('hex');
}

const twoHoursOn = (block: JsonObject): Forgery['header'] => ({ timestamp: timeOf(block) + AHEAD_MS });

/** Blocks that agree with themselves, or with a witness's signature, or with an id that is not computed, and not with all. */
export const FORGERIES: Partial<Record<FaultKind, Forger>> = {
  'unsigned-header': (block) => ({ header: twoHoursOn(block) }),
  'foreign-header': (block) => ({ header: twoHoursOn(block), key: FOREIGN_KEY }),
  'added-transactions': (block, request) => ({ transactions: [...transactionsOf(block), ...pendingOf(request)] }),
  'missing-transactions': () => ({ transactions: [] }),
  'unknown-field': () => ({ said: { stateRootV2: 'ab'.repeat(32), txTrieRoot: NO_ROOT }, transactions: [] }),
  'missing-number': (block, request) => ({
    said: { number: null, txTrieRoot: rootWithPending(block, request) },
    transactions: [...transactionsOf(block), ...pendingOf(request)],
  }),
};

const FORGED = [
  'getnowblock',
  'getblock',
  'getblockbynum',
  'getblockbyid',
  'getblockbylimitnext',
  'getblockbylatestnum',
];
export const FORGED_ROUTES = FORGED.flatMap((name) => [`wallet/${name}`, `walletsolidity/${name}`]);

/** One block, a list of them, or none. */
export function forgeAnswer(request: RouteRequest, answer: Json | undefined, forger: Forger): Json | undefined {
  const forge = (block: JsonObject): JsonObject => forgeBlock(block, forger(block, request), request.visible);
  const object = (answer ?? {}) as JsonObject;
  if (Array.isArray(object['block'])) return { block: (object['block'] as JsonObject[]).map(forge) };
  return object['block_header'] ? forge(object) : answer;
}
