import type { InternalCall, LogEntry } from '../token/contract.program';

export type CallResult = 'SUCCESS' | 'REVERT' | 'OUT_OF_ENERGY';

/** What became of a contract's call; it is in a block and paid for also when it failed. */
export interface CallReceipt {
  contract: string;
  result: CallResult;
  /** Why it failed, in the node's words. */
  failure?: string;
  output: string;
  energyUnits: bigint;
  penaltyUnits: bigint;
  /** Energy that stake gave, and TRX burned for the rest. */
  stakedUnits: bigint;
  energyFeeSun: bigint;
  logs: LogEntry[];
  /** Missing in what was kept before contracts called others. */
  internal?: InternalCall[];
}

export interface CancelledSun {
  net: bigint;
  energy: bigint;
  power: bigint;
}

/** What a block keeps of a transaction beside its bytes: `wallet/gettransactioninfobyid` is made of it. */
export interface TransactionReceipt {
  feeSun: bigint;
  netUsed: bigint;
  netFeeSun: bigint;
  withdrawnSun?: bigint;
  /** Rewards that a withdrawal has moved to the balance. */
  rewardedSun?: bigint;
  cancelledSun?: CancelledSun;
  call?: CallReceipt;
}

export const resultOf = ({ call }: TransactionReceipt): CallResult => call?.result ?? 'SUCCESS';

export interface IncludedTransaction {
  id: string;
  height: number;
  position: number;
  bytes: Buffer;
  receipt: TransactionReceipt;
}
