import { HDKey } from '@scure/bip32';
import { inspect } from 'node:util';
import type { Environment } from '../../config/environment';
import { loadConfiguration, ConfigurationError } from '../../config/load-configuration';

const NODES = { TRON_FULL_NODE_URLS: 'https://node.example/' };

const ACCOUNT = HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/44'/195'/0'");
const XPUB = ACCOUNT.publicExtendedKey;
const KEY_HEX = Buffer.from(ACCOUNT.publicKey!).toString('hex');
const CHAIN_CODE_HEX = Buffer.from(ACCOUNT.chainCode!).toString('hex');
const ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value);

function problemsOf(environment: Environment): readonly string[] {
  try {
    loadConfiguration(environment);
    return [];
  } catch (error) {
    return (error as ConfigurationError).problems.map(({ name, problem }) => `${name} ${problem}`);
  }
}

describe('the configuration', () => {
  it('needs no setting at all: the local chain, the embedded database, variant A', () => {
    expect(loadConfiguration({})).toMatchObject({
      production: false,
      logLevel: 'info',
      http: { host: '127.0.0.1', port: 3000, trustProxy: false, publicUrl: undefined },
      database: { url: undefined, migrationUrl: undefined },
      dataDir: `${process.cwd()}/.data`,
      billing: { variant: 'A', answersCarryCost: false, defaultUnitPriceSun: 2_500_000n },
      delegation: { answer: 'included', answerTimeoutMs: 10_000, energyMarginPpm: 1000n },
      reclaim: { delayMs: 3_600_000, sweepMs: 10_000, atRentalEnd: false },
      nodes: {
        fullNodeUrls: [],
        solidityNodeUrls: [],
        connections: 40,
        usdtContract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      },
      localChain: { enabled: true, blockMs: 3000 },
      rateLimit: { perMinute: 60, store: 'memory' },
      reconcileMs: 600_000,
      metrics: { port: undefined, token: undefined },
      traces: undefined,
    });
  });

  it('makes traces only where OTEL_* names a place for them', () => {
    const endpoint = { ...NODES, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };
    const { traces } = loadConfiguration({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a=b, y=2' });
    expect(traces).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: { 'x-key': 'a=b', y: '2' },
      serviceName: 'energy-delegation',
      ratio: 1,
    });
    for (const off of [{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }]) {
      expect(loadConfiguration({ ...endpoint, ...off }).traces).toBeUndefined();
    }
  });

  it('refuses a token for the metrics that can be guessed', () => {
    expect(problemsOf({ METRICS_TOKEN: 'short' })).toEqual([expect.stringContaining('METRICS_TOKEN')]);
  });

  it('takes no notices by halves, and says no secret when it refuses them', () => {
    const token = `123456:${'x'.repeat(30)}`;
    const mail = { SMTP_URL: 'smtps://user:hidden@mail.example', MAIL_FROM: 'Energy <energy@example.com>' };
    const full = {
      ...NODES,
      ...mail,
      NOTIFY_EMAIL: 'a@b.example, c@d.example',
      TELEGRAM_BOT_TOKEN: token,
      TELEGRAM_CHAT_ID: '-100',
    };
    expect(loadConfiguration(full).notices).toEqual({
      language: 'en',
      email: { smtpUrl: mail.SMTP_URL, from: mail.MAIL_FROM, to: ['a@b.example', 'c@d.example'] },
      telegram: { token, chatId: '-100', apiUrl: 'https://api.telegram.org' },
      webhook: null,
      glance: null,
    });
    const at = (value: string) => loadConfiguration({ ...full, NOTIFY_GLANCE_AT: value }).notices.glance;
    expect(at('07:30')).toEqual({ timeOfDay: '07:30', zone: 'UTC' });
    expect(at('08:00 Asia/Shanghai')).toEqual({ timeOfDay: '08:00', zone: 'Asia/Shanghai' });
    for (const value of ['8', '24:00', '08:00 Asia/Nowhere', '08:00 shanghai']) {
      expect(problemsOf({ ...full, NOTIFY_GLANCE_AT: value }).join()).toContain('NOTIFY_GLANCE_AT');
    }
    const wrong: Record<string, Environment> = {
      NOTIFY_EMAIL: { NOTIFY_EMAIL: 'a@b.example' },
      MAIL_FROM: { SMTP_URL: 'smtp://user:hidden@mail.example' },
      SMTP_URL: { ...mail, SMTP_URL: 'http://user:hidden@mail.example' },
      TELEGRAM_BOT_TOKEN: { TELEGRAM_BOT_TOKEN: 'hidden', TELEGRAM_CHAT_ID: '1' },
      TELEGRAM_CHAT_ID: { TELEGRAM_CHAT_ID: '1' },
      NOTIFY_GLANCE_AT: { NOTIFY_GLANCE_AT: '08:00' },
      NOTIFY_WEBHOOK_SECRET: { NOTIFY_WEBHOOK_SECRET: 'hidden', NOTIFY_WEBHOOK_URL: 'https://chat.example/' },
    };
    for (const [name, environment] of Object.entries(wrong)) {
      const problems = problemsOf({ ...NODES, ...environment });
      expect(problems.join()).toContain(name);
      expect(problems.join()).not.toContain('hidden');
    }
  });

  it('takes a sign-up only with a mail server, in production with an address for its links, and names that fit a header', () => {
    const mail = { SMTP_URL: 'smtp://127.0.0.1', MAIL_FROM: 'energy@example.com' };
    expect(loadConfiguration(NODES).customers).toEqual({ signUp: 'off', siteName: 'Energy', statusPage: false });
    const words = { SITE_NAME: 'Blitz & Co', TOP_UP_TEXT: 'Send TRX.\nName yourself.' };
    const set = { SIGN_UP: 'approval', CONTACT_EMAIL: 'help@example.com', STATUS_PAGE: 'on', ...words };
    expect(loadConfiguration({ ...NODES, ...mail, ...set }).customers).toEqual({
      signUp: 'approval',
      siteName: 'Blitz & Co',
      contactEmail: 'help@example.com',
      topUpText: 'Send TRX.\nName yourself.',
      statusPage: true,
    });
    expect(problemsOf({ ...NODES, STATUS_PAGE: 'yes' })).toEqual([expect.stringContaining('STATUS_PAGE must be')]);
    for (const SIGN_UP of ['open', 'approval']) {
      expect(problemsOf({ ...NODES, SIGN_UP })).toEqual([expect.stringContaining('SIGN_UP needs SMTP_URL')]);
    }
    const production = { ...NODES, ...mail, NODE_ENV: 'production', DATABASE_URL: 'postgres://h/d' };
    expect(loadConfiguration(production).customers.signUp).toBe('off');
    for (const SIGN_UP of ['open', 'approval']) {
      expect(problemsOf({ ...production, SIGN_UP })).toEqual([
        'SIGN_UP needs PUBLIC_URL in production, because the links in mails to strangers begin with it',
      ]);
      expect(loadConfiguration({ ...NODES, ...mail, SIGN_UP }).customers.signUp).toBe(SIGN_UP);
      const linked = { ...production, PUBLIC_URL: 'https://energy.example', SIGN_UP };
      expect(loadConfiguration(linked).customers.signUp).toBe(SIGN_UP);
    }
    expect(problemsOf({ ...NODES, ...mail, SIGN_UP: 'yes' })).toEqual([expect.stringContaining('SIGN_UP must be')]);
    for (const SITE_NAME of ['Blitz\r\nBcc: eve@example.com', 'x'.repeat(61), 'a\u202eb']) {
      expect(problemsOf({ ...NODES, SITE_NAME })).toEqual([expect.stringContaining('SITE_NAME must be one line')]);
    }
    for (const CONTACT_EMAIL of ['help', 'Help <help@example.com>', 'a@b.example\r\nBcc: c@d.example']) {
      expect(problemsOf({ ...NODES, CONTACT_EMAIL })).toEqual([expect.stringContaining('CONTACT_EMAIL must be')]);
    }
    expect(problemsOf({ ...NODES, TOP_UP_TEXT: 'a\u0007' })).toEqual([expect.stringContaining('TOP_UP_TEXT')]);
  });

  it('reads deposits, off unless an extended public key is given', () => {
    expect(loadConfiguration(NODES).deposits).toBeNull();
    const { deposits } = loadConfiguration({ ...NODES, DEPOSIT_XPUB: XPUB });
    expect(deposits).toMatchObject({ leastSun: 1_000_000n, leastUsdt: 10_000_000n, rateMaxAgeMs: 86_400_000 });
    expect(deposits!.account.fingerprint).toMatch(/^[0-9a-f]{8}$/);
    const rest = { DEPOSIT_MIN: '2.5', DEPOSIT_MIN_USDT: '5', DEPOSIT_RATE_MAX_AGE: '1h', DEPOSIT_SWEEP_TO: ADDRESS };
    expect(loadConfiguration({ ...NODES, DEPOSIT_XPUB: XPUB, ...rest }).deposits).toMatchObject({
      leastSun: 2_500_000n,
      leastUsdt: 5_000_000n,
      rateMaxAgeMs: 3_600_000,
      sweepTo: ADDRESS,
    });
  });

  it('keeps the extended public key where nothing that prints the configuration shows it', () => {
    const { deposits } = loadConfiguration({ ...NODES, DEPOSIT_XPUB: XPUB });
    const shown = [inspect(deposits, { depth: 9, showHidden: true }), JSON.stringify(deposits, asText)];
    for (const text of shown) for (const part of [XPUB, KEY_HEX, CHAIN_CODE_HEX]) expect(text).not.toContain(part);
  });

  it('refuses keys that are no account’s, private ones above all, without repeating them', () => {
    const master = HDKey.fromMasterSeed(Buffer.alloc(32, 7));
    const wrong = [ACCOUNT.privateExtendedKey, master.publicExtendedKey, `${XPUB.slice(0, -1)}1`];
    for (const DEPOSIT_XPUB of wrong) {
      const [problem] = problemsOf({ ...NODES, DEPOSIT_XPUB });
      expect(problem).toMatch(/^DEPOSIT_XPUB must be the /);
      expect(problem).not.toContain(DEPOSIT_XPUB.slice(4, 30));
    }
    expect(problemsOf({ ...NODES, DEPOSIT_XPUB: XPUB, CHAIN_PROOF: 'nodes' })).toEqual([
      expect.stringContaining('only signatures prove deposits'),
    ]);
    expect(problemsOf({ ...NODES, DEPOSIT_SWEEP_TO: 'T1' })).toEqual(['DEPOSIT_SWEEP_TO must be a TRON address (T…)']);
  });

  it('refuses the name that SECRET_KEYS had: ignored, it would leave secrets in plain text', () => {
    const key = Buffer.alloc(32, 1).toString('base64');
    expect(problemsOf({ ...NODES, WEBHOOK_SECRET_KEYS: key })).toEqual(['WEBHOOK_SECRET_KEYS is called SECRET_KEYS']);
  });

  it('is frozen all the way down', () => {
    const configuration = loadConfiguration(NODES);
    expect(() => Object.assign(configuration.billing, { variant: 'B' })).toThrow(TypeError);
    expect(() => (configuration.nodes.fullNodeUrls as string[]).push('x')).toThrow(TypeError);
  });

  it('lists everything that is wrong together', () => {
    const problems = problemsOf({
      PORT: '70000',
      DATABASE_URL: 'mysql://user:secret@host/db',
      BILLING_VARIANT: 'a',
      DEFAULT_UNIT_PRICE: '2.6',
      RECLAIM_DELAY: '60',
      RECLAIM_SWEEP: '0s',
      RECLAIM_AT_RENTAL_END: 'yes',
      DELEGATION_ANSWER: 'soon',
      TRON_FULL_NODE_URLS: 'https://node.example,ftp://node.example',
      LOCAL_CHAIN: 'maybe',
      NODE_CONNECTIONS: '0',
      USDT_CONTRACT: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u',
      RATE_LIMIT_PER_MINUTE: '0',
      RATE_LIMIT_STORE: 'redis',
      ENERGY_MARGIN_PERCENT: '-1',
      TRUST_PROXY: 'somebody',
      LOG_LEVEL: 'loud',
    });
    expect(new Set(problems.map((problem) => problem.split(' ')[0]))).toEqual(
      new Set([
        'BILLING_VARIANT',
        'DATABASE_URL',
        'DEFAULT_UNIT_PRICE',
        'DELEGATION_ANSWER',
        'ENERGY_MARGIN_PERCENT',
        'LOCAL_CHAIN',
        'LOG_LEVEL',
        'NODE_CONNECTIONS',
        'PORT',
        'RATE_LIMIT_PER_MINUTE',
        'RATE_LIMIT_STORE',
        'RECLAIM_AT_RENTAL_END',
        'RECLAIM_DELAY',
        'RECLAIM_SWEEP',
        'TRON_FULL_NODE_URLS',
        'TRUST_PROXY',
        'USDT_CONTRACT',
      ]),
    );
    expect(problems.join()).not.toContain('secret');
  });

  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['60m', 3_600_000],
    ['24h', 86_400_000],
  ])('reads the duration %s', (text, ms) => {
    expect(loadConfiguration({ ...NODES, RECLAIM_DELAY: text }).reclaim.delayMs).toBe(ms);
  });

  it.each([
    ['2', 2_000_000n],
    ['2.000001', 2_000_001n],
    ['2.5', 2_500_000n],
  ])('takes the unit price %s to the sun', (text, sun) => {
    expect(loadConfiguration({ ...NODES, DEFAULT_UNIT_PRICE: text }).billing.defaultUnitPriceSun).toBe(sun);
  });

  it.each(['1.999999', '2.500001', '2.0000001', '2,5', '2.5e0', '0x2'])('refuses the unit price %s', (price) => {
    expect(problemsOf({ ...NODES, DEFAULT_UNIT_PRICE: price })).toHaveLength(1);
  });

  it.each([
    ['true', true],
    ['2', 2],
    ['loopback, 10.0.0.0/8, ::1', 'loopback, 10.0.0.0/8, ::1'],
  ])('trusts the proxy %s as express does', (text, trusted) => {
    expect(loadConfiguration({ ...NODES, TRUST_PROXY: text }).http.trustProxy).toBe(trusted);
  });

  it('trusts no caller to say for himself where he comes from, in production', () => {
    const production = { ...NODES, NODE_ENV: 'production', DATABASE_URL: 'postgres://h/d' };
    expect(problemsOf({ ...production, TRUST_PROXY: 'true' })).toEqual([
      expect.stringMatching(/^TRUST_PROXY must name/),
    ]);
    expect(problemsOf({ ...production, TRUST_PROXY: '10.0.0.0/8' })).toEqual([]);
  });

  it.each([
    'https://h.example/energy',
    'https://h.example/?a=b',
    'https://h.example/#a',
    'https://u:p@h.example',
    'https://',
  ])('refuses %s for where the panel is: its pages are at /panel', (url) => {
    expect(problemsOf({ ...NODES, PUBLIC_URL: url })).toEqual([expect.stringMatching(/^PUBLIC_URL must be/)]);
  });

  it.each(['https://h.example', 'https://h.example:8443/', 'http://[::1]:3000', 'https://H.example:443'])(
    'takes %s for where the panel is',
    (url) => {
      expect(loadConfiguration({ ...NODES, PUBLIC_URL: url }).http.publicUrl).toBe(new URL(url).origin);
    },
  );

  it('asks solidity nodes at the full nodes unless they have URLs of their own', () => {
    const { nodes } = loadConfiguration({ TRON_FULL_NODE_URLS: 'https://a.example/, https://b.example/tron/' });
    expect(nodes.fullNodeUrls).toEqual(['https://a.example', 'https://b.example/tron']);
    expect(nodes.solidityNodeUrls).toEqual(nodes.fullNodeUrls);
  });

  it.each<[string, Environment, boolean]>([
    ['by itself when nothing is set up', {}, true],
    ['not beside real nodes', NODES, false],
    ['when asked for beside a database', { DATABASE_URL: 'postgres://h/d', LOCAL_CHAIN: 'on' }, true],
  ])('has the local chain %s', (_, environment, enabled) => {
    expect(loadConfiguration(environment).localChain.enabled).toBe(enabled);
  });

  it.each<[string, Environment]>([
    ['in production', { NODE_ENV: 'production', DATABASE_URL: 'postgres://h/d' }],
    ['with a database', { DATABASE_URL: 'postgres://h/d' }],
    ['when turned off', { LOCAL_CHAIN: 'off' }],
  ])('never falls back to play energy %s: nodes must be given', (_, environment) => {
    expect(problemsOf(environment).join()).toMatch(/^TRON_FULL_NODE_URLS is required/);
  });

  it('never falls back to the embedded database in production: it must be given', () => {
    expect(problemsOf({ ...NODES, NODE_ENV: 'production' }).join()).toMatch(/^DATABASE_URL is required in production/);
    expect(problemsOf({ ...NODES, NODE_ENV: 'production', DATABASE_URL: 'mysql://h/d' })).toHaveLength(1);
  });

  it('refuses settings that contradict each other', () => {
    expect(problemsOf({ ...NODES, LOCAL_CHAIN: 'on' }).join()).toMatch(/^LOCAL_CHAIN cannot be on/);
    expect(problemsOf({ TRON_SOLIDITY_NODE_URLS: 'http://s' }).join()).toMatch(/^TRON_SOLIDITY_NODE_URLS needs/);
    expect(problemsOf({ ...NODES, DATABASE_MIGRATION_URL: 'postgres://h/d' }).join()).toMatch(
      /^DATABASE_MIGRATION_URL needs/,
    );
  });

  it('takes an empty value for one that is not given', () => {
    expect(loadConfiguration({ PORT: '', BILLING_VARIANT: ' ' }).http.port).toBe(3000);
  });

  it.each([
    ['CP1', 'receiver-read'],
    ['CP2', 'before-order-commit'],
    ['CP3', 'after-order-commit'],
    ['CP4', 'before-delegation-broadcast'],
    ['CP5', 'during-delegation-broadcast'],
    ['CP6', 'after-delegation-broadcast'],
    ['CP7', 'after-broadcast-commit'],
    ['CP8', 'after-inclusion-commit'],
    ['CP9', 'before-charge-commit'],
    ['CP10', 'after-charge-commit'],
    ['CP11', 'after-reclaim-claim'],
    ['CP12', 'before-reclaim-broadcast'],
    ['CP13', 'after-reclaim-broadcast'],
    ['CP14', 'before-reclaim-final-commit'],
    ['CP15', 'before-release-commit'],
    ['CP16', 'before-signing-after-activation'],
  ])('takes %s for the crash point %s, and its name too', (alias, name) => {
    for (const value of [alias, name]) expect(loadConfiguration({ CRASH_AT: value }).crashAt).toBe(name);
  });
});
