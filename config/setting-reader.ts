import { isIP } from 'node:net';
import { isTronAddress } from './tron-address';
import { urlsOfHosts } from './database-urls';
import type { Environment } from './environment';

const DURATION_UNITS_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
const DATABASE_PROTOCOLS = ['postgres://', 'postgresql://'];
const RETENTION_UNITS_MS = { ...DURATION_UNITS_MS, d: 86_400_000 } as const;
/** Express refuses such a network too, in words of its own. */
const EVERY_ADDRESS = /\/0+(?:,|\s|$)/;
/** Longer waits overflow Node's timers, which then fire immediately. */
const LONGEST_DURATION_MS = 24 * 86_400_000;

export interface SettingProblem {
  readonly name: string;
  /** What follows the name in a sentence. */
  readonly problem: string;
}

/** Reads single settings and collects what is wrong with them, so that one start shows every mistake. An empty value counts as not given. */
export class SettingReader {
  readonly problems: SettingProblem[] = [];

  constructor(private readonly environment: Environment) {}

  text(name: string): string | undefined {
    return this.environment[name]?.trim() || undefined;
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], otherwise: Choice): Choice {
    const value = this.text(name);
    if (value === undefined) return otherwise;
    const choice = choices.find((candidate) => candidate === value);
    return choice ?? this.wrong(name, `must be ${oneOf(choices)}, not "${value}"`, otherwise);
  }

  integer(name: string, least: number, most: number, otherwise: number): number {
    const value = this.text(name);
    if (value === undefined) return otherwise;
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    return this.wrong(name, `must be a whole number from ${least} to ${most}, not "${value}"`, otherwise);
  }

  /** An exact decimal as a count of its smallest unit: three places turn "2.5" into 2500n. */
  decimal(name: string, places: number, least: string, most: string, otherwise: string): bigint {
    const value = this.text(name) ?? otherwise;
    const units = toUnits(value, places);
    if (units !== null && units >= toUnits(least, places)! && units <= toUnits(most, places)!) return units;
    const problem = `must be a number from ${least} to ${most} with at most ${places} decimals, not "${value}"`;
    return this.wrong(name, problem, toUnits(otherwise, places)!);
  }

  durationMs(name: string, otherwise: string): number {
    const value = this.text(name) ?? otherwise;
    const match = /^(\d{1,9})(ms|s|m|h)$/.exec(value);
    const ms = match ? Number(match[1]) * DURATION_UNITS_MS[match[2] as keyof typeof DURATION_UNITS_MS] : 0;
    if (ms > 0 && ms <= LONGEST_DURATION_MS) return ms;
    return this.wrong(name, `must be a duration such as 500ms, 30s, 60m or 24h (24 days at most), not "${value}"`, 1);
  }

  /** How long something is kept, in days if need be; null: for ever. */
  retentionMs(name: string, fallback = 'off'): number | null {
    const value = this.text(name) ?? fallback;
    if (value === 'off') return null;
    const match = /^(\d{1,5})(s|m|h|d)$/.exec(value);
    const ms = match ? Number(match[1]) * RETENTION_UNITS_MS[match[2] as keyof typeof RETENTION_UNITS_MS] : 0;
    return ms > 0 ? ms : this.wrong(name, `must be a time such as 400d, or off, not "${value}"`, null);
  }

  /** The value stays out of the message: URLs carry passwords. */
  url(name: string, protocols: readonly string[]): string | undefined {
    const value = this.text(name);
    if (value === undefined || isUrl(value, protocols)) return value;
    return this.wrong(name, `must be a URL that begins with ${oneOf(protocols)}`, undefined);
  }

  /** As `url`, with one host or several behind one another: `postgres://user:password@one:5432,two:5432/name`. */
  databaseUrl(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined || urlsOfHosts(value).every((url) => isUrl(url, DATABASE_PROTOCOLS))) return value;
    return this.wrong(name, `must be a URL that begins with ${oneOf(DATABASE_PROTOCOLS)}`, undefined);
  }

  webUrl(name: string): string | undefined {
    return this.url(name, ['http://', 'https://'])?.replace(/\/+$/, '');
  }

  /** Scheme, host and port, nothing else. */
  webOrigin(name: string): string | undefined {
    const value = this.webUrl(name);
    if (value === undefined) return undefined;
    const { origin, href } = new URL(value);
    if (href === `${origin}/`) return origin;
    return this.wrong(name, 'must be a scheme and a host, e.g. https://energy.example, without a path', undefined);
  }

  webUrls(name: string): string[] {
    const urls = (this.text(name) ?? '').split(',').map((url) => url.trim().replace(/\/+$/, ''));
    const given = urls.filter((url) => url !== '');
    if (given.every((url) => isUrl(url, ['http://', 'https://']))) return given;
    return this.wrong(name, 'must be a comma-separated list of URLs that begin with http:// or https://', []);
  }

  /** As express's `trust proxy`: on or off, a number of hops, or addresses and networks. */
  trustProxy(name: string, production: boolean): boolean | number | string {
    const value = this.text(name);
    if (value === undefined || value === 'false') return false;
    if (value === 'true') {
      const problem = 'must name the proxies, or how many there are: with true, any caller can forge his address';
      return !production || this.wrong(name, problem, false);
    }
    if (/^\d{1,3}$/.test(value)) return Number(value);
    if (value.split(',').every((part) => isProxy(part.trim()))) return value;
    if (EVERY_ADDRESS.test(value)) {
      return this.wrong(
        name,
        'must name the proxies: with a network of all addresses, /0, any caller can forge his address',
        false,
      );
    }
    const problem =
      'must be true, false, a number of hops, or a list of addresses, networks, loopback, linklocal, uniquelocal';
    return this.wrong(name, `${problem}, not "${value}"`, false);
  }

  tronAddress(name: string, otherwise: string): string {
    const value = this.text(name) ?? otherwise;
    return isTronAddress(value) ? value : this.wrong(name, `must be a TRON address (T…), not "${value}"`, otherwise);
  }

  wrong<Value>(name: string, problem: string, otherwise: Value): Value {
    this.problems.push({ name, problem });
    return otherwise;
  }
}

function oneOf(choices: readonly string[]): string {
  return choices.length > 1 ? `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}` : choices.join();
}

function toUnits(value: string, places: number): bigint | null {
  const match = new RegExp(`^(\\d{1,12})(?:\\.(\\d{1,${places}}))?$`).exec(value);
  return match ? BigInt(match[1]! + (match[2] ?? '').padEnd(places, '0')) : null;
}

function isUrl(value: string, protocols: readonly string[]): boolean {
  return protocols.some((protocol) => value.startsWith(protocol)) && URL.canParse(value);
}

function isProxy(value: string): boolean {
  const [address, bits, ...rest] = value.split('/');
  if (rest.length > 0 || address === undefined) return false;
  if (bits === undefined && ['loopback', 'linklocal', 'uniquelocal'].includes(address)) return true;
  const version = isIP(address);
  return (
    version > 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (version === 4 ? 32 : 128)))
  );
}
