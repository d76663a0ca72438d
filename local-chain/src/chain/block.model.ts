import { HEADER_RAW, type HeaderRawMessage } from '../protobuf/transaction.schema';
import { encode } from '../protobuf/wire.codec';
import { sha256 } from '../signing/hash';

export interface Block {
  height: number;
  id: string;
  timestamp: number;
  header: Buffer;
  /** r, s and v; or protocol.PQAuthSig, which is longer. */
  signature: Buffer;
}

export const BLOCK_SIGNATURE_BYTES = 65;

/** A block's signature ends with the bare recovery number. */
export const blockSignature = (signature: Buffer): Buffer =>
  Buffer.concat([signature.subarray(0, 64), Buffer.from([signature[64]! - 27])]);

/** The height in 8 bytes and the last 24 of the header's hash. */
export function blockOf(header: HeaderRawMessage, sign: (hash: Buffer) => Buffer): Block {
  const bytes = encode(HEADER_RAW, header);
  const hash = sha256(bytes);
  const id = header.number.toString(16).padStart(16, '0') + hash.toString('hex', 8);
  return {
    height: Number(header.number),
    id,
    timestamp: Number(header.timestamp),
    header: bytes,
    signature: sign(hash),
  };
}
