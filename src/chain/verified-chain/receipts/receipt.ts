import { DomainError } from '../../../common/errors/domain.error';
import type { SignedHeader } from '../../proof/block-header';
import type { Witness } from '../../proof/judge';
import type { BranchStep } from '../../proof/merkle-tree';
import { postQuantumBytes } from '../../proof/post-quantum';
import { bytesOf } from '../../proof/protobuf';

/** What a receipt states and what proves it, all of it the chain's own. */
export interface Receipt {
  readonly txid: string;
  readonly receiver_address: string;
  /** TRX, as the document writes it. */
  readonly stake: string;
  readonly block_number: number;
  readonly block_id: string;
  readonly block_time: string;
  /** protocol.Transaction */
  readonly transaction: Buffer;
  readonly branch: readonly BranchStep[];
  readonly header: SignedHeader;
  /** The headers of the blocks above it, one after the other. */
  readonly following: readonly SignedHeader[];
  readonly witnesses: readonly Witness[];
}

type Json = Readonly<Record<string, unknown>>;

const HASH = /^[0-9a-f]{64}$/;
/** v is 0 or 1: with older nodes' 27 or 28 beside it, a byte could be changed and the signature would be the same. */
const SIGNATURE = /^[0-9a-f]{128}0[01]$/;
const ADDRESS = /^41[0-9a-f]{40}$/;

/**
 * Reads the route's answer. Hex is in small letters and no field may be there that is not known: a field that is not compared would look
 * proved.
 * @throws DomainError
 */
export function readReceipt(text: string): Receipt {
  const answer = fields(parse(text), 'answer', ['success', 'data']);
  if (answer['success'] !== true) throw malformed('success');
  const data = fields(answer['data'], 'data', [
    'txid',
    'receiver_address',
    'stake',
    'block_number',
    'block_id',
    'block_time',
    'transaction',
    'branch',
    'header',
    'following',
    'witnesses',
  ]);
  return {
    txid: matching(data['txid'], 'txid', HASH),
    receiver_address: matching(data['receiver_address'], 'receiver_address', /^T\w+$/),
    stake: matching(data['stake'], 'stake', /^\d+(?:\.\d+)?$/),
    block_number: number(data['block_number'], 'block_number'),
    block_id: matching(data['block_id'], 'block_id', HASH),
    block_time: matching(data['block_time'], 'block_time', /^[\d-]+T[\d:.]+Z$/),
    transaction: bytes(data['transaction'], 'transaction'),
    branch: list(data['branch'], 'branch').map((step, at) => branchStep(step, `branch[${at}]`)),
    header: header(data['header'], 'header'),
    following: list(data['following'], 'following').map((one, at) => header(one, `following[${at}]`)),
    witnesses: list(data['witnesses'], 'witnesses').map((one, at) => {
      const witness = fields(one, `witnesses[${at}]`, ['address', 'isJobs', 'signing_address']);
      if (witness['isJobs'] !== true) throw malformed(`witnesses[${at}].isJobs`);
      return readWitness(witness, `witnesses[${at}]`);
    }),
  };
}

/** The active ones of a file that `witnesses:export` has written. @throws DomainError */
export function readWitnessFile(text: string): Witness[] {
  const active = list((parse(text) as Json | null)?.['witnesses'], 'witnesses').filter(
    (one) => (one as Json | null)?.['isJobs'] === true,
  );
  if (active.length === 0) throw malformed('witnesses');
  const witnesses = active.map((one, at) => readWitness(one as Json, `witnesses[${at}]`));
  // Only one key of a witness that stands there twice would be looked at.
  if (new Set(witnesses.map(({ address }) => address)).size < witnesses.length) throw malformed('witnesses');
  return witnesses;
}

function readWitness({ address, signing_address: signer }: Json, name: string): Witness {
  return {
    address: matching(address, `${name}.address`, ADDRESS),
    signing_address: matching(signer, `${name}.signing_address`, ADDRESS),
  };
}

function header(value: unknown, name: string): SignedHeader {
  const {
    bytes: raw,
    signature,
    pq_auth_sig: postQuantum,
  } = fields(value, name, ['bytes', 'signature', 'pq_auth_sig']);
  const signed =
    postQuantum === undefined
      ? Buffer.from(matching(signature, `${name}.signature`, SIGNATURE), 'hex')
      : postQuantumSignature(postQuantum, signature, name);
  return { bytes: bytes(raw, `${name}.bytes`), signature: signed };
}

/** In the place of the other signature, as a header has one of the two. */
function postQuantumSignature(value: unknown, other: unknown, name: string): Buffer {
  const read = fields(value, `${name}.pq_auth_sig`, ['scheme', 'public_key', 'signature']);
  for (const part of ['public_key', 'signature']) bytes(read[part], `${name}.pq_auth_sig.${part}`);
  const encoded = postQuantumBytes(read);
  if (encoded === null || other !== undefined) throw malformed(`${name}.pq_auth_sig`);
  return encoded;
}

function branchStep(value: unknown, name: string): BranchStep {
  const { side, hash } = fields(value, name, ['side', 'hash']);
  if (side !== 'left' && side !== 'right') throw malformed(`${name}.side`);
  return { side, hash: Buffer.from(matching(hash, `${name}.hash`, HASH), 'hex') };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, keepAmount);
  } catch {
    throw malformed('JSON');
  }
}

/** An amount stays the text that it is: as a double, a digit of it could be another one. */
function keepAmount(key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return key === 'stake' ? (typeof value === 'number' && context?.source) || null : value;
}

function fields(value: unknown, name: string, known: readonly string[]): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw malformed(name);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new DomainError('receipt.field-unknown', { field: unknown });
  return value as Json;
}

function list(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(name);
  return value;
}

function matching(value: unknown, name: string, pattern: RegExp): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw malformed(name);
  return value;
}

function bytes(value: unknown, name: string): Buffer {
  const read = bytesOf(value);
  // Lower case alone, and without a pattern: one over millions of digits overflows the stack.
  if (!read?.length || read.toString('hex') !== value) throw malformed(name);
  return read;
}

function number(value: unknown, name: string): number {
  if (!Number.isSafeInteger(value)) throw malformed(name);
  return value as number;
}

function malformed(field: string): DomainError {
  return new DomainError('receipt.malformed', { field });
}
