import type { NodeLie } from '../network/node-lies';
import type { PlannedSigner, SignerAction } from './plan-signer';
import type { WayToBeLarge } from '../network/too-large-answers';
import type { WayToFail } from '../network/unreadable-blocks';

export type Action =
  | SignerAction
  | ({ readonly atMs: number } & (
      | { readonly kind: 'order'; readonly order: PlannedOrder }
      | { readonly kind: 'kill'; readonly instance: number; readonly trap: Trap }
      | { readonly kind: 'stop'; readonly instance: number; readonly forMs: number; readonly trap: Trap }
      | { readonly kind: 'cut'; readonly instance: number; readonly trap: Trap }
      | {
          /** A line carries nothing more: the client waits for it, or is told at once; the server keeps the session for a while. */
          readonly kind: 'silence' | 'half-open';
          readonly instance: number;
          readonly trap: Trap;
        }
      | {
          /** The server refuses a statement, or the commit. */
          readonly kind: 'refusal';
          readonly instance: number;
          readonly code: string;
          readonly trap: Trap;
        }
      | { readonly kind: 'database-away'; readonly forMs: number }
      | {
          /** It takes no further connection; or no line carries anything more, nor is a new one answered. */
          readonly kind: 'database-full' | 'database-silent';
          readonly forMs: number;
        }
      | {
          /** Its clock is off by so much for a while. */
          readonly kind: 'database-clock';
          readonly offMs: number;
          readonly forMs: number;
        }
      | {
          readonly kind: 'node-fault';
          readonly node: number;
          readonly route: string;
          readonly fault: string;
          readonly count: number;
        }
      | {
          /** From now on; only where another node says what is so. */
          readonly kind: 'node-lies';
          readonly node: number;
          readonly lie: NodeLie;
        }
      | {
          /** From now on, by so much; only where another node is not. */
          readonly kind: 'node-slow';
          readonly node: number;
          readonly byMs: number;
        }
      | {
          /** From now on, on one route; only where another node's are not. */
          readonly kind: 'too-large-answers';
          readonly node: number;
          readonly route: string;
          readonly way: WayToBeLarge;
        }
      | { readonly kind: 'node-away'; readonly node: number; readonly forMs: number; readonly how: 'refused' | 'lost' }
      | { readonly kind: 'node-behind'; readonly node: number; readonly forMs: number; readonly what: 'head' | 'solid' }
      | {
          /** The next blocks, by every node. */
          readonly kind: 'unreadable-blocks';
          readonly count: number;
          readonly way: WayToFail;
          readonly untilMs: number;
        }
      | {
          /** Too many of them for any block to become final. */
          readonly kind: 'silent-witnesses';
          readonly count: number;
          readonly forMs: number;
        }
      | { readonly kind: 'fork'; readonly depth: number; readonly keep: boolean }
      | { readonly kind: 'weight'; readonly percent: number }
      | {
          readonly kind: 'stranger';
          /** `leave`: undelegates all but so much of what is out there. */
          readonly does: 'delegate' | 'undelegate' | 'leave';
          readonly receiver: number;
          /** Part of one order's stake. */
          readonly part: number;
        }
      | {
          /** So much more can be claimed: no maintenance passes in a history. */
          readonly kind: 'reward';
          readonly wallet: number;
          readonly trx: number;
        }
      | {
          /** An operator asks the service for it. */
          readonly kind: 'stake-operation';
          readonly instance: number;
          readonly wallet: number;
          readonly does: 'freeze' | 'unfreeze';
          readonly resource: 'energy' | 'bandwidth';
          /** A part of all liquid TRX, or of the stake for energy that is not lent. */
          readonly part: number;
        }
      | {
          /** The owner signs it with the wallet's key. */
          readonly kind: 'by-hand';
          readonly wallet: number;
          readonly does: HandAct;
          /** A part of the power, of half the liquid TRX, or of the stake for energy that is not lent. */
          readonly part: number;
        }
      | { readonly kind: 'payment'; readonly payment: Payment }
      | {
          /** What a USDT counts from now on; null: nothing. */
          readonly kind: 'rate';
          readonly sunPerUsdt: number | null;
        }
    ));

/** Only the first two move what they say by their own bytes; of TRX, the second is the first. */
export const WAYS_TO_PAY = [
  'plainly',
  'with a dirty address word',
  'without enough energy',
  'of more than there is',
  'in another token',
  'by a contract, to several',
  'from a pool wallet',
] as const;

export interface Payment {
  readonly user: number;
  readonly asset: 'TRX' | 'USDT';
  /** Sun, or millionths of a USDT. */
  readonly units: number;
  readonly way: (typeof WAYS_TO_PAY)[number];
}

export type HandAct = 'vote' | 'claim' | 'freeze' | 'withdraw' | 'unfreeze';

export type CommitKind = 'commit' | 'order' | 'answer' | 'settle' | 'reclaim';

/** Where an instance ends or a line is cut: at the n-th statement, call or commit from then on that is of this kind. */
export interface Trap {
  readonly at: 'now' | 'statement' | 'broadcast' | 'call' | 'webhook' | CommitKind;
  readonly point: 'before' | 'after';
  readonly skip: number;
}

export interface PlannedOrder {
  readonly user: number;
  readonly receiver: number;
  readonly amount: number;
  readonly activate: boolean;
  readonly key: string | null;
  readonly instance: number;
  /** So many equal requests with one key, to one instance after the other. */
  readonly requests: number;
  /** Between one of them and the next. */
  readonly apartMs?: number;
  /** When all trouble but that of blocks is past: only what is lacking may refuse it. */
  readonly isAfterwards?: true;
}

export interface PlannedUser {
  readonly balanceTrx: number;
  readonly quotaTransactions: number;
  readonly dailyLimitTrx: number | null;
  readonly hasWebhook: boolean;
}

/** How the stake of a wallet is cared for, and with how many liquid TRX it begins. */
export interface PlannedCare {
  readonly trx: number;
  readonly keepLiquidTrx: number;
  readonly restakes: boolean;
  /** Claimable from the beginning. */
  readonly rewardTrx: number;
}

/** Everything that a seed decides beforehand. Data, so that a history can be made shorter. */
export interface Plan {
  readonly seed: number;
  readonly settings: Readonly<Record<string, string>>;
  /** How far each instance's clock is off. */
  readonly clocksOffMs: readonly number[];
  /** How many orders' stake each wallet has. */
  readonly walletOrders: readonly number[];
  /** By wallet; null: it has no care. */
  readonly care?: readonly (PlannedCare | null)[];
  /** Where keys lie in one. */
  readonly signer?: PlannedSigner;
  readonly nodes: number;
  /** No call and no statement takes longer than usual; otherwise some do. */
  readonly isPrompt?: true;
  /** One more address that is answered by any of the nodes. */
  readonly gateway: boolean;
  readonly users: readonly PlannedUser[];
  /** Which exist on the chain from the beginning. */
  readonly receivers: readonly boolean[];
  readonly actions: readonly Action[];
}

/** At the most: as far as instances' clocks are. */
export const DATABASE_CLOCK_OFF_MS = 600_000;

/** From when on nothing goes wrong any more. */
export const TROUBLE_MS = 120_000;
/** But blocks that no node can read, which may stay so until then. */
export const UNREADABLE_MS = TROUBLE_MS + 180_000;

/** From when on everything can be read, too. */
export function calmFromMs({ actions }: Plan): number {
  return actions.some((action) => action.kind === 'unreadable-blocks') ? UNREADABLE_MS : TROUBLE_MS;
}
