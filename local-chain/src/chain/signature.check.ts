import { encodeBase58 } from '../signing/address.codec';
import { CurveError } from '../signing/curve.arithmetic';
import { postQuantumSigner } from '../signing/post-quantum';
import { recoverAddress } from '../signing/secp256k1';
import { activePermission, findPermission, ownerPermission, type Permission } from '../state/account.model';
import type { WorldState } from '../state/world.state';
import { PARAMETERS } from './chain.parameters';
import { SignatureError } from './transaction.errors';
import type { ChainTransaction } from './transaction.model';

/** A permission that does not allow what was asked of it. */
export class PermissionError extends Error {}
/** A signature that is too short to be one. */
export class SignatureFormatError extends Error {}
/** A signature from which no address can be computed. */
export class SignatureMathError extends Error {}

export interface SignedWeight {
  weight: bigint;
  approved: string[];
}

const JAVA_SIGNATURE_ERROR = 'java.security.SignatureException: ';

/** The recovery byte as Java reads it: signed, and with 27 added when it is less. */
const headerOf = (signature: Buffer): number => {
  const byte = signature.readInt8(64);
  return byte < 27 ? Buffer.from([(byte + 27) & 0xff]).readInt8(0) : byte;
};

function addressOf(hash: Buffer, signature: Buffer): Buffer | Error {
  const header = headerOf(signature);
  if (header < 27 || header > 34)
    return new SignatureMathError(`${JAVA_SIGNATURE_ERROR}Header byte out of range: ${header}`);
  const recovery = header >= 31 ? header - 31 : header - 27;
  try {
    return (
      recoverAddress(hash, signature.subarray(0, 64), recovery) ??
      new SignatureMathError(`${JAVA_SIGNATURE_ERROR}Could not recover public key from signature`)
    );
  } catch (error) {
    if (error instanceof CurveError) return new SignatureMathError(error.message);
    throw error;
  }
}

export function signerOf(tx: ChainTransaction, signature: Buffer): Buffer {
  const key = signature.toString('hex');
  const known = tx.signers.get(key) ?? addressOf(tx.hash, signature);
  tx.signers.set(key, known);
  if (known instanceof Error) throw known;
  return known;
}

export function checkWeight(tx: ChainTransaction, permission: Permission): SignedWeight {
  const { signature: signatures } = tx.signed;
  if (signatures.length > permission.keys.length)
    throw new PermissionError(
      `Signature count is ${signatures.length} more than key counts of permission : ${permission.keys.length}`,
    );
  const seen = new Set<string>();
  const signed: SignedWeight = { weight: 0n, approved: [] };
  for (const signature of signatures) {
    if (signature.length < 65) throw new SignatureFormatError(`Signature size is ${signature.length}`);
    const signer = signerOf(tx, signature);
    const address = signer.toString('hex');
    const weight = permission.keys.find((key) => key.address === address)?.weight;
    if (!weight)
      throw new PermissionError(`${tx.id} is signed by ${encodeBase58(signer)} but it is not contained of permission.`);
    const form = signature.toString('hex', 0, 64) + headerOf(signature);
    if (seen.has(form)) throw new PermissionError(`${encodeBase58(signer)} has signed twice!`);
    seen.add(form);
    signed.approved.push(address);
    signed.weight += weight;
  }
  for (const signature of tx.postQuantum) {
    const address = postQuantumSigner(tx.hash, signature)?.toString('hex');
    signed.weight += permission.keys.find((key) => key.address === address)?.weight ?? 0n;
  }
  return signed;
}

export const allowsOperation = (permission: Permission, contractType: number): boolean =>
  (Buffer.from(permission.operations, 'hex')[contractType >> 3]! & (1 << (contractType & 7))) !== 0;

/** An address without an account has the permissions that it would be given with one. */
function permissionOf(world: WorldState, tx: ChainTransaction): Permission {
  const account = world.findAccount(tx.owner);
  const id = tx.permissionId;
  const permission = account
    ? findPermission(account, id)
    : { 0: ownerPermission(tx.owner), 2: activePermission(tx.owner) }[id];
  if (!permission) throw new SignatureError("permission isn't exit");
  if (id === 0) return permission;
  if (permission.type !== 2) throw new SignatureError('Permission type is error');
  if (!allowsOperation(permission, tx.raw.contract[0]!.type)) throw new SignatureError('Permission denied');
  return permission;
}

export function checkSignatures(world: WorldState, tx: ChainTransaction): void {
  const { signature: signatures } = tx.signed;
  const count = signatures.length + tx.postQuantum.length;
  if (count === 0 || tx.raw.contract.length === 0) throw new SignatureError('miss sig or contract');
  if (signatures.length > PARAMETERS.totalSignatures) throw new SignatureError('too many signatures');
  const permission = permissionOf(world, tx);
  let weight: bigint;
  try {
    ({ weight } = checkWeight(tx, permission));
  } catch (error) {
    throw error instanceof Error ? new SignatureError(error.message) : error;
  }
  if (weight < permission.threshold) throw new SignatureError('sig error');
}
