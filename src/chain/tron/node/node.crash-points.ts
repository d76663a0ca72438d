import type { CrashPoint } from '../../../../config/crash-point';
import type { CrashPoints } from '../../../common/crash-points';
import type { CallWatch } from './node-http';

interface Moments {
  readonly sending?: CrashPoint;
  readonly delivered?: CrashPoint;
  readonly read?: CrashPoint;
}

/** Crash points of broadcasts, by the contract type. */
const MOMENTS: Readonly<Record<string, Moments>> = {
  DelegateResourceContract: {
    sending: 'before-delegation-broadcast',
    delivered: 'during-delegation-broadcast',
    read: 'after-delegation-broadcast',
  },
  VoteWitnessContract: { read: 'after-stake-broadcast' },
  FreezeBalanceV2Contract: { read: 'after-stake-broadcast' },
  TransferContract: { read: 'after-sweep-broadcast' },
  UnDelegateResourceContract: { sending: 'before-reclaim-broadcast', read: 'after-reclaim-broadcast' },
};

export function watchForCrash(points: CrashPoints, route: string, body: unknown): CallWatch | undefined {
  const moments = route === 'wallet/broadcasttransaction' ? MOMENTS[contractOf(body)] : undefined;
  if (!moments) return undefined;
  return {
    sending: () => points.reached(moments.sending),
    delivered: () => points.reached(moments.delivered),
    read: () => points.reached(moments.read),
  };
}

function contractOf(body: unknown): string {
  return (body as { raw_data?: { contract?: { type?: string }[] } }).raw_data?.contract?.[0]?.type ?? '';
}
