import type { ChainNode, StateChange } from '../chain/chain.node';
import { TRX } from '../chain/chain.parameters';
import { ChainControlError } from '../chain/control.error';
import { ChainTransaction } from '../chain/transaction.model';
import { TRIGGER_CONTRACT } from '../protobuf/contract.schema';
import type { JsonObject } from '../protobuf/json.printer';
import { RAW } from '../protobuf/transaction.schema';
import { empty, encode } from '../protobuf/wire.codec';
import { sha256 } from '../signing/hash';
import { addressOfKey, sign } from '../signing/secp256k1';
import { newAccount, type Account } from '../state/account.model';
import { keys } from '../state/world.state';
import { addressWord, selectorOf, word } from '../token/call.words';
import { PAYER_ADDRESS, PAY_TOKEN, PAY_TRX } from '../token/payer.program';
import { OTHER_TOKEN, type Token, USDT } from '../token/token.model';
import { allowanceKey } from '../token/token.program';
import { findFlag, getAddress, getInteger, textOf } from './control.body';
import { rawOf, STRANGER_KEY } from './transaction.control';

const TRIGGER = 31;
const FEE_LIMIT_SUN = 10_000n * TRX;
const TOO_LITTLE_SUN = 100_000n;

interface Payment {
  readonly address: string;
  readonly amount: bigint;
}

const TOKENS: ReadonlyMap<string, Token> = new Map([
  ['USDT', USDT],
  ['other', OTHER_TOKEN],
]);

/**
 * Makes pending a stranger's call of the contract that pays many: what it pays is in no block's bytes, only in the logs and internal
 * calls that a node shows. The stranger gets what it takes.
 */
export function controlPayment(node: ChainNode, body: JsonObject): JsonObject {
  const payments = paymentsIn(body);
  const total = payments.reduce((sum, { amount }) => sum + amount, 0n);
  const asset = textOf(body, 'asset');
  const token = TOKENS.get(asset);
  if (!token && asset !== 'TRX') throw new ChainControlError('"asset" must be TRX, USDT or other');
  const owner = addressOfKey(STRANGER_KEY).toString('hex');
  prepare(node, owner, token, total);
  const data = token ? callOf(PAY_TOKEN, payments, token) : callOf(PAY_TRX, payments);
  const message = {
    ...empty(TRIGGER_CONTRACT),
    owner_address: Buffer.from(owner, 'hex'),
    contract_address: Buffer.from(PAYER_ADDRESS, 'hex'),
    call_value: token ? 0n : total,
    data,
  };
  const feeLimit = findFlag(body, 'runs_out') ? TOO_LITTLE_SUN : FEE_LIMIT_SUN;
  const value = encode(TRIGGER_CONTRACT, message);
  const raw = { ...rawOf(node, TRIGGER, TRIGGER_CONTRACT.name, value), fee_limit: feeLimit };
  const signature = [sign(sha256(encode(RAW, raw)), STRANGER_KEY)];
  const tx = new ChainTransaction({ raw_data: raw, signature });
  node.broadcast(tx);
  return { txid: tx.id };
}

function paymentsIn(body: JsonObject): Payment[] {
  const listed = body['payments'];
  if (!Array.isArray(listed) || listed.length === 0)
    throw new ChainControlError('"payments" must be a list of {"address","amount"}');
  return listed.map((one) => {
    const payment = one as JsonObject;
    return { address: getAddress(payment), amount: getInteger(payment, 'amount') };
  });
}

function prepare(node: ChainNode, owner: string, token: Token | undefined, total: bigint): void {
  const pay = (before?: Account): Account => ({
    ...(before ?? newAccount(owner, node.head.timestamp)),
    balanceSun: FEE_LIMIT_SUN * 10n + (token ? 0n : total),
  });
  const changes = new Map<string, StateChange>([[keys.account(owner), pay]]);
  if (token) {
    const add = (before?: bigint) => (before ?? 0n) + total;
    changes.set(token.balanceKey(owner), add);
    changes.set(allowanceKey(token, owner, PAYER_ADDRESS), add);
  }
  node.amend(changes);
}

function callOf(signature: string, payments: readonly Payment[], token?: Token): Buffer {
  const fixed = token ? [addressWord(token.address)] : [];
  const first = BigInt((fixed.length + 2) * 32);
  const second = first + BigInt((payments.length + 1) * 32);
  const count = word(BigInt(payments.length));
  return Buffer.concat([
    Buffer.from(selectorOf(signature), 'hex'),
    ...fixed,
    word(first),
    word(second),
    count,
    ...payments.map(({ address }) => addressWord(address)),
    count,
    ...payments.map(({ amount }) => word(amount)),
  ]);
}
