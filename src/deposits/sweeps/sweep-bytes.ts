import { createHash } from 'node:crypto';
import { toHexAddress } from '../../chain/tron/addresses';
import type { ContractValues } from '../../chain/transactions/kinds/contract';
import { type RawData, readRawData, UnreadableRawDataError } from '../../chain/transactions/signing/raw-data.reader';
import type { Asset } from '../deposit-states';
import { SWEEP_KINDS } from './transaction-kinds';

/** A signature with its field; the field of the raw data is as long as the number of its bytes takes. */
const SIGNATURE_BYTES = 67;
/** The network counts the result too, before there is one. */
const RESULT_BYTES = 64;
const LONGEST_ONE_BYTE_LENGTH = 127;
/** `transfer(address,uint256)`, the recipient's 20 bytes in a word, the amount in a word. */
const TRANSFER = /^a9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/;
const WORD_DIGITS = 64;

/** What the bytes of a sweep say. Addresses are `41…` in hex. */
export interface SweepBytes {
  readonly raw: RawData;
  readonly owner: string;
  readonly to: string;
  readonly amount: bigint;
  /** The contract that is called; null: TRX are moved. */
  readonly token: string | null;
}

/** What the network counts of a transaction with one signature, in bytes of bandwidth. */
export function bytesOf(rawDataHex: string): number {
  const raw = rawDataHex.length / 2;
  return 1 + (raw > LONGEST_ONE_BYTE_LENGTH ? 2 : 1) + raw + SIGNATURE_BYTES + RESULT_BYTES;
}

export function txIdOf(rawDataHex: string): string {
  return createHash('sha256').update(Buffer.from(rawDataHex, 'hex')).digest('hex');
}

const word = (hex: string) => hex.padStart(WORD_DIGITS, '0');

/** The fields of a sweep besides its owner. `to` and `usdt`: base58check. */
export function valuesOf(asset: Asset, to: string, amount: bigint, usdt: string): ContractValues {
  if (asset === 'TRX') return { to_address: to, amount };
  return { contract_address: usdt, data: `a9059cbb${word(toHexAddress(to).slice(2))}${word(amount.toString(16))}` };
}

/** What the bytes say, or why they are no sweep: with a field that a transfer of ours has not (a note, another fee limit), they are none. */
export function readSweep(rawDataHex: string, asset: Asset): SweepBytes | string {
  const { contract } = SWEEP_KINDS[asset];
  try {
    const raw = readRawData(Buffer.from(rawDataHex, 'hex'), contract);
    if (raw.typeUrl !== `type.googleapis.com/protocol.${contract.name}`) return `its contract is ${raw.typeUrl}`;
    if (raw.permissionId !== 0n) return `it names permission ${raw.permissionId}`;
    const owner = raw.values['owner_address'] as string;
    if (asset === 'TRX')
      return {
        raw,
        owner,
        to: raw.values['to_address'] as string,
        amount: raw.values['amount'] as bigint,
        token: null,
      };
    const [, to, amount] = TRANSFER.exec(raw.values['data'] as string) ?? [];
    if (to === undefined || amount === undefined) return 'it calls something other than a transfer';
    return {
      raw,
      owner,
      to: `41${to}`,
      amount: BigInt(`0x${amount}`),
      token: raw.values['contract_address'] as string,
    };
  } catch (error) {
    if (error instanceof UnreadableRawDataError) return error.message;
    throw error;
  }
}
