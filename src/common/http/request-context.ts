import { AsyncLocalStorage } from 'node:async_hooks';

interface RequestContext {
  readonly id: string;
  /** By the monotonic clock. Moves on to the last byte: a caller that still sends has given nothing up. */
  arrivedMs: number;
}

/** The request that the code is working for, whatever it has awaited since; none in background work. */
const contexts = new AsyncLocalStorage<RequestContext>();

export function withinRequest(context: RequestContext, work: () => void): void {
  contexts.run(context, work);
}

export function currentRequestId(): string | undefined {
  return contexts.getStore()?.id;
}

export function currentArrivalMs(): number | undefined {
  return contexts.getStore()?.arrivedMs;
}
