import { EventOutbox } from '../../src/webhooks/event-outbox';
import type { TestApp } from './test-app';

const SLOW_MS = 50;

/**
 * Each event of this instance takes its time before it is written. An event whose writing is not awaited comes after the end of its
 * transaction, every time, and is lost.
 */
export function slowEvents({ app }: TestApp): void {
  const outbox = app.get(EventOutbox);
  const write = outbox.write.bind(outbox);
  jest.spyOn(outbox, 'write').mockImplementation(async (...given) => {
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    await write(...given);
  });
}
