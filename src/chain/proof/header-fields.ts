import type { SignedHeader } from './block-header';
import { headerHash, idOfBytes } from './block-id';
import { signerOfHeader } from './header-signature';
import { readFields } from './protobuf';

/** What signed header bytes say. */
export interface HeaderFields {
  readonly number: number;
  readonly id: string;
  readonly parentId: string;
  readonly timeMs: number;
  readonly root: Buffer;
  readonly witness: string;
  /** The address of the key that signed it; null when the signature is none, or of a scheme that this version does not verify. */
  readonly signer: string | null;
}

/** protocol.BlockHeader.raw, with the signature. Null when the bytes are no header. */
export function readSignedHeader({ bytes, signature }: SignedHeader): HeaderFields | null {
  const fields = readFields(bytes);
  const [time, root, parent, height, witness] = [1, 2, 3, 7, 9].map((number) => fields?.get(number)?.at(-1));
  if (typeof time !== 'bigint' || typeof height !== 'bigint') return null;
  if (!Buffer.isBuffer(root) || !Buffer.isBuffer(parent) || !Buffer.isBuffer(witness)) return null;
  return {
    number: Number(height),
    id: idOfBytes(height, bytes),
    parentId: parent.toString('hex'),
    timeMs: Number(time),
    root,
    witness: witness.toString('hex'),
    signer: signerOfHeader(headerHash(bytes), signature),
  };
}
