import type { CrashPoint } from '../../common/crash-point';
import type { CrashPoints } from '../../common/crash-points';
import type { CallWatch } from './node-http';

interface Moments {
  readonly sending?: CrashPoint;
  readonly delivered?: CrashPoint;
  readonly read?: CrashPoint;
}

/** Crash points of calls to nodes, by route and by the contract type that is broadcast. */
const MOMENTS: Readonly<Record<string, Moments>> = {
  'wallet/getaccount': { read: 'receiver-read' },
  DelegateResourceContract: {
    sending: 'before-delegation-broadcast',
    delivered: 'during-delegation-broadcast',
    read: 'after-delegation-broadcast',
  },
  UnDelegateResourceContract: { sending: 'before-reclaim-broadcast', read: 'after-reclaim-broadcast' },
};

export function watchForCrash(points: CrashPoints, route: string, body: unknown): CallWatch | undefined {
  const moments = MOMENTS[route === 'wallet/broadcasttransaction' ? contractOf(body) : route];
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
