import { type RawJson, trxNumber } from '../../../common/money/json-number';
import type { SignedHeader } from '../../proof/block-header';
import { type Inclusion, wholeTransaction } from '../../proof/block-transactions';
import { WITNESS_SIGNATURE_BYTES } from '../../proof/header-signature';
import type { Witness } from '../../proof/judge';
import { postQuantumJson, readPostQuantum } from '../../proof/post-quantum';

/** A delegation in a final block, and what was kept of the chain to prove it. */
export interface ProvedDelegation extends Inclusion {
  readonly txId: string;
  readonly receiver: string;
  readonly stakeSun: bigint;
  /** protocol.Transaction.raw */
  readonly raw: Buffer;
  readonly block: { readonly number: number; readonly id: string; readonly timeMs: number };
  readonly header: SignedHeader;
  readonly following: readonly SignedHeader[];
  readonly witnesses: readonly Witness[];
}

/** A receipt as callers are shown it. */
export interface ReceiptDocument {
  readonly txid: string;
  readonly receiver_address: string;
  readonly stake: RawJson;
  readonly block_number: number;
  readonly block_id: string;
  readonly block_time: string;
  readonly transaction: string;
  readonly branch: readonly { readonly side: 'left' | 'right'; readonly hash: string }[];
  readonly header: HeaderDocument;
  readonly following: readonly HeaderDocument[];
  readonly witnesses: readonly (Witness & { readonly isJobs: true })[];
}

/** With one of the two signatures. */
interface HeaderDocument {
  readonly bytes: string;
  readonly signature?: string;
  readonly pq_auth_sig?: PostQuantumDocument;
}

interface PostQuantumDocument {
  readonly scheme: string;
  readonly public_key: string;
  readonly signature: string;
}

export function receiptDocument(proved: ProvedDelegation): ReceiptDocument {
  const { block, raw, tail } = proved;
  return {
    txid: proved.txId,
    receiver_address: proved.receiver,
    stake: trxNumber(proved.stakeSun),
    block_number: block.number,
    block_id: block.id,
    block_time: new Date(block.timeMs).toISOString(),
    transaction: wholeTransaction(raw, tail).toString('hex'),
    branch: proved.branch.map(({ side, hash }) => ({ side, hash: hash.toString('hex') })),
    header: headerDocument(proved.header),
    following: proved.following.map(headerDocument),
    witnesses: proved.witnesses.map(({ address, signing_address }) => ({ address, isJobs: true, signing_address })),
  };
}

function headerDocument({ bytes, signature }: SignedHeader): HeaderDocument {
  const postQuantum = signature.length === WITNESS_SIGNATURE_BYTES ? null : readPostQuantum(signature);
  const signed = postQuantum ? { pq_auth_sig: postQuantumJson(postQuantum) } : { signature: signature.toString('hex') };
  return { bytes: bytes.toString('hex'), ...signed };
}
