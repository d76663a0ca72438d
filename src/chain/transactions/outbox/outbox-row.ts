import { rawDataJson } from '../signing/raw-data-json';
import { broadcastBody, type SignedTransaction } from '../../tron/node/signed-transaction';
import type { Contract } from '../kinds/contract';
import type { TransactionState } from './chain-transaction.entity';

/** Named one by one: a statement that is planned already would fail if a new column changed what it gives. */
export const OUTBOX_COLUMNS = `t.id, t.tx_id, t.purpose, t.subject_kind, t.subject_id, t.wallet_id, t.receiver, t.ref_block_number,
  t.state, t.block_number, t.block_id, t.block_time_ms`;

/** A row of `chain_transactions` as those that follow the chain read it: without the bytes. */
export interface OutboxRow {
  readonly id: bigint;
  readonly tx_id: string;
  readonly purpose: string;
  readonly subject_kind: string;
  readonly subject_id: string;
  /** Null where no wallet of the pool has signed it; an order's always has one. */
  readonly wallet_id: string | null;
  /** Null where its kind has none. */
  readonly receiver: string | null;
  readonly ref_block_number: bigint;
  readonly state: TransactionState;
  readonly block_number: bigint | null;
  readonly block_id: string | null;
  readonly block_time_ms: bigint | null;
}

/** The block that it was in, which a fork has dropped. */
export type DroppedRow = OutboxRow & { readonly dropped_block_id: string };

export type DecidedRow = Pick<OutboxRow, 'id' | 'purpose' | 'subject_id'>;

export type LockedRow = DecidedRow & { readonly is_locked: boolean };

export type OpenWithPayer = Pick<OutboxRow, 'id' | 'block_id'> & { readonly payer: string | null };

export const SIGNED_COLUMNS = `t.tx_id, t.purpose, encode(t.raw_data, 'hex') as raw_data_hex,
  encode(t.signature, 'hex') as signature, t.expiration_ms, t.ref_block_number`;

/** With the bytes, to send them again: of what is open. */
export interface SignedRow {
  readonly tx_id: string;
  readonly purpose: string;
  readonly raw_data_hex: string;
  readonly signature: string;
  readonly expiration_ms: bigint;
  readonly ref_block_number: bigint;
}

export function signedOfRow(row: SignedRow, contract: Contract): SignedTransaction {
  const rawData = rawDataJson(contract, row.raw_data_hex);
  const parts = { txId: row.tx_id, rawData, rawDataHex: row.raw_data_hex, signature: row.signature };
  return {
    ...parts,
    expirationMs: Number(row.expiration_ms),
    refBlock: { number: Number(row.ref_block_number) },
    json: broadcastBody(parts),
  };
}
