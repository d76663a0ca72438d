import type { IncomingMessage } from 'node:http';

/** 100 requests of the largest size, and room for their keys. */
export const MOST_BODY_BYTES = 1_000_000;
/** Bodies of all connections together. */
const MOST_HELD_BYTES = 64_000_000;

export class BodyError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'BodyError';
  }
}

/** Reads bodies, and bounds what they take together in memory. */
export class Bodies {
  private heldBytes = 0;

  /** @throws BodyError */
  async read<T>(request: IncomingMessage, use: (body: string) => Promise<T>): Promise<T> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        this.heldBytes += chunk.length;
        if (bytes > MOST_BODY_BYTES) throw new BodyError(413, `the body has more than ${MOST_BODY_BYTES} bytes`);
        if (this.heldBytes > MOST_HELD_BYTES) throw new BodyError(503, 'too many bodies at once');
        chunks.push(chunk);
      }
      return await use(Buffer.concat(chunks).toString('utf8'));
    } finally {
      this.heldBytes -= bytes;
    }
  }
}
