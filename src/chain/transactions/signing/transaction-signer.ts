import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { ServiceError } from '../../../common/errors/service.error';
import { SUN_PER_TRX } from '../../../common/money/sun';
import { toHexAddress } from '../../tron/addresses';
import type { TransactionPurpose } from '../outbox/chain-transaction.entity';
import type { ReferenceBlock } from '../../verified-chain/reference-blocks';
import type { WalletRole } from './wallet-role';
import { JudgedKeys } from './judged-keys';
import {
  DELEGATE_CONTRACT,
  type RawData,
  readRawData,
  TRANSFER_CONTRACT,
  UNDELEGATE_CONTRACT,
  UnreadableRawDataError,
} from './raw-data.reader';
import { signDigest } from './sign-digest';
import { type KeyOwner, SigningKeys } from './signing-keys';

/** Sent to the receiver to create its account; the network burns another 1 TRX. */
export const ACTIVATION_SUN = SUN_PER_TRX;

/** What an order needs signed. */
export interface PlannedTransaction {
  readonly purpose: TransactionPurpose;
  /** base58check. */
  readonly receiver: string;
  readonly amountSun: bigint;
  readonly reference: Pick<ReferenceBlock, 'number' | 'id'>;
  readonly expirationMs: number;
  readonly timestampMs: number;
}

/** Bytes that are not what was planned, or a plan that this service never has. Nothing was signed. */
export class SigningRefusedError extends ServiceError {
  constructor(message: string) {
    super('INTERNAL', message);
    this.name = 'SigningRefusedError';
  }
}

interface Kind {
  readonly contractType: bigint;
  readonly name: string;
  readonly resource: bigint | null;
  readonly role: WalletRole;
}

const ENERGY = 1n;
const KINDS: Readonly<Record<TransactionPurpose, Kind>> = {
  delegation: { contractType: DELEGATE_CONTRACT, name: 'DelegateResourceContract', resource: ENERGY, role: 'delegate' },
  reclaim: {
    contractType: UNDELEGATE_CONTRACT,
    name: 'UnDelegateResourceContract',
    resource: ENERGY,
    role: 'delegate',
  },
  activation: { contractType: TRANSFER_CONTRACT, name: 'TransferContract', resource: null, role: 'activate' },
};

/**
 * The only place where a wallet's key meets bytes. It reads the very bytes that it signs and signs them only when they say what was
 * planned and nothing else: a fault in what builds them, or in the library, must not be able to move money or lock stake.
 */
@Injectable()
export class TransactionSigner {
  constructor(
    private readonly keys: SigningKeys,
    private readonly judged: JudgedKeys,
  ) {}

  /** @throws SigningRefusedError, SigningKeyError */
  sign(wallet: KeyOwner, planned: PlannedTransaction, rawData: Buffer): { txId: string; signature: string } {
    const reason = refusalOf(wallet, planned, rawData);
    if (reason !== null)
      throw new SigningRefusedError(`wallet ${wallet.name} signs no such ${planned.purpose}: ${reason}`);
    const { key, address } = this.keys.keyOf(wallet);
    // The file may have changed since the wallet was chosen. What is lent comes back whatever the key may do.
    if (planned.purpose !== 'reclaim') this.judged.require(wallet, address);
    const txId = createHash('sha256').update(rawData).digest('hex');
    return { txId, signature: signDigest(txId, key) };
  }
}

function refusalOf(wallet: KeyOwner, planned: PlannedTransaction, rawData: Buffer): string | null {
  const kind = KINDS[planned.purpose];
  if (wallet.role !== kind.role) return `its role is ${wallet.role}`;
  if (planned.receiver === wallet.address) return 'the receiver is the wallet itself';
  if (planned.amountSun <= 0n) return `${planned.amountSun} sun`;
  if (planned.purpose === 'activation' && planned.amountSun !== ACTIVATION_SUN)
    return `an activation is ${ACTIVATION_SUN} sun, not ${planned.amountSun}`;
  try {
    return differenceOf(readRawData(rawData), expected(wallet, planned, kind));
  } catch (error) {
    if (error instanceof UnreadableRawDataError) return error.message;
    throw error;
  }
}

function expected(wallet: KeyOwner, planned: PlannedTransaction, kind: Kind): RawData {
  return {
    contractType: kind.contractType,
    typeUrl: `type.googleapis.com/protocol.${kind.name}`,
    permissionId: BigInt(wallet.permissionId),
    owner: toHexAddress(wallet.address),
    receiver: toHexAddress(planned.receiver),
    amountSun: planned.amountSun,
    resource: kind.resource,
    ...referenceFields(planned.reference),
    expirationMs: BigInt(planned.expirationMs),
    timestampMs: BigInt(planned.timestampMs),
  };
}

/** The last two bytes of the block's number, and eight of its id. */
export function referenceFields({ number, id }: PlannedTransaction['reference']) {
  return { refBlockBytes: (number & 0xffff).toString(16).padStart(4, '0'), refBlockHash: id.slice(16, 32) };
}

/** Field, what the bytes say, and what was planned: none of it is secret. */
function differenceOf(actual: RawData, planned: RawData): string | null {
  for (const name of Object.keys(planned) as (keyof RawData)[]) {
    if (actual[name] !== planned[name]) return `${name} is ${actual[name]}, not ${planned[name]}`;
  }
  return null;
}
