import { ContractValidateError } from '../chain/transaction.errors';
import type { CallReceipt, CancelledSun } from '../chain/transaction.receipt';
import type { MessageType } from '../protobuf/message.schema';
import type { WorldState } from '../state/world.state';

export interface ContractOutcome {
  feeSun: bigint;
  withdrawnSun?: bigint;
  rewardedSun?: bigint;
  cancelledSun?: CancelledSun;
  call?: CallReceipt;
}

/**
 * One contract type: its checks in the node's order and words, and what it does. `building` is set when a node builds the transaction;
 * `feeLimitSun` is the transaction's own.
 */
export interface ContractRule<T extends { owner_address: Buffer } = { owner_address: Buffer }> {
  readonly type: number;
  readonly schema: MessageType<T>;
  validate(world: WorldState, message: T, building: boolean, feeLimitSun: bigint): void;
  execute(world: WorldState, message: T, feeLimitSun: bigint): ContractOutcome;
}

const MAX_INT64 = 2n ** 63n - 1n;

export const refuse = (reason: string): never => {
  throw new ContractValidateError(reason);
};

/** Java's `Math.addExact`. */
export const addExact = (a: bigint, b: bigint): bigint => (a + b > MAX_INT64 ? refuse('long overflow') : a + b);

/** Java's `Math.multiplyExact`. */
export const multiplyExact = (a: bigint, b: bigint): bigint => (a * b > MAX_INT64 ? refuse('long overflow') : a * b);

export const hexOf = (bytes: Buffer): string => bytes.toString('hex');

/** Fees are burned: they leave the balance and the supply. */
export function burn(world: WorldState, address: string, feeSun: bigint): void {
  if (feeSun === 0n) return;
  world.editAccount(address).balanceSun -= feeSun;
  world.editNetwork().burnedSun += feeSun;
}
