import type { WorldState } from '../state/world.state';
import {
  FACTOR_ONE,
  READING_ENERGY,
  REVERT_ENERGY,
  TOKEN_ADDRESS,
  TOKEN_DECIMALS,
  TOKEN_NAME,
  TOKEN_SYMBOL,
  TRANSFER_TO_EMPTY,
  TRANSFER_TO_HOLDER,
  selectorOf,
  topicOf,
} from './token.model';

export interface TokenCall {
  caller: string;
  data: Buffer;
  callValueSun: bigint;
}

export interface LogEntry {
  /** 20 bytes, as the node shows it: without the 41 in front. */
  address: string;
  topics: string[];
  data: string;
}

/** What a call comes to; nothing is changed until `apply`. */
export interface Execution {
  reverted: boolean;
  /** With the penalty in it. */
  energyUnits: bigint;
  penaltyUnits: bigint;
  output: Buffer;
  logs: LogEntry[];
  apply(world: WorldState): void;
}

type Outcome = Pick<Execution, 'output'> & Partial<Pick<Execution, 'logs' | 'apply' | 'reverted'>> & { energy: bigint };
type Method = (world: WorldState, call: TokenCall) => Outcome;

const WORD = 32;
const word = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(WORD * 2, '0'), 'hex');
const addressWord = (address: string): Buffer => Buffer.from(address.slice(2).padStart(WORD * 2, '0'), 'hex');
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & (WORD - 1))]);
const textOf = (text: string): Buffer =>
  Buffer.concat([word(BigInt(WORD)), word(BigInt(Buffer.byteLength(text))), padded(Buffer.from(text))]);

/** Data that is too short is read on as zeros. */
const argument = ({ data }: TokenCall, index: number): Buffer => {
  const start = 4 + index * WORD;
  return Buffer.concat([data.subarray(start, start + WORD), Buffer.alloc(WORD)]).subarray(0, WORD);
};
const addressOf = (bytes: Buffer): string => `41${bytes.toString('hex', WORD - 20)}`;
const numberOf = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);

const REVERTED: Outcome = { energy: REVERT_ENERGY, output: Buffer.alloc(0), reverted: true };
const reading = (output: Buffer): Outcome => ({ energy: READING_ENERGY, output });

/** Storing zero where zero is costs no more than changing a balance. USDT on TRON answers no success: its result is zero. */
function transfer(world: WorldState, call: TokenCall): Outcome {
  const [to, amount] = [addressOf(argument(call, 0)), numberOf(argument(call, 1))];
  if (world.tokenBalance(call.caller) < amount) return REVERTED;
  const begins = amount > 0n && world.tokenBalance(to) === 0n;
  const topics = [topicOf('Transfer(address,address,uint256)'), ...[call.caller, to].map(addressWord).map(hex)];
  return {
    energy: begins ? TRANSFER_TO_EMPTY : TRANSFER_TO_HOLDER,
    output: word(0n),
    logs: [{ address: TOKEN_ADDRESS.slice(2), topics, data: word(amount).toString('hex') }],
    apply(changed) {
      changed.setTokenBalance(call.caller, changed.tokenBalance(call.caller) - amount);
      changed.setTokenBalance(to, changed.tokenBalance(to) + amount);
    },
  };
}
const hex = (bytes: Buffer): string => bytes.toString('hex');

const READINGS: ReadonlyMap<string, Method> = new Map<string, Method>(
  Object.entries({
    'balanceOf(address)': (world: WorldState, call: TokenCall) =>
      reading(word(world.tokenBalance(addressOf(argument(call, 0))))),
    'totalSupply()': (world: WorldState) => reading(word(world.tokenSupply())),
    'decimals()': () => reading(word(TOKEN_DECIMALS)),
    'name()': () => reading(textOf(TOKEN_NAME)),
    'symbol()': () => reading(textOf(TOKEN_SYMBOL)),
  }).map(([signature, method]) => [selectorOf(signature), method]),
);
const TRANSFER = selectorOf('transfer(address,uint256)');

const selectorIn = ({ data }: Pick<TokenCall, 'data'>): string => data.toString('hex', 0, 4);

/** Such a call changes nothing, so that the node answers it at once instead of building a transaction. */
export const isReading = (data: Buffer): boolean => READINGS.has(selectorIn({ data }));

function outcomeOf(world: WorldState, call: TokenCall): Outcome {
  // No method takes TRX.
  if (call.callValueSun > 0n) return REVERTED;
  const selector = selectorIn(call);
  return (selector === TRANSFER ? transfer : READINGS.get(selector))?.(world, call) ?? REVERTED;
}

/** With the penalty of a contract that is used too much, in ten thousandths of the energy. */
export function runToken(world: WorldState, call: TokenCall): Execution {
  const { energy, output, logs = [], reverted = false, apply = () => undefined } = outcomeOf(world, call);
  const penaltyUnits = (energy * (world.network.tokenEnergyFactor ?? 0n)) / FACTOR_ONE;
  return { reverted, energyUnits: energy + penaltyUnits, penaltyUnits, output, logs, apply };
}
