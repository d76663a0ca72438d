import { createHash } from 'node:crypto';
import { utils } from 'tronweb';
import { genesisAccounts } from '../genesis.accounts';
import { newAccount } from '../state/account.model';
import { keys } from '../state/world.state';

/** The one contract of this chain: a stand-in for USDT, at USDT's address on mainnet (TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t). */
export const TOKEN_ADDRESS = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c';
export const TOKEN_NAME = 'Tether USD';
export const TOKEN_SYMBOL = 'USDT';
export const TOKEN_DECIMALS = 6n;
/** 1,000,000,000 of it, all with `rich` at the beginning. */
export const TOKEN_SUPPLY = 1_000_000_000n * 10n ** TOKEN_DECIMALS;

/** A transfer's energy as it was measured on mainnet: storing a balance where there was none costs more. */
export const TRANSFER_TO_HOLDER = 64_285n;
export const TRANSFER_TO_EMPTY = 130_285n;
/** These are of the right size, and measured nowhere. */
export const READING_ENERGY = 935n;
export const REVERT_ENERGY = 3_000n;
/** An energy factor counts in ten thousandths. */
export const FACTOR_ONE = 10_000n;

const RICH = genesisAccounts()
  .find(({ role }) => role === 'rich')!
  .address.toString('hex');

/** What the state has of the token before anybody has moved any. */
export const tokenState = (): Map<string, unknown> =>
  new Map<string, unknown>([
    [keys.account(TOKEN_ADDRESS), newAccount(TOKEN_ADDRESS, 0, 2)],
    [keys.token(RICH), TOKEN_SUPPLY],
  ]);

const keccak = (text: string): string => utils.ethersUtils.keccak256(Buffer.from(text, 'utf8')).slice(2);
export const selectorOf = (signature: string): string => keccak(signature).slice(0, 8);
export const topicOf = (event: string): string => keccak(event);

/** The token has no code, but routes that show contracts show a hash of one. */
export const CODE_HASH = createHash('sha256').update('the local chain runs its token without code').digest('hex');
