import { ExtendedPublicKey } from './extended-public-key';
import type { SettingReader } from './setting-reader';
import { isTronAddress } from './tron-address';

export interface DepositSettings {
  /** Every customer has an address of this account. */
  readonly account: ExtendedPublicKey;
  /** Smaller ones are recorded and not credited. */
  readonly leastSun: bigint;
  /** In millionths. */
  readonly leastUsdt: bigint;
  /** An older rate credits no USDT. */
  readonly rateMaxAgeMs: number;
  /** The only address that sweeps go to. */
  readonly sweepTo?: string;
}

export interface Deposits {
  /** Null: there are none. */
  readonly deposits: DepositSettings | null;
}

const MOST = '999999999';

export function readDeposits(settings: SettingReader): Deposits {
  const others = {
    leastSun: settings.decimal('DEPOSIT_MIN', 6, '0.000001', MOST, '1'),
    leastUsdt: settings.decimal('DEPOSIT_MIN_USDT', 6, '0.000001', MOST, '10'),
    rateMaxAgeMs: settings.durationMs('DEPOSIT_RATE_MAX_AGE', '24h'),
    sweepTo: readSweepTo(settings),
  };
  const text = settings.text('DEPOSIT_XPUB');
  if (text === undefined) return { deposits: null };
  const account = ExtendedPublicKey.read(text);
  if (typeof account === 'string') return { deposits: settings.wrong('DEPOSIT_XPUB', account, null) };
  // By the word of nodes anybody who runs one could credit himself.
  if (settings.text('CHAIN_PROOF') === 'nodes')
    settings.wrong(
      'DEPOSIT_XPUB',
      'cannot be set with CHAIN_PROOF=nodes, because only signatures prove deposits',
      null,
    );
  return { deposits: { account, ...others } };
}

function readSweepTo(settings: SettingReader): string | undefined {
  const address = settings.text('DEPOSIT_SWEEP_TO');
  if (address === undefined || isTronAddress(address)) return address;
  return settings.wrong('DEPOSIT_SWEEP_TO', 'must be a TRON address (T…)', undefined);
}
