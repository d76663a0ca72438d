import type { WorldState } from '../state/world.state';
import { keys } from '../state/world.state';
import {
  addressOf,
  addressWord,
  argument,
  numberOf,
  selectorIn,
  selectorOf,
  textWords,
  topicOf,
  word,
} from './call.words';
import { type ContractCall, type ContractProgram, type LogEntry, type Outcome, REVERTED } from './contract.program';
import { TOKEN_ABI } from './token.abi';
import {
  ALLOWANCE_ENERGY,
  APPROVAL_ENERGY,
  OTHER_TOKEN,
  READING_ENERGY,
  TOKEN_DECIMALS,
  TOKEN_NAME,
  TOKEN_SYMBOL,
  TRANSFER_TO_EMPTY,
  TRANSFER_TO_HOLDER,
  type Token,
  USDT,
} from './token.model';

type Method = (world: WorldState, call: ContractCall, token: Token) => Outcome;

/** An allowance of so much is never used up. */
const UNLIMITED = 2n ** 256n - 1n;

const reading = (output: Buffer): Outcome => ({ energy: READING_ENERGY, output });
const valueAt = (world: WorldState, key: string): bigint => (world.layer.get(key) as bigint | undefined) ?? 0n;
const balanceOf = (world: WorldState, token: Token, holder: string): bigint => valueAt(world, token.balanceKey(holder));
const supplyOf = (world: WorldState, token: Token): bigint =>
  ([...world.layer.entries(token.balanceKey()).values()] as bigint[]).reduce((sum, balance) => sum + balance, 0n);

export const allowanceKey = (token: Token, owner: string, spender: string): string =>
  keys.allowance(token.address, owner, spender);

function event(token: Token, name: string, from: string, to: string, amount: bigint): LogEntry {
  const topics = [
    topicOf(`${name}(address,address,uint256)`),
    ...[from, to].map((it) => addressWord(it).toString('hex')),
  ];
  return { address: token.address.slice(2), topics, data: word(amount).toString('hex') };
}

export interface TokenMove {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

/** Storing zero where zero is costs no more than changing a balance. */
export function moveOutcome(world: WorldState, token: Token, { from, to, amount }: TokenMove): Outcome {
  if (balanceOf(world, token, from) < amount) return REVERTED;
  const begins = amount > 0n && balanceOf(world, token, to) === 0n;
  return {
    energy: begins ? TRANSFER_TO_EMPTY : TRANSFER_TO_HOLDER,
    output: word(0n),
    logs: [event(token, 'Transfer', from, to, amount)],
    apply(changed) {
      changed.layer.put(token.balanceKey(from), balanceOf(changed, token, from) - amount);
      changed.layer.put(token.balanceKey(to), balanceOf(changed, token, to) + amount);
    },
  };
}

/** As `transferFrom`: by an account that the owner has allowed it. */
export function spendOutcome(world: WorldState, token: Token, spender: string, move: TokenMove): Outcome {
  const key = allowanceKey(token, move.from, spender);
  const moved = moveOutcome(world, token, move);
  if (moved.reverted || valueAt(world, key) < move.amount) return REVERTED;
  return {
    ...moved,
    energy: moved.energy + ALLOWANCE_ENERGY,
    output: word(1n),
    apply(changed) {
      moved.apply!(changed);
      const left = valueAt(changed, key);
      if (left !== UNLIMITED) changed.layer.put(key, left - move.amount);
    },
  };
}

/** USDT on TRON answers no success to a transfer: its result is zero. To the two others it answers one. */
const transfer: Method = (world, { caller, data }, token) =>
  moveOutcome(world, token, { from: caller, to: addressOf(argument(data, 0)), amount: numberOf(argument(data, 1)) });

const transferFrom: Method = (world, { caller, data }, token) => {
  const [from, to] = [addressOf(argument(data, 0)), addressOf(argument(data, 1))];
  return spendOutcome(world, token, caller, { from, to, amount: numberOf(argument(data, 2)) });
};

const approve: Method = (_world, { caller, data }, token) => {
  const [spender, amount] = [addressOf(argument(data, 0)), numberOf(argument(data, 1))];
  return {
    energy: APPROVAL_ENERGY,
    output: word(1n),
    logs: [event(token, 'Approval', caller, spender, amount)],
    apply: (changed) => changed.layer.put(allowanceKey(token, caller, spender), amount),
  };
};

const bySelector = (methods: Readonly<Record<string, Method>>): ReadonlyMap<string, Method> =>
  new Map(Object.entries(methods).map(([signature, method]) => [selectorOf(signature), method]));

const READINGS = bySelector({
  'balanceOf(address)': (world, { data }, token) =>
    reading(word(balanceOf(world, token, addressOf(argument(data, 0))))),
  'allowance(address,address)': (world, { data }, token) =>
    reading(word(valueAt(world, allowanceKey(token, addressOf(argument(data, 0)), addressOf(argument(data, 1)))))),
  'totalSupply()': (world, _call, token) => reading(word(supplyOf(world, token))),
  'decimals()': () => reading(word(TOKEN_DECIMALS)),
  'name()': () => reading(textWords(TOKEN_NAME)),
  'symbol()': () => reading(textWords(TOKEN_SYMBOL)),
});
const CHANGES = bySelector({
  'transfer(address,uint256)': transfer,
  'transferFrom(address,address,uint256)': transferFrom,
  'approve(address,uint256)': approve,
});

const tokenProgram = (token: Token): ContractProgram => ({
  address: token.address,
  name: TOKEN_NAME,
  abi: TOKEN_ABI,
  readings: new Set(READINGS.keys()),
  run(world, call) {
    // No method takes TRX.
    if (call.callValueSun > 0n) return REVERTED;
    const selector = selectorIn(call.data);
    return (CHANGES.get(selector) ?? READINGS.get(selector))?.(world, call, token) ?? REVERTED;
  },
});

export const TOKEN_PROGRAMS: readonly ContractProgram[] = [USDT, OTHER_TOKEN].map(tokenProgram);
