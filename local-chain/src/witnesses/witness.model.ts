import { worthlessKey } from '../genesis.accounts';
import { blockSignature } from '../chain/block.model';
import { POST_QUANTUM_SIGNATURE } from '../protobuf/post-quantum.schema';
import { encode } from '../protobuf/wire.codec';
import { type PostQuantumKey, postQuantumKey, type PostQuantumScheme, signPostQuantum } from '../signing/post-quantum';
import { addressOfKey, sign } from '../signing/secp256k1';
import { newAccount, witnessPermission, type Account } from '../state/account.model';

/** A block producer, elected now or once. */
export interface Witness {
  /** What its keys are made of, from 1. */
  number: number;
  /** Which key signs its blocks: 0 its own, else the so-manieth that its witness permission has named. */
  signingKey: number;
  active: boolean;
  /** Scheme of that key, where it is a post-quantum one. */
  scheme?: PostQuantumScheme;
  /** It makes no block when its turn comes. */
  silent: boolean;
}

interface KeyPair {
  key: string;
  address: Buffer;
}

const pairs = new Map<string, KeyPair>();

function pairOf(name: string): KeyPair {
  const key = worthlessKey(name);
  const pair = pairs.get(name) ?? { key, address: addressOfKey(key) };
  pairs.set(name, pair);
  return pair;
}

/** The witness's own key, which its address is made of. */
export const ownPair = ({ number }: Witness): KeyPair => pairOf(`witness ${number}`);

/** The key that its blocks are signed with, unless it is a post-quantum one. Anybody can compute it: a test forges with it what it likes. */
export const signingPair = (witness: Witness): KeyPair =>
  witness.signingKey === 0 ? ownPair(witness) : pairOf(`witness ${witness.number}, signing key ${witness.signingKey}`);

const postQuantumOf = (witness: Witness): PostQuantumKey | undefined =>
  witness.scheme && postQuantumKey(nameOfKey(witness), witness.scheme);

/** Another one when its signing key is. */
export const nameOfKey = ({ number, signingKey, scheme }: Witness): string =>
  `witness ${number}, signing key ${signingKey}${scheme ? ` of ${scheme}` : ''}`;

export const ownAddress = (witness: Witness): Buffer => ownPair(witness).address;

export const signingAddress = (witness: Witness): Buffer => (postQuantumOf(witness) ?? signingPair(witness)).address;

/** As a block keeps it: the one kind of signature, or the other. */
export function signBlock(hash: Buffer, witness: Witness): Buffer {
  const key = postQuantumOf(witness);
  if (!key) return blockSignature(sign(hash, signingPair(witness).key));
  return encode(POST_QUANTUM_SIGNATURE, signPostQuantum(hash, key));
}

export const addressOf = (witness: Witness): string => ownPair(witness).address.toString('hex');

/** As on mainnet, where many witnesses keep the key that signs blocks apart from the one that owns the account: every third. */
export const newWitness = (number: number): Witness => ({
  number,
  signingKey: number % 3 === 2 ? 1 : 0,
  active: true,
  silent: false,
});

/** As java-tron has them: those of genesis without a witness permission, those that were made later with one, often for their own key. */
export function witnessAccount(witness: Witness, before: Account | undefined): Account {
  const account: Account = { ...(before ?? newAccount(addressOf(witness), 0)), isWitness: true };
  if (witness.signingKey > 0 || witness.scheme || witness.number % 3 === 0)
    account.witness = witnessPermission(signingAddress(witness).toString('hex'));
  return account;
}
