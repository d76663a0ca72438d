import { broadcastBody, type SignedTransaction } from '../signing/signed-transaction';
import type { TransactionPurpose, TransactionState } from './chain-transaction.entity';

/** A row of `chain_transactions` as the hand-written SQL reads it. */
export interface OutboxRow {
  readonly id: bigint;
  readonly tx_id: string;
  readonly purpose: TransactionPurpose;
  readonly delegation_id: string;
  readonly wallet_id: string;
  readonly receiver: string;
  readonly amount_sun: bigint;
  readonly raw_data: Record<string, unknown>;
  readonly raw_data_hex: string;
  readonly signature: string;
  readonly expiration_ms: bigint;
  readonly ref_block_number: bigint;
  readonly ref_block_id: string;
  readonly state: TransactionState;
  readonly resend: boolean;
  readonly block_number: bigint | null;
  readonly block_id: string | null;
  readonly block_time_ms: bigint | null;
}

export type DecidedRow = Pick<OutboxRow, 'id' | 'purpose' | 'delegation_id'>;

export type LockedRow = DecidedRow & { readonly is_locked: boolean };

export type OpenWithPayer = Pick<OutboxRow, 'id' | 'block_id'> & { readonly payer: string | null };

export function signedOfRow(row: OutboxRow): SignedTransaction {
  const parts = { txId: row.tx_id, rawData: row.raw_data, rawDataHex: row.raw_data_hex, signature: row.signature };
  return {
    ...parts,
    expirationMs: Number(row.expiration_ms),
    refBlock: { number: Number(row.ref_block_number), id: row.ref_block_id },
    json: broadcastBody(parts),
  };
}
