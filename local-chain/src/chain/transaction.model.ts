import { CONTRACT_RULES } from '../contracts/contract.registry';
import type { ContractRule } from '../contracts/contract.rule';
import { BESIDE, type PostQuantumSignature } from '../protobuf/post-quantum.schema';
import {
  RAW,
  TRANSACTION,
  TRANSACTION_RESULT,
  type RawMessage,
  type TransactionMessage,
} from '../protobuf/transaction.schema';
import { InvalidWireError, decode, empty, encode } from '../protobuf/wire.codec';
import { sha256 } from '../signing/hash';
import type { CallResult } from './transaction.receipt';

/** A transaction as it came: everything in here is made from its bytes, never taken from what the sender claims of it. */
export class ChainTransaction {
  readonly raw: RawMessage;
  readonly rawBytes: Buffer;
  readonly id: string;
  readonly hash: Buffer;
  readonly bytes: Buffer;
  readonly rule: ContractRule | undefined;
  readonly message: { owner_address: Buffer } | undefined;
  /** Addresses recovered from the signatures, kept: a transaction is checked up to three times. */
  readonly signers = new Map<string, Buffer | Error>();

  /** @param beside protobuf after the results: what no caller can send here, and only `control/transaction` puts there */
  constructor(
    readonly signed: TransactionMessage,
    readonly beside: Buffer = Buffer.alloc(0),
  ) {
    this.raw = signed.raw_data ?? empty(RAW);
    this.rawBytes = encode(RAW, this.raw);
    this.hash = sha256(this.rawBytes);
    this.id = this.hash.toString('hex');
    this.bytes = Buffer.concat([encode(TRANSACTION, signed), beside]);
    const contract = this.raw.contract[0];
    this.rule = contract ? CONTRACT_RULES.get(contract.type) : undefined;
    const parameter = contract?.parameter;
    this.message = this.rule && parameter && unpack(this.rule, parameter.type_url, parameter.value);
  }

  /** As a node of 4.8.2 takes it from others: fields that it does not know are cut. */
  static parse(bytes: Buffer): ChainTransaction {
    return new ChainTransaction(decode(TRANSACTION, bytes));
  }

  /** From a block of this chain. */
  static restore(bytes: Buffer): ChainTransaction {
    return new ChainTransaction(decode(TRANSACTION, bytes), encode(BESIDE, decode(BESIDE, bytes)));
  }

  get postQuantum(): readonly PostQuantumSignature[] {
    return this.beside.length === 0 ? [] : decode(BESIDE, this.beside).pq_auth_sig;
  }

  get owner(): string {
    return this.message?.owner_address.toString('hex') ?? '';
  }
  get permissionId(): number {
    return this.raw.contract[0]?.Permission_id ?? 0;
  }
  get expiresAt(): number {
    return Number(this.raw.expiration);
  }
}

/** `contractRet` as it travels. */
const RESULTS: Readonly<Record<CallResult, number>> = { SUCCESS: 1, REVERT: 2, OUT_OF_ENERGY: 10 };

/** A transaction's bytes as a block holds them: with its result, before the fields of higher numbers. */
export function bytesInBlock(bytes: Buffer, result: CallResult): Buffer {
  const beside = encode(BESIDE, decode(BESIDE, bytes));
  const before = bytes.subarray(0, bytes.length - beside.length);
  return Buffer.concat([
    before,
    encode(TRANSACTION_RESULT, { ret: [{ fee: 0n, contractRet: RESULTS[result] }] }),
    beside,
  ]);
}

/** A contract whose name or bytes do not fit its type has no owner, and so no account that could sign it. */
function unpack(rule: ContractRule, typeUrl: string, value: Buffer): { owner_address: Buffer } | undefined {
  if (!typeUrl.endsWith(`/protocol.${rule.schema.name}`)) return undefined;
  try {
    return decode(rule.schema, value);
  } catch (error) {
    if (error instanceof InvalidWireError) return undefined;
    throw error;
  }
}
