/** A message was not taken. Only a short code: what a server or a library says may name addresses and secrets. */
export class ChannelError extends Error {
  constructor(
    readonly code: string,
    readonly retryAfterMs = 0,
    /** Another attempt would end the same. */
    readonly isFinal = false,
  ) {
    super(`the message was not taken: ${code}`);
    this.name = 'ChannelError';
  }
}
