/** Bytes that are ready to send, with what is needed to prove their outcome. */
export interface SignedTransaction {
  /** sha256 of the raw data, lower-case hex. */
  readonly txId: string;
  readonly rawData: Record<string, unknown>;
  readonly rawDataHex: string;
  readonly signature: string;
  readonly expirationMs: number;
  /** It can be in later blocks only. */
  readonly refBlock: { readonly number: number };
  /** The body of `wallet/broadcasttransaction`. */
  readonly json: Record<string, unknown>;
}

export function broadcastBody(
  parts: Pick<SignedTransaction, 'txId' | 'rawData' | 'rawDataHex' | 'signature'>,
): Record<string, unknown> {
  return {
    visible: false,
    txID: parts.txId,
    raw_data: parts.rawData,
    raw_data_hex: parts.rawDataHex,
    signature: [parts.signature],
  };
}
