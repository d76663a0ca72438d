import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { ServiceError } from '../../../common/errors/service.error';
import { signerOf } from '../../proof/witness-signature';
import { toHexAddress } from '../../tron/addresses';
import { inHex, type ContractValues } from '../kinds/contract';
import { JudgedKeys } from './judged-keys';
import { type RawData, readRawData, UnreadableRawDataError } from './raw-data.reader';
import type { PlannedTransaction } from './planned-transaction';
import { Signer } from './signer';
import { type KeyOwner, SigningKeys } from './signing-keys';

/** The field of every contract that says whose transaction it is. */
export const OWNER = 'owner_address';

/** Bytes that are not what was planned, or a plan that this service never has. Nothing was signed. */
export class SigningRefusedError extends ServiceError {
  constructor(message: string) {
    super('INTERNAL', message);
    this.name = 'SigningRefusedError';
  }
}

/**
 * The only way to a signature. It reads the very bytes that are to be signed and has them signed only when they say what was planned and
 * nothing else: a fault in what builds them, or in the library, must not be able to move money or lock stake. A signature of another key,
 * or of other bytes, is refused.
 */
@Injectable()
export class TransactionSigner {
  constructor(
    private readonly signer: Signer,
    private readonly keys: SigningKeys,
    private readonly judged: JudgedKeys,
  ) {}

  /** Not while a database transaction is open: it may take seconds. @throws SigningRefusedError, SigningKeyError */
  async sign(
    wallet: KeyOwner,
    planned: PlannedTransaction,
    rawData: Buffer,
  ): Promise<{ txId: string; signature: string }> {
    const reason = refusalOf(wallet, planned, rawData);
    if (reason !== null)
      throw new SigningRefusedError(`wallet ${wallet.name} signs no such ${planned.kind.name}: ${reason}`);
    const address = this.keys.keyAddress(wallet);
    // The file may have changed since the wallet was chosen. What is lent comes back whatever the key may do.
    if (!planned.kind.takesBack) this.judged.require(wallet, address);
    const digest = createHash('sha256').update(rawData).digest();
    const signature = await this.signer.sign({ ...planned, wallet }, rawData);
    if (signerOf(digest, signature) !== toHexAddress(address))
      throw (
        this.keys.wrongSignature(wallet, address) ??
        new SigningRefusedError(
          `wallet ${wallet.name}: its signer answered with no signature of ${address} for these bytes`,
        )
      );
    return { txId: digest.toString('hex'), signature };
  }
}

function refusalOf(wallet: KeyOwner, planned: PlannedTransaction, rawData: Buffer): string | null {
  const { kind, values } = planned;
  if (wallet.role !== kind.role) return `its role is ${wallet.role}`;
  if (kind.receiver !== undefined && values[kind.receiver] === wallet.address)
    return 'the receiver is the wallet itself';
  const amountSun = kind.amount === undefined ? null : ({ ...values, ...kind.fixed }[kind.amount] as bigint);
  if (amountSun !== null && amountSun <= 0n) return `${amountSun} sun`;
  try {
    return differenceOf(readRawData(rawData, kind.contract), expected(wallet, planned));
  } catch (error) {
    if (error instanceof UnreadableRawDataError) return error.message;
    throw error;
  }
}

function expected(wallet: KeyOwner, planned: PlannedTransaction): RawData {
  const { kind, values, reference, expirationMs, timestampMs } = planned;
  const { name, fields } = kind.contract;
  return {
    typeUrl: `type.googleapis.com/protocol.${name}`,
    permissionId: BigInt(wallet.permissionId),
    values: inHex({ ...values, ...kind.fixed, [OWNER]: wallet.address }, fields),
    ...referenceFields(reference),
    expirationMs: BigInt(expirationMs),
    timestampMs: BigInt(timestampMs),
  };
}

/** The last two bytes of the block's number, and eight of its id. */
export function referenceFields({ number, id }: PlannedTransaction['reference']) {
  return { refBlockBytes: (number & 0xffff).toString(16).padStart(4, '0'), refBlockHash: id.slice(16, 32) };
}

/** Field, what the bytes say, and what was planned: none of it is secret. */
function differenceOf({ values: actual, ...rest }: RawData, { values, ...planned }: RawData): string | null {
  const [said, wanted] = [{ ...rest, ...actual } as ContractValues, { ...planned, ...values } as ContractValues];
  for (const name of Object.keys({ ...said, ...wanted })) {
    const [is, should] = [textOf(said[name]), textOf(wanted[name])];
    if (is !== should) return `${name} is ${is}, not ${should}`;
  }
  return null;
}

function textOf(value: ContractValues[string] | undefined): string {
  if (value === undefined || typeof value !== 'object') return String(value);
  return JSON.stringify(value, (_name, one: unknown) => (typeof one === 'bigint' ? String(one) : one));
}
