import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileCache, ensureBuild } from '../support/build';
import { Child, type ChildResult } from '../support/child';
import type { KnownSecrets } from './known-secrets';
import { random, type SecretSettings } from './secret-settings';

const COMMAND = 'src/cli/main.js';
const SERVICE = 'src/main.js';
/** They fail within seconds, also on a busy machine. */
const LONGEST_MS = 30_000;

export interface Failed extends ChildResult {
  readonly what: string;
}

interface Place {
  readonly settings: SecretSettings;
  readonly databaseUrl: string;
  readonly nodeUrl: string;
  /** The key file of a pool wallet. */
  readonly keyFile: string;
  /** Address of a wallet that is not in the pool. */
  readonly address: string;
}

/** Commands, and starts of the service, with settings that are wrong in each way that may show one. */
export async function runFailing(known: KnownSecrets, place: Place): Promise<Failed[]> {
  const { settings, databaseUrl, nodeUrl, keyFile, address } = place;
  const secret = (name: string) => {
    const value = random();
    known.add(name, value);
    return value;
  };
  const sound = {
    ...settings.env,
    DATABASE_URL: databaseUrl,
    TRON_FULL_NODE_URLS: nodeUrl,
    LOG_LEVEL: 'trace',
    NODE_COMPILE_CACHE: compileCache(),
  };
  const wrongPassword = Object.assign(new URL(databaseUrl), { password: secret('a wrong database password') }).href;
  const strange = secret('a key file of a command');
  writeFileSync(keyFile, strange);
  const anothersKey = randomBytes(32).toString('hex');
  known.add('a key in the environment', anothersKey);
  // No node listens there; a provider's URL has its key in the path, or a user.
  const node = `http://user:${secret('the password of a node')}@127.0.0.1:1/${secret('the path of a node')}`;
  const nonsense = Object.fromEntries(SECRET_SETTINGS.map((name) => [name, `:${secret(`a wrong ${name}`)}`]));
  const cases: [string, string[], Record<string, string>][] = [
    ['the service, wrong password', [SERVICE], { ...sound, DATABASE_URL: wrongPassword, PORT: '0' }],
    ['the service, wrong settings', [SERVICE], { ...sound, ...nonsense }],
    ['doctor, wrong password', [COMMAND, 'doctor'], { ...sound, DATABASE_URL: wrongPassword }],
    ['doctor, wrong settings', [COMMAND, 'doctor', '--json'], { ...sound, ...nonsense }],
    ['doctor, no node, wrong key', [COMMAND, 'doctor'], { ...sound, TRON_FULL_NODE_URLS: node }],
    ['audit, no node', [COMMAND, 'audit'], { ...sound, TRON_FULL_NODE_URLS: node }],
    ['user:list, wrong migration role', [COMMAND, 'user:list'], { ...sound, DATABASE_MIGRATION_URL: wrongPassword }],
    [
      "pool:add, another's key",
      [COMMAND, 'pool:add', '--name', 'x', '--address', address, '--role', 'delegate', '--key-env', 'WALLET_KEY'],
      { ...sound, WALLET_KEY: anothersKey },
    ],
    ['notify:test, refused', [COMMAND, 'notify:test'], sound],
  ];
  settings.takeNotices(false);
  const results: Failed[] = [];
  for (const [what, [program, ...args], env] of cases) {
    const child = new Child([join(ensureBuild(), program!), ...args], env);
    const limit = setTimeout(() => void child.stop('SIGKILL'), LONGEST_MS);
    results.push({ what, ...(await child.ended) });
    clearTimeout(limit);
  }
  return results;
}

const SECRET_SETTINGS = [
  'DATABASE_URL',
  'DATABASE_MIGRATION_URL',
  'TRON_FULL_NODE_URLS',
  'TRON_SOLIDITY_NODE_URLS',
  'SECRET_KEYS',
  'DEPOSIT_XPUB',
  'SMTP_URL',
  'TELEGRAM_BOT_TOKEN',
  'NOTIFY_WEBHOOK_URL',
  'NOTIFY_WEBHOOK_SECRET',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
];
