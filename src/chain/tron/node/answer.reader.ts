import { NodeUnavailableError } from './node-errors';

type Answer = Record<string, unknown>;

const LARGEST_INT64 = 2n ** 63n - 1n;
/** Above all TRX that exist: a node that says more lies, and sums of it would not fit where they are kept. */
export const MOST_SUN = 10n ** 18n;

/**
 * An amount in a node's answer. protobuf leaves zeros out, so an absent field is zero; some nodes and gateways write int64 as text.
 * Anything else is an error, never zero.
 * @throws NodeUnavailableError
 */
export function amountIn(answer: Answer, field: string): bigint {
  const value = answer[field];
  if (value === undefined) return 0n;
  const amount = exactInteger(value);
  if (amount === null || amount < 0n || amount > LARGEST_INT64) throw notUnderstood(field);
  return amount;
}

/** As `amountIn`, with a bound that no honest answer passes. @throws NodeUnavailableError */
export function amountAtMost(most: bigint, answer: Answer, field: string): bigint {
  const amount = amountIn(answer, field);
  if (amount > most) throw notUnderstood(field);
  return amount;
}

/** @throws NodeUnavailableError unless it is an object or absent */
export function recordIn(answer: Answer, field: string): Answer {
  const value = answer[field] ?? (field in answer ? null : {});
  if (!isRecord(value)) throw notUnderstood(field);
  return value;
}

/** @throws NodeUnavailableError unless it is a list of objects or absent */
export function recordsIn(answer: Answer, field: string): Answer[] {
  const value = field in answer ? answer[field] : [];
  if (!Array.isArray(value) || !value.every(isRecord)) throw notUnderstood(field);
  return value;
}

/** @throws NodeUnavailableError unless it is a list of texts or absent */
export function textsIn(answer: Answer, field: string): string[] {
  const value = field in answer ? answer[field] : [];
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string')) throw notUnderstood(field);
  return value;
}

/**
 * A node that lies, or a gateway that mixes answers up, shows another account than the one asked for.
 * @throws NodeUnavailableError unless the field has this address
 */
export function requireAddress(answer: Answer, field: string, hexAddress: string): void {
  const shown = answer[field];
  if (typeof shown !== 'string' || shown.toLowerCase() !== hexAddress.toLowerCase()) throw notUnderstood(field);
}

export function notUnderstood(field: string): NodeUnavailableError {
  return new NodeUnavailableError(`not understood in the answer: ${field}`);
}

function exactInteger(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : null;
  return typeof value === 'string' && /^\d{1,19}$/.test(value) ? BigInt(value) : null;
}

function isRecord(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
