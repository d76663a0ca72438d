import { AsyncLocalStorage } from 'node:async_hooks';

/** The id of the request that the code is working for, whatever it has awaited since; none in background work. */
const ids = new AsyncLocalStorage<string>();

export function withinRequest(id: string, work: () => void): void {
  ids.run(id, work);
}

export function currentRequestId(): string | undefined {
  return ids.getStore();
}
