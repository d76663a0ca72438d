import { toHexAddress } from '../addresses';
import { bytesOf } from '../../proof/protobuf';
import type { HttpReply } from './node-http';
import { nodeText } from './node-text';

/**
 * A node's answer to a broadcast. It is evidence, never proof: only blocks prove anything. `refused`: this node neither kept nor relayed
 * the bytes, which decides something only for bytes that were never sent before. `elsewhere`: for a reason of its own, so that another
 * node may accept them; else the bytes are wrong by what it sees, or it lies.
 */
export type BroadcastOutcome =
  | { readonly kind: 'accepted'; readonly code: string }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly elsewhere: boolean }
  | { readonly kind: 'unknown'; readonly code: string; readonly message: string };

export type Refusal = Extract<BroadcastOutcome, { kind: 'refused' }>;

/** One node's answer to one sending of bytes. */
export interface Delivery {
  readonly node: string;
  readonly outcome: BroadcastOutcome;
}

/** Codes that a node gives before it pools or relays the bytes. */
const NOT_POOLED = new Map(
  Object.entries({
    BLOCK_UNSOLIDIFIED: { elsewhere: true },
    NO_CONNECTION: { elsewhere: true },
    SERVER_BUSY: { elsewhere: true },
    TAPOS_ERROR: { elsewhere: true },
    TRANSACTION_EXPIRATION_ERROR: { elsewhere: true },
    SIGERROR: { elsewhere: false },
    CONTRACT_VALIDATE_ERROR: { elsewhere: false },
    CONTRACT_EXE_ERROR: { elsewhere: false },
    BANDWITH_ERROR: { elsewhere: false },
    TOO_BIG_TRANSACTION_ERROR: { elsewhere: false },
  }),
);

/**
 * A healthy node gives these codes for bytes that are too old, name a block it has not seen, or were sent before. They are no fault of
 * the node: bytes that are sent again get them every few seconds.
 */
const OF_THE_BYTES: readonly string[] = ['TAPOS_ERROR', 'TRANSACTION_EXPIRATION_ERROR', 'DUP_TRANSACTION_ERROR'];

export function readBroadcastReply(reply: HttpReply, txId: string): BroadcastOutcome {
  const outcome = understand(reply, txId);
  const code = nodeText(outcome.code);
  return outcome.kind === 'accepted' ? { ...outcome, code } : { ...outcome, code, message: nodeText(outcome.message) };
}

function understand(reply: HttpReply, txId: string): BroadcastOutcome {
  if (reply.kind === 'undelivered')
    return { kind: 'refused', code: 'UNDELIVERED', message: reply.reason, elsewhere: true };
  // A gateway refuses without saying what it had passed on before.
  if (reply.kind === 'limited') {
    const { reason: message, untouched } = reply;
    return untouched
      ? { kind: 'refused', code: 'RATE_LIMITED_BY_NODE', message, elsewhere: true }
      : { kind: 'unknown', code: 'RATE_LIMITED', message };
  }
  if (reply.kind === 'unknown') return { kind: 'unknown', code: 'NO_ANSWER', message: reply.reason };
  const answer = (reply.value ?? {}) as {
    result?: unknown;
    code?: unknown;
    message?: unknown;
    txid?: unknown;
    Error?: unknown;
  };
  // The node answered for another txid, so it re-encoded our bytes: what it pooled is not what was saved.
  const otherTx = typeof answer.txid === 'string' && answer.txid.toLowerCase() !== txId;
  if (otherTx) return { kind: 'unknown', code: 'OTHER_TXID', message: `the node answered for ${String(answer.txid)}` };
  if (answer.result === true) return { kind: 'accepted', code: 'SUCCESS' };
  // An exception may come after the bytes were pooled.
  if (typeof answer.Error === 'string') return { kind: 'unknown', code: 'ERROR', message: answer.Error };
  const code = typeof answer.code === 'string' ? answer.code : 'NO_CODE';
  const message = decodeMessage(answer.message);
  if (code === 'DUP_TRANSACTION_ERROR' && message.startsWith('Dup transaction')) return { kind: 'accepted', code };
  if (code === 'NOT_ENOUGH_EFFECTIVE_CONNECTION' && !message.startsWith('P2P broadcast failed')) {
    return { kind: 'refused', code, message, elsewhere: true };
  }
  const known = NOT_POOLED.get(code);
  return known ? { kind: 'refused', code, message, ...known } : { kind: 'unknown', code, message };
}

function decodeMessage(message: unknown): string {
  if (typeof message !== 'string') return '';
  return bytesOf(message)?.toString('utf8') ?? message;
}

/** By what the node sees, these bytes can be in no block. */
export function refusesForGood(outcome: BroadcastOutcome): outcome is Refusal {
  return outcome.kind === 'refused' && !outcome.elsewhere;
}

/**
 * The node itself failed: it gave no usable answer or no service. One that refuses bytes for good did not: where another has taken them,
 * it may be the honest one, and the bytes have to reach it again.
 */
export function isFaultOfNode(outcome: BroadcastOutcome): boolean {
  return outcome.kind !== 'accepted' && !refusesForGood(outcome) && !OF_THE_BYTES.includes(outcome.code);
}

/**
 * Several nodes' answers to the same bytes, in order. After an unknown outcome, a refusal changes nothing; an acceptance does. A node that
 * was not reached says less than one that refuses.
 */
export function combineOutcomes(outcomes: readonly BroadcastOutcome[]): BroadcastOutcome {
  const accepted = outcomes.find((outcome) => outcome.kind === 'accepted');
  const unknown = outcomes.find((outcome) => outcome.kind === 'unknown');
  return (
    accepted ??
    unknown ??
    outcomes.findLast(({ code }) => !NO_SAY.has(code)) ??
    outcomes.at(-1) ?? { kind: 'refused', code: 'UNDELIVERED', message: 'no node is configured', elsewhere: true }
  );
}

/**
 * The refusal for good in which two nodes agree, or that of the only one there is (`nodes`); else null: a single node's word stops
 * nothing for good.
 */
export function confirmedRefusal(deliveries: readonly Delivery[], nodes: number): Refusal | null {
  const refusals = deliveries.flatMap(({ node, outcome }) => (refusesForGood(outcome) ? [{ node, outcome }] : []));
  const isConfirmed = (one: (typeof refusals)[number]) =>
    nodes < 2 || refusals.some(({ node, outcome }) => node !== one.node && isAlike(outcome, one.outcome));
  return refusals.findLast(isConfirmed)?.outcome ?? null;
}

/** Addresses and amounts apart: two nodes may be a block apart. */
const NAMES_AND_NUMBERS = /\b41[0-9a-f]{40}\b|\bT[1-9A-HJ-NP-Za-km-z]{33}\b|\d+/gi;

/** What may be wrong with a contract is much, so there the reason counts too. */
function isAlike(one: Refusal, other: Refusal): boolean {
  if (one.code !== other.code) return false;
  const [reason, otherReason] = [one, other].map(({ message }) => message.replace(NAMES_AND_NUMBERS, ''));
  return one.code !== 'CONTRACT_VALIDATE_ERROR' || reason === otherReason;
}

/** In this node's view, the pool wallet's stake does not cover the delegation. */
export function refusedForStake(outcome: BroadcastOutcome): boolean {
  return outcome.kind === 'refused' && outcome.message.includes('available FreezeEnergyV2 balance');
}

/** The stake to reclaim is not there any more. */
export function refusedForMissingDelegation(outcome: BroadcastOutcome): outcome is Refusal {
  if (outcome.kind !== 'refused') return false;
  return (
    outcome.message.includes('insufficient delegateFrozenBalance') ||
    outcome.message.includes('delegated Resource does not exist')
  );
}

/** What stands for no answer of the node itself. */
const NO_SAY: ReadonlySet<string> = new Set(['UNDELIVERED', 'NO_ANSWER', 'RATE_LIMITED', 'RATE_LIMITED_BY_NODE']);

/**
 * The refusal for a missing delegation, where no node has accepted the bytes; else null. A node that refuses them for something else, or
 * does not answer, says nothing of the stake: one that does so each time would keep a real shortage from being found. One node may lie
 * about it, so nothing is concluded: the chain is asked what is there. While the bytes may have reached a node before, as one that did
 * not answer, they may be why the delegation is not there.
 */
export function missingDelegation(outcomes: readonly BroadcastOutcome[]): Refusal | null {
  const first = outcomes.findIndex(refusedForMissingDelegation);
  const speaksAgainst = ({ kind }: BroadcastOutcome, index: number) =>
    kind === 'accepted' || (kind === 'unknown' && index < first);
  return outcomes.some(speaksAgainst) ? null : ((outcomes[first] ?? null) as Refusal | null);
}

/** The fault is the signing wallet's own, so its next transactions would be refused as well. */
export function refusedForWallet(outcome: BroadcastOutcome, walletAddress: string): boolean {
  if (outcome.kind !== 'refused') return false;
  if (outcome.code === 'SIGERROR' || outcome.code === 'BANDWITH_ERROR') return true;
  if (outcome.code !== 'CONTRACT_VALIDATE_ERROR') return false;
  const { message } = outcome;
  if (/permission|balance is not sufficient|no OwnerAccount/i.test(message)) return true;
  // The message may mean the receiver's account; nodes write addresses in hex or in base58.
  const names = message.includes(toHexAddress(walletAddress)) || message.includes(walletAddress);
  return names && /not exist/.test(message);
}
