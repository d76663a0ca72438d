import { createHash } from 'node:crypto';
import { type RawData, readRawData, UnreadableRawDataError } from '../../chain/transactions/signing/raw-data.reader';
import { SWEEP_TRX } from './transaction-kinds';

/** A signature with its field; the field of the raw data is as long as the number of its bytes takes. */
const SIGNATURE_BYTES = 67;
/** The network counts the result too, before there is one. */
const RESULT_BYTES = 64;
const LONGEST_ONE_BYTE_LENGTH = 127;

/** What the network counts of a transaction with one signature, in bytes of bandwidth. */
export function bytesOf(rawDataHex: string): number {
  const raw = rawDataHex.length / 2;
  return 1 + (raw > LONGEST_ONE_BYTE_LENGTH ? 2 : 1) + raw + SIGNATURE_BYTES + RESULT_BYTES;
}

export function txIdOf(rawDataHex: string): string {
  return createHash('sha256').update(Buffer.from(rawDataHex, 'hex')).digest('hex');
}

/** What the bytes say, or why they are no sweep: with a field that a transfer of ours has not (a fee limit, a note), they are none. */
export function readSweep(rawDataHex: string): RawData | string {
  const { contract } = SWEEP_TRX;
  try {
    const raw = readRawData(Buffer.from(rawDataHex, 'hex'), contract);
    if (raw.typeUrl !== `type.googleapis.com/protocol.${contract.name}`) return `its contract is ${raw.typeUrl}`;
    if (raw.permissionId !== 0n) return `it names permission ${raw.permissionId}`;
    return raw;
  } catch (error) {
    if (error instanceof UnreadableRawDataError) return error.message;
    throw error;
  }
}
