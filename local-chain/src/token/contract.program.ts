import type { JsonObject } from '../protobuf/json.printer';
import type { WorldState } from '../state/world.state';

export interface ContractCall {
  caller: string;
  data: Buffer;
  callValueSun: bigint;
}

export interface LogEntry {
  /** 20 bytes, as the node shows it: without the 41 in front. */
  address: string;
  topics: string[];
  data: string;
}

/** What a contract calls inside a call. No block has it: a node shows what it has seen when it ran the call. */
export interface InternalCall {
  caller: string;
  to: string;
  valueSun: bigint;
  /** The call that it was made in has failed. */
  rejected?: boolean;
}

/** What a call comes to; nothing is changed until `apply`. */
export interface Execution {
  reverted: boolean;
  /** With the penalty in it. */
  energyUnits: bigint;
  penaltyUnits: bigint;
  output: Buffer;
  logs: LogEntry[];
  internal: InternalCall[];
  apply(world: WorldState): void;
}

export type Outcome = Pick<Execution, 'output'> &
  Partial<Pick<Execution, 'logs' | 'internal' | 'apply' | 'reverted'>> & { energy: bigint };

/** A contract of this chain: it has no code, and does what this program does. */
export interface ContractProgram {
  readonly address: string;
  readonly name: string;
  readonly abi: readonly JsonObject[];
  /** Selectors of calls that change nothing, so that the node answers them at once instead of building a transaction. */
  readonly readings: ReadonlySet<string>;
  run(world: WorldState, call: ContractCall): Outcome;
}

/** It is of the right size, and measured nowhere. */
const REVERT_ENERGY = 3_000n;
export const REVERTED: Outcome = { energy: REVERT_ENERGY, output: Buffer.alloc(0), reverted: true };
