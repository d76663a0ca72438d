import { Injectable } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import { utils } from 'tronweb';
import { CrashPoints } from '../../../common/crash-points';
import { broadcastBody, type SignedTransaction } from '../../tron/node/signed-transaction';
import type { ReferenceBlock } from '../../verified-chain/reference-blocks';
import { LIFETIME_MS, MOST_EARLIER_MS } from '../../verified-chain/transaction-lifetime';
import { inHex, jsonOf, type ContractValues } from '../kinds/contract';
import type { TransactionKind } from '../kinds/transaction-kind';
import type { PlannedTransaction } from './planned-transaction';
import type { KeyOwner } from './signing-keys';
import { OWNER, referenceFields, TransactionSigner } from './transaction-signer';

/** Builds without any call, and has it signed, before the database transaction that saves it opens. */
@Injectable()
export class TransactionBuilder {
  private lastTimestampMs = 0;

  constructor(
    private readonly signer: TransactionSigner,
    private readonly crashPoints: CrashPoints,
  ) {}

  /** `values`: of the contract's fields that are not fixed, besides the owner. @throws SigningRefusedError, SigningKeyError */
  async sign(
    wallet: KeyOwner,
    kind: TransactionKind,
    values: ContractValues,
    reference: ReferenceBlock,
  ): Promise<SignedTransaction> {
    // Random, because two instances may build equal orders in the same millisecond, which would be one transaction.
    const expirationMs = reference.headTimeMs + LIFETIME_MS - randomInt(MOST_EARLIER_MS);
    // Unique in this process, because equal orders on one reference block would be one transaction. No node checks the timestamp.
    this.lastTimestampMs = Math.max(this.lastTimestampMs + 1, Date.now());
    const timestampMs = this.lastTimestampMs;
    const planned = { kind, values, reference, expirationMs, timestampMs };
    const { rawData, rawDataHex } = unsignedData(wallet, planned);
    const signed = await this.signer.sign(wallet, planned, Buffer.from(rawDataHex, 'hex'));
    this.crashPoints.reached('after-signature');
    const parts = { ...signed, rawData, rawDataHex };
    return { ...parts, expirationMs, refBlock: { number: reference.number }, json: broadcastBody(parts) };
  }
}

/** The bytes of a transaction, as JSON too. */
export function unsignedData(
  owner: Pick<KeyOwner, 'address' | 'permissionId'>,
  { kind, values, reference, expirationMs, timestampMs }: PlannedTransaction,
): { readonly rawData: Record<string, unknown>; readonly rawDataHex: string } {
  const { refBlockBytes, refBlockHash } = referenceFields(reference);
  const rawData = {
    contract: [contractJson(owner, kind, values)],
    ref_block_bytes: refBlockBytes,
    ref_block_hash: refBlockHash,
    expiration: expirationMs,
    timestamp: timestampMs,
    ...(kind.contract.feeLimitSun !== undefined && { fee_limit: Number(kind.contract.feeLimitSun) }),
  };
  return { rawData, rawDataHex: encode(rawData) };
}

function contractJson(
  { address, permissionId }: Pick<KeyOwner, 'address' | 'permissionId'>,
  { contract, fixed }: TransactionKind,
  values: ContractValues,
) {
  const { name, fields } = contract;
  const all = inHex({ ...values, ...fixed, [OWNER]: address }, fields);
  return {
    parameter: { value: jsonOf(all, fields), type_url: `type.googleapis.com/protocol.${name}` },
    type: name,
    ...(permissionId > 0 && { Permission_id: permissionId }),
  };
}

function encode(rawData: object): string {
  const message: unknown = utils.transaction.txJsonToPb({ raw_data: rawData });
  return utils.transaction.txPbToRawDataHex(message).toLowerCase();
}
