/** A key wherever it is: in this process's memory, or in a program or device that signs for it. */
export interface SigningKey {
  /** 65 bytes: 4, x and y. */
  readonly publicKey: Uint8Array;
  /** It signs in this process's memory, at once and always. */
  readonly isLocal?: true;
  /** r, s and v, canonical. `digest` is the SHA-256 of `rawData`. */
  sign(rawData: Buffer, digest: Buffer): Promise<Buffer>;
}

/** A digest signature of another program was not one of this key. */
export class WrongSignatureError extends Error {
  constructor() {
    super('it answered with a signature that its public key did not make');
    this.name = 'WrongSignatureError';
  }
}
