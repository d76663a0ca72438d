import { Duplex } from 'node:stream';
import { gunzipSync } from 'node:zlib';

const watched = new WeakMap<Buffer, () => void>();

/** Calls when somebody has had this chunk inflated, and not only read. */
export function whenInflated(chunk: Buffer, call: () => void): void {
  watched.set(chunk, call);
}

/**
 * As node's, but at once: its own inflates on another thread, whose end the kernel does not see. Each chunk is zipped by itself
 * (too-large-answers.ts), and inflated when the one before it has been read.
 */
export function createGunzip(): Duplex {
  return Duplex.from(async function* inflate(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      watched.get(chunk)?.();
      yield gunzipSync(chunk);
    }
  });
}
