import { createHash } from 'node:crypto';
import { genesisAccounts } from '../genesis.accounts';
import { newAccount } from '../state/account.model';
import { keys } from '../state/world.state';

/** A stand-in for USDT, at USDT's address on mainnet (TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t). */
export const TOKEN_ADDRESS = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c';
/** Another contract that calls itself the same: anybody can make one. */
export const OTHER_TOKEN_ADDRESS = `41${createHash('sha256').update('another token called USDT').digest('hex').slice(24)}`;
export const TOKEN_NAME = 'Tether USD';
export const TOKEN_SYMBOL = 'USDT';
export const TOKEN_DECIMALS = 6n;
/** 1,000,000,000 of it, all with `rich` at the beginning. */
export const TOKEN_SUPPLY = 1_000_000_000n * 10n ** TOKEN_DECIMALS;

export interface Token {
  readonly address: string;
  /** Where the state has a holder's balance; without a holder, what all of these begin with. */
  balanceKey(holder?: string): string;
}

export const USDT: Token = { address: TOKEN_ADDRESS, balanceKey: keys.token };
export const OTHER_TOKEN: Token = { address: OTHER_TOKEN_ADDRESS, balanceKey: keys.otherToken };

/** A transfer's energy as it was measured on mainnet: storing a balance where there was none costs more. */
export const TRANSFER_TO_HOLDER = 64_285n;
export const TRANSFER_TO_EMPTY = 130_285n;
/** These are of the right size, and measured nowhere. */
export const READING_ENERGY = 935n;
export const APPROVAL_ENERGY = 22_700n;
export const ALLOWANCE_ENERGY = 8_000n;
/** An energy factor counts in ten thousandths. */
export const FACTOR_ONE = 10_000n;

const RICH = genesisAccounts()
  .find(({ role }) => role === 'rich')!
  .address.toString('hex');

/** What the state has of the tokens before anybody has moved any. */
export const tokenState = (): Map<string, unknown> =>
  new Map<string, unknown>(
    [USDT, OTHER_TOKEN].flatMap((token): [string, unknown][] => [
      [keys.account(token.address), newAccount(token.address, 0, 2)],
      [token.balanceKey(RICH), TOKEN_SUPPLY],
    ]),
  );

/** The token has no code, but routes that show contracts show a hash of one. */
export const CODE_HASH = createHash('sha256').update('the local chain runs its token without code').digest('hex');
