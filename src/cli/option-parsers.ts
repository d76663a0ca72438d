import { resolve } from 'node:path';
import BigNumber from 'bignumber.js';
import { callersFolder } from '../../config/environment';
import { wholeEnergyOf } from '../billing/energy-amount';
import { isUnitPrice } from '../billing/pricing/unit-price';
import { isAddress } from '../chain/tron/addresses';
import { checkWalletName } from '../chain/pool/wallets/wallet-name';
import { isTooMuchTrx, parseTrx, TOO_MUCH_TRX } from '../common/money/sun';
import { STANDARD_STREAM } from '../common/standard-streams';
import { characterCount } from '../common/text';
import { readEdge } from '../reporting/books/book-range';
import type { MomentRange } from '../reporting/reports/utc-days';
import { checkEmail } from '../users/user.validation';
import type { CommandOption } from './cli-command';
import { UsageError } from './usage.error';

const LONGEST_NAME = 100;

export const OF_USER: CommandOption = { flags: '--user <email>', read: checkEmail, required: true };
export const BY_ID = { name: '<id>', read: parseId };

/** Native units, more than 0, in sun. */
export function parseAmountSun(text: string): bigint {
  const sun = parseTrx(text);
  if (sun === null || sun === 0n) {
    if (isTooMuchTrx(text)) throw tooMuch('--amount', text);
    throw new UsageError(`--amount must be a decimal above 0 with at most six places, not ${JSON.stringify(text)}`);
  }
  return sun;
}

/** Native units, 0 among them, in sun. */
export function parseTrxSun(flag: string, text: string): bigint {
  const sun = parseTrx(text);
  if (sun !== null) return sun;
  if (isTooMuchTrx(text)) throw tooMuch(flag, text);
  throw new UsageError(`${flag} must be a decimal with at most six places, not ${JSON.stringify(text)}`);
}

function tooMuch(flag: string, text: string): UsageError {
  return new UsageError(`${flag} must be ${TOO_MUCH_TRX}, not ${JSON.stringify(text)}`);
}

export function parsePriceSun(text: string): bigint {
  const sun = parseTrx(text);
  if (sun === null || !isUnitPrice(sun)) {
    throw new UsageError(
      `--unit-price must be a decimal from 2 to 2.5 with at most six places, not ${JSON.stringify(text)}`,
    );
  }
  return sun;
}

export function parsePositiveInteger(flag: string, text: string, largest: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > largest) {
    throw new UsageError(`${flag} must be a whole number from 1 to ${largest}, not ${JSON.stringify(text)}`);
  }
  return value;
}

export function parseTransactions(text: string): BigNumber {
  const transactions = /^\d{1,18}(\.\d{1,18})?$/.test(text) ? new BigNumber(text) : new BigNumber(0);
  if (transactions.isZero() || wholeEnergyOf(transactions) === null) {
    // Their energy fits no column.
    if (/^\d+(?:\.\d*)?(?:e\+?\d+)?$/i.test(text) && Number(text) > 1.4e14)
      throw new UsageError(`--transactions must be less than 140,000,000,000,000, not ${JSON.stringify(text)}`);
    throw new UsageError(
      `--transactions must be a decimal above 0 and a whole number of energy units (65,000 each), not ${JSON.stringify(text)}`,
    );
  }
  return transactions;
}

export function parseOneOf<Known extends string>(flag: string, known: readonly Known[], text: string): Known {
  const found = known.find((one) => one === text);
  if (!found) throw new UsageError(`${flag} must be one of ${known.join(', ')}, not ${JSON.stringify(text)}`);
  return found;
}

export function parseId(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) {
    throw new UsageError(`an id looks like 01890a5d-ac96-774b-bcce-b302099a8057, not ${JSON.stringify(text)}`);
  }
  return text.toLowerCase();
}

/** An id that is a number, as findings have. */
export function parseNumber(text: string): bigint {
  if (!/^\d{1,18}$/.test(text)) throw new UsageError(`an id is a whole number, not ${JSON.stringify(text)}`);
  return BigInt(text);
}

export function parseAddress(flag: string, text: string): string {
  if (!isAddress(text)) throw new UsageError(`${flag} must be a TRON address (T…), not ${JSON.stringify(text)}`);
  return text;
}

/** The name of a wallet. */
export function parseName(flag: string, text: string): string {
  if (text.trim() === '') throw new UsageError(`${flag} must not be empty`);
  const name = checkWalletName(text);
  if (characterCount(name) > LONGEST_NAME) throw new UsageError(`${flag} has at most ${LONGEST_NAME} characters`);
  return name;
}

/** A txid, as wallets and explorers write it. */
export function parseTxid(flag: string, text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new UsageError(`${flag} must be a txid of 64 hex digits, not ${JSON.stringify(text)}`);
  return text.toLowerCase();
}

/** The edge of a range of the books. */
export function parseBookEdge(flag: string, text: string): MomentRange {
  const edge = readEdge(text);
  if (edge) return edge;
  throw new UsageError(
    `${flag} must be a day (2026-11-30) or a moment (2026-11-30T12:00:00Z) in UTC, not ${JSON.stringify(text)}`,
  );
}

/** A file as the operator typed its name: from the folder of the shell, which is not the one that a command runs in. */
export function parsePath(text: string): string {
  return resolve(callersFolder(), text);
}

/** The same, or `-` for standard input or output. */
export function parseFileOrStream(text: string): string {
  return text === STANDARD_STREAM ? text : parsePath(text);
}
