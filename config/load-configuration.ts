import { resolve } from 'node:path';
import { BILLING_VARIANTS, type BillingVariant } from './billing-variants';
import { CRASH_POINTS, crashPointAlias } from './crash-point';
import type { Configuration } from './configuration';
import { readCustomers } from './customers';
import { readDeposits } from './deposits';
import { describeSources, type Environment } from './environment';
import { readNotices } from './notices';
import { readObservability } from './observability';
import { type SettingProblem, SettingReader } from './setting-reader';
import { readSigner } from './signer';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The local chain has its stand-in there too. */
export const USDT_ON_MAINNET = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

/** Every setting that is wrong, one a line. */
export class ConfigurationError extends Error {
  constructor(readonly problems: readonly SettingProblem[]) {
    const list = problems.map(({ name, problem }) => `  - ${name} ${problem}`).join('\n');
    super(`The settings are wrong:\n${list}\nSettings are read from ${describeSources()}.`);
    this.name = 'ConfigurationError';
  }
}

/** docs/settings.md lists names, defaults and meanings. */
export function loadConfiguration(environment: Environment): Configuration {
  const settings = new SettingReader(environment);
  const production = settings.text('NODE_ENV') === 'production';
  const databaseUrl = readDatabaseUrl(settings, production);
  const fullNodeUrls = settings.webUrls('TRON_FULL_NODE_URLS');
  const configuration: Configuration = {
    production,
    logLevel: settings.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    http: {
      host: settings.text('HOST') ?? '127.0.0.1',
      port: settings.integer('PORT', 0, 65_535, 3000),
      trustProxy: settings.trustProxy('TRUST_PROXY', production),
      publicUrl: settings.webOrigin('PUBLIC_URL'),
      hstsSubdomains: settings.choice('HSTS_SUBDOMAINS', ['on', 'off'], 'off') === 'on',
      keepAliveMs: settings.durationMs('KEEP_ALIVE', '75s'),
    },
    database: { url: databaseUrl, migrationUrl: readMigrationUrl(settings) },
    dataDir: resolve(settings.text('DATA_DIR') ?? '.data'),
    billing: readBilling(settings),
    delegation: {
      answer: settings.choice('DELEGATION_ANSWER', ['included', 'accepted'], 'included'),
      answerTimeoutMs: settings.durationMs('ANSWER_TIMEOUT', '10s'),
      energyMarginPpm: settings.decimal('ENERGY_MARGIN_PERCENT', 4, '0', '100', '0.1'),
    },
    reclaim: {
      delayMs: settings.durationMs('RECLAIM_DELAY', '60m'),
      sweepMs: settings.durationMs('RECLAIM_SWEEP', '10s'),
      atRentalEnd: settings.choice('RECLAIM_AT_RENTAL_END', ['on', 'off'], 'off') === 'on',
    },
    orders: {
      retainRefusalsMs: settings.retentionMs('RETAIN_REFUSALS', '90d'),
    },
    nodes: readNodes(settings, fullNodeUrls),
    localChain: {
      enabled: readLocalChain(settings, production),
      blockMs: settings.durationMs('LOCAL_CHAIN_BLOCK', '3s'),
    },
    rateLimit: {
      perMinute: settings.integer('RATE_LIMIT_PER_MINUTE', 1, 1_000_000, 60),
      store: settings.choice('RATE_LIMIT_STORE', ['memory', 'postgres'], 'memory'),
    },
    webhooks: {
      allowPrivate: settings.choice('WEBHOOK_ALLOW_PRIVATE', ['on', 'off'], 'off') === 'on',
    },
    secretKeys: readSecretKeys(settings),
    access: {
      operatorsNeedSecondFactor:
        settings.choice('OPERATOR_SECOND_FACTOR', ['optional', 'required'], 'optional') === 'required',
    },
    powerfulKeys: settings.choice('POWERFUL_KEYS', ['warn', 'refuse'], 'warn'),
    signer: readSigner(settings),
    ...readNotices(settings),
    ...readCustomers(settings, production),
    ...readDeposits(settings),
    ...readObservability(settings),
    reconcileMs: settings.durationMs('RECONCILE_EVERY', '10m'),
    crashAt: readCrashPoint(settings, production),
  };
  if (settings.problems.length > 0) throw new ConfigurationError(settings.problems);
  return deepFreeze(configuration);
}

function readBilling(settings: SettingReader): Configuration['billing'] {
  const variant = settings.choice('BILLING_VARIANT', Object.keys(BILLING_VARIANTS) as BillingVariant[], 'A');
  const defaultUnitPriceSun = settings.decimal('DEFAULT_UNIT_PRICE', 6, '2', '2.5', '2.5');
  return { variant, ...BILLING_VARIANTS[variant], defaultUnitPriceSun };
}

const SECRET_KEY = /^[A-Za-z0-9+/]{43}=$/;

/** The values stay out of the message. */
function readSecretKeys(settings: SettingReader): string[] {
  // Ignored, it would leave secrets in plain text.
  if (settings.text('WEBHOOK_SECRET_KEYS') !== undefined)
    return settings.wrong('WEBHOOK_SECRET_KEYS', 'is called SECRET_KEYS', []);
  const keys = (settings.text('SECRET_KEYS') ?? '').split(',').map((key) => key.trim());
  const given = keys.filter((key) => key !== '');
  if (given.every((key) => SECRET_KEY.test(key))) return given;
  return settings.wrong(
    'SECRET_KEYS',
    'must be 32 random bytes in base64, or several of these separated by commas',
    [],
  );
}

/** The embedded database is for trying things: a forgotten setting must not put customers' money there. */
function readDatabaseUrl(settings: SettingReader, production: boolean): string | undefined {
  const url = settings.databaseUrl('DATABASE_URL');
  if (url !== undefined || !production || settings.text('DATABASE_URL') !== undefined) return url;
  return settings.wrong(
    'DATABASE_URL',
    'is required in production: the embedded database is only for trials',
    undefined,
  );
}

function readMigrationUrl(settings: SettingReader): string | undefined {
  const url = settings.databaseUrl('DATABASE_MIGRATION_URL');
  if (url === undefined || settings.text('DATABASE_URL') !== undefined) return url;
  return settings.wrong('DATABASE_MIGRATION_URL', 'needs DATABASE_URL, the role of the application itself', undefined);
}

function readNodes(settings: SettingReader, fullNodeUrls: string[]): Configuration['nodes'] {
  const solidityNodeUrls = settings.webUrls('TRON_SOLIDITY_NODE_URLS');
  if (solidityNodeUrls.length > 0 && settings.text('TRON_FULL_NODE_URLS') === undefined) {
    settings.wrong('TRON_SOLIDITY_NODE_URLS', 'needs TRON_FULL_NODE_URLS', undefined);
  }
  return {
    fullNodeUrls,
    solidityNodeUrls: solidityNodeUrls.length > 0 ? solidityNodeUrls : fullNodeUrls,
    apiKey: settings.text('TRON_API_KEY'),
    proof: settings.choice('CHAIN_PROOF', ['signatures', 'nodes'], 'signatures'),
    usdtContract: settings.tronAddress('USDT_CONTRACT', USDT_ON_MAINNET),
    connections: settings.integer('NODE_CONNECTIONS', 1, 10_000, 40),
    callsPerSecond: readCallsPerSecond(settings),
  };
}

function readCallsPerSecond(settings: SettingReader): number | null {
  const value = settings.text('NODE_CALLS_PER_SECOND') ?? 'auto';
  if (value === 'auto') return null;
  if (/^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 10_000) return Number(value);
  return settings.wrong(
    'NODE_CALLS_PER_SECOND',
    `must be auto or a whole number from 1 to 10000, not "${value}"`,
    null,
  );
}

/** Play energy must be asked for, or nothing at all may be set up: a forgotten setting must not sell it for real money. */
function readLocalChain(settings: SettingReader, production: boolean): boolean {
  const nodesGiven = settings.text('TRON_FULL_NODE_URLS') !== undefined;
  const wanted = settings.choice('LOCAL_CHAIN', ['auto', 'on', 'off'], 'auto');
  if (nodesGiven) {
    return wanted === 'on' && settings.wrong('LOCAL_CHAIN', 'cannot be on with TRON_FULL_NODE_URLS given', false);
  }
  const nothingSetUp = settings.text('DATABASE_URL') === undefined && !production;
  if (wanted === 'on' || (wanted === 'auto' && nothingSetUp)) return true;
  return settings.wrong(
    'TRON_FULL_NODE_URLS',
    'is required: the local chain starts by itself only without DATABASE_URL and outside production (or set LOCAL_CHAIN=on)',
    false,
  );
}

function readCrashPoint(settings: SettingReader, production: boolean): Configuration['crashAt'] {
  if (settings.text('CRASH_AT') === undefined) return undefined;
  if (production) return settings.wrong('CRASH_AT', 'kills the service on purpose: never in production', undefined);
  const named = settings.text('CRASH_AT');
  const aliased = CRASH_POINTS.find((point) => crashPointAlias(point) === named);
  return aliased ?? settings.choice('CRASH_AT', CRASH_POINTS, CRASH_POINTS[0]);
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) {
    if (typeof part === 'object' && part !== null) deepFreeze(part as object);
  }
  return Object.freeze(value);
}
