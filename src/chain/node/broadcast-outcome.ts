import { toHexAddress } from '../addresses';
import type { HttpReply } from './node-http';
import { nodeText } from './node-text';

/**
 * What a node said of a broadcast. It is evidence, never proof: only blocks prove anything.
 * `refused` means "neither kept nor relayed here" and counts only for bytes that were never sent anywhere before.
 */
export type BroadcastOutcome =
  | { readonly kind: 'accepted'; readonly code: string }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly elsewhere: boolean }
  | { readonly kind: 'unknown'; readonly code: string; readonly message: string };

/** Codes that a node gives before it pools or relays anything; the transient ones are worth another node. */
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
 * What a healthy node says of bytes that are too old for it, name a block that it has not seen, or were sent before: its answer
 * to these bytes, no fault of the node. Resent bytes meet them every few seconds.
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
  if (reply.kind === 'unknown') return { kind: 'unknown', code: 'NO_ANSWER', message: reply.reason };
  const answer = (reply.value ?? {}) as {
    result?: unknown;
    code?: unknown;
    message?: unknown;
    txid?: unknown;
    Error?: unknown;
  };
  // A node that answers for another transaction has re-encoded ours: whatever it pooled is not what was saved.
  const otherTx = typeof answer.txid === 'string' && answer.txid.toLowerCase() !== txId;
  if (otherTx) return { kind: 'unknown', code: 'OTHER_TXID', message: `the node answered for ${String(answer.txid)}` };
  if (answer.result === true) return { kind: 'accepted', code: 'SUCCESS' };
  if (typeof answer.Error === 'string') return javaError(answer.Error);
  const code = typeof answer.code === 'string' ? answer.code : 'NO_CODE';
  const message = decodeMessage(answer.message);
  if (code === 'DUP_TRANSACTION_ERROR' && message.startsWith('Dup transaction')) return { kind: 'accepted', code };
  if (code === 'NOT_ENOUGH_EFFECTIVE_CONNECTION' && !message.startsWith('P2P broadcast failed')) {
    return { kind: 'refused', code, message, elsewhere: true };
  }
  const known = NOT_POOLED.get(code);
  return known ? { kind: 'refused', code, message, ...known } : { kind: 'unknown', code, message };
}

/** The rate limiter refuses before anything is executed; every other exception may have come after the pool took it. */
function javaError(text: string): BroadcastOutcome {
  return text.includes('lack of computing resources')
    ? { kind: 'refused', code: 'RATE_LIMITED_BY_NODE', message: text, elsewhere: true }
    : { kind: 'unknown', code: 'ERROR', message: text };
}

function decodeMessage(message: unknown): string {
  if (typeof message !== 'string') return '';
  return /^(?:[0-9a-f]{2})+$/i.test(message) ? Buffer.from(message, 'hex').toString('utf8') : message;
}

/** The node itself failed: no usable answer, or no service. */
export function isFaultOfNode(outcome: BroadcastOutcome): boolean {
  return outcome.kind !== 'accepted' && !OF_THE_BYTES.includes(outcome.code);
}

/** Several nodes' answers to the same bytes, in order: an open outcome is not undone by a later refusal, only by an acceptance. */
export function combineOutcomes(outcomes: readonly BroadcastOutcome[]): BroadcastOutcome {
  const accepted = outcomes.find((outcome) => outcome.kind === 'accepted');
  const unknown = outcomes.find((outcome) => outcome.kind === 'unknown');
  return (
    accepted ??
    unknown ??
    outcomes.at(-1) ?? { kind: 'refused', code: 'UNDELIVERED', message: 'no node is configured', elsewhere: true }
  );
}

/** The pool wallet's stake does not cover the delegation on this node's view. */
export function refusedForStake(outcome: BroadcastOutcome): boolean {
  return outcome.kind === 'refused' && outcome.message.includes('available FreezeEnergyV2 balance');
}

/** The stake that an undelegation asks back is not there any more, whoever took it. */
export function refusedForMissingDelegation(outcome: BroadcastOutcome): boolean {
  if (outcome.kind !== 'refused') return false;
  return (
    outcome.message.includes('insufficient delegateFrozenBalance') ||
    outcome.message.includes('delegated Resource does not exist')
  );
}

/** It lies with the wallet that signed: what it signs next is refused as well. */
export function refusedForWallet(outcome: BroadcastOutcome, walletAddress: string): boolean {
  if (outcome.kind !== 'refused') return false;
  if (outcome.code === 'SIGERROR' || outcome.code === 'BANDWITH_ERROR') return true;
  if (outcome.code !== 'CONTRACT_VALIDATE_ERROR') return false;
  const { message } = outcome;
  if (/permission|balance is not sufficient|no OwnerAccount/i.test(message)) return true;
  // The receiver's account may be the one that does not exist; nodes name it in hex or in base58.
  const names = message.includes(toHexAddress(walletAddress)) || message.includes(walletAddress);
  return names && /not exist/.test(message);
}
