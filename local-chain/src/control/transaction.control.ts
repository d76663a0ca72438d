import type { ChainNode } from '../chain/chain.node';
import { TRX } from '../chain/chain.parameters';
import { ChainControlError } from '../chain/control.error';
import { ChainTransaction } from '../chain/transaction.model';
import { genesisAccounts, worthlessKey } from '../genesis.accounts';
import { TRANSFER } from '../protobuf/contract.schema';
import type { JsonObject } from '../protobuf/json.printer';
import { BESIDE, type BesideMessage } from '../protobuf/post-quantum.schema';
import { CONTRACT, RAW, type RawMessage } from '../protobuf/transaction.schema';
import { empty, encode } from '../protobuf/wire.codec';
import { sha256 } from '../signing/hash';
import { type PostQuantumKey, postQuantumKey, signPostQuantum } from '../signing/post-quantum';
import { addressOfKey, sign } from '../signing/secp256k1';
import { newAccount, type Account } from '../state/account.model';
import { keys } from '../state/world.state';
import { findFlag, schemeOf, textOf } from './control.body';

const TRANSFER_CONTRACT = 1;
const LIFETIME_MS = 60_000n;
const BALANCE_SUN = 1_000n * TRX;
export const STRANGER_KEY = worthlessKey('stranger');
const HIDDEN = Buffer.from('which no node shows');

/**
 * Makes pending what no caller can send to a node of today, but what a block may have: a stranger's transfer with a post-quantum signature,
 * or with a field that no node shows; that field in one that is pending already, as any peer could put it there before 4.8.2.
 */
export function controlTransaction(node: ChainNode, body: JsonObject): JsonObject {
  const [txid, hasHidden] = [textOf(body, 'txid').toLowerCase(), findFlag(body, 'hidden_field')];
  const hidden = hasHidden ? HIDDEN : Buffer.alloc(0);
  if (txid !== '') return { txid: hideIn(node, txid, hidden) };
  const scheme = body['scheme'] === undefined ? undefined : schemeOf(body);
  const key = scheme && postQuantumKey('stranger', scheme);
  const tx = transferOf(node, key, hidden);
  haveAccount(node, tx.owner);
  node.broadcast(tx);
  return { txid: tx.id };
}

function hideIn(node: ChainNode, txid: string, hidden: Buffer): string {
  const pending = node.pool.find(txid);
  if (!pending || hidden.length === 0)
    throw new ChainControlError('"txid" must be of a pending transaction, with "hidden_field": true');
  const beside = { pq_auth_sig: [...pending.postQuantum], hidden };
  node.pool.replace(new ChainTransaction(pending.signed, encode(BESIDE, beside)));
  return txid;
}

function transferOf(node: ChainNode, key: PostQuantumKey | undefined, hidden: Buffer): ChainTransaction {
  const owner = key?.address ?? addressOfKey(STRANGER_KEY);
  const raw = transferRaw(node, owner);
  const hash = sha256(encode(RAW, raw));
  const beside: BesideMessage = { pq_auth_sig: key ? [signPostQuantum(hash, key)] : [], hidden };
  const signature = key ? [] : [sign(hash, STRANGER_KEY)];
  return new ChainTransaction({ raw_data: raw, signature }, encode(BESIDE, beside));
}

function transferRaw(node: ChainNode, owner: Buffer): RawMessage {
  const to = genesisAccounts().find(({ role }) => role === 'rich')!.address;
  const value = encode(TRANSFER, { ...empty(TRANSFER), owner_address: owner, to_address: to, amount: 1n });
  return rawOf(node, TRANSFER_CONTRACT, TRANSFER.name, value);
}

/** The signed part of a transaction with this contract, on the newest block. */
export function rawOf(node: ChainNode, type: number, name: string, value: Buffer): RawMessage {
  const reference = Buffer.from(node.head.id, 'hex');
  const parameter = { type_url: `type.googleapis.com/protocol.${name}`, value };
  return {
    ...empty(RAW),
    ref_block_bytes: reference.subarray(6, 8),
    ref_block_hash: reference.subarray(8, 16),
    expiration: BigInt(node.head.timestamp) + LIFETIME_MS,
    // In one millisecond it is all that two of them differ by.
    timestamp: BigInt(node.clock.now() + node.pool.size),
    contract: [{ ...empty(CONTRACT), type, parameter }],
  };
}

/** It pays for its bytes in TRX. */
function haveAccount(node: ChainNode, address: string): void {
  const change = (before?: Account): Account => ({
    ...(before ?? newAccount(address, node.head.timestamp)),
    balanceSun: BALANCE_SUN,
  });
  node.amend(new Map([[keys.account(address), change]]));
}
