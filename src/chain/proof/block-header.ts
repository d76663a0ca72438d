/** As java-tron's `BlockId`. */
export interface BlockId {
  readonly number: number;
  readonly id: string;
}

/** What a node says of a block of its own: it tells of which block the node's other answers are, and proves nothing. */
export interface SaidBlock extends BlockId {
  readonly timeMs: number;
}

/** Its id follows from all its fields; with `CHAIN_PROOF=nodes`, it is as the node says. */
export interface BlockHeader extends BlockId {
  readonly parentId: string;
  readonly timeMs: number;
  /** Merkle root of the block's transactions, in lower-case hex. */
  readonly root: string;
  /** The witness that it names, `41…` in lower-case hex; null when it names none. */
  readonly witness: string | null;
  /** The address of the key that signed it; null without a signature, or when it was not looked at (`CHAIN_PROOF=nodes`). */
  readonly signer: string | null;
  /** The bytes that were signed, with the signature; null where none could be verified, or it was not looked at. */
  readonly signed: SignedHeader | null;
  /** The scheme of a signature that this version does not verify: then it has no signer. */
  readonly unverified?: string;
}

export interface SignedHeader {
  /** protocol.BlockHeader.raw */
  readonly bytes: Buffer;
  /** r, s and v, which is 0 or 1; or protocol.PQAuthSig (header-signature.ts). */
  readonly signature: Buffer;
}
