import { loadConfiguration } from '../../config/load-configuration';
import { LANGUAGES } from '../../src/languages/languages';
import { weakConfiguration } from '../../src/weak-settings/weak-configuration';
import { textOf } from '../../src/weak-settings/weakness-text';

const NODES = { DATABASE_URL: 'postgres://127.0.0.1:1/none', TRON_FULL_NODE_URLS: 'http://127.0.0.1:1' };
const MAIL = { MAIL_FROM: 'energy@example.com', PUBLIC_URL: 'https://energy.example', TRUST_PROXY: 'loopback' };
const BOT = { TELEGRAM_BOT_TOKEN: '123456:abcdefghijklmnop', TELEGRAM_CHAT_ID: '-100' };
const PUBLIC = { HOST: '0.0.0.0', PUBLIC_URL: 'https://energy.example', TRUST_PROXY: 'loopback' };
const UNLINKED = { SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: 'energy@example.com' };
const REPEATED_KEY = Buffer.alloc(32, 7).toString('base64');
const RANDOM = 'dzpPopuI4/KNx+qnj3WNpMLS2v0Vek+qyopYqciI7cE=';

const found = (settings: Record<string, string>) =>
  weakConfiguration(loadConfiguration({ ...NODES, ...settings })).map(({ kind, subject }) => `${kind} ${subject}`);

describe('a weakness that the settings alone show is', () => {
  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['proxy_not_trusted TRUST_PROXY', { PUBLIC_URL: 'https://a.example' }, PUBLIC],
    ['proxy_not_trusted TRUST_PROXY', { PUBLIC_URL: 'https://a.example', TRUST_PROXY: '0' }, PUBLIC],
    ['proxy_not_trusted TRUST_PROXY', { PUBLIC_URL: 'https://a.example', TRUST_PROXY: 'false' }, PUBLIC],
    ['public_url_missing PUBLIC_URL', { HOST: '0.0.0.0' }, PUBLIC],
    ['public_url_missing PUBLIC_URL', { HOST: '::' }, { HOST: '::1' }],
    ['public_url_missing PUBLIC_URL', { HOST: '10.0.0.4' }, { HOST: 'localhost' }],
    ['mail_links_misled PUBLIC_URL', UNLINKED, { ...UNLINKED, ...PUBLIC }],
    ['mail_links_misled PUBLIC_URL', { ...UNLINKED, SIGN_UP: 'open', HOST: '0.0.0.0' }, { HOST: 'localhost' }],
    ['panel_over_http PUBLIC_URL', { PUBLIC_URL: 'http://energy.example' }, { PUBLIC_URL: 'http://localhost:8080' }],
    ['panel_over_http PUBLIC_URL', { PUBLIC_URL: 'http://10.0.0.4' }, { PUBLIC_URL: 'http://[::1]:8080' }],
    ['telegram_over_http TELEGRAM_API_URL', { ...BOT, TELEGRAM_API_URL: 'http://bots.example' }, BOT],
    [
      'telegram_over_http TELEGRAM_API_URL',
      { ...BOT, TELEGRAM_API_URL: 'http://10.1.2.3' },
      { ...BOT, TELEGRAM_API_URL: 'http://127.0.0.1:9' },
    ],
    [
      'notices_over_http NOTIFY_WEBHOOK_URL',
      { NOTIFY_WEBHOOK_URL: 'http://chat.example/key' },
      { NOTIFY_WEBHOOK_URL: 'https://chat.example/key' },
    ],
    [
      'node_key_over_http TRON_FULL_NODE_URLS',
      { TRON_FULL_NODE_URLS: 'http://node.example', TRON_API_KEY: 'k' },
      { TRON_FULL_NODE_URLS: 'https://node.example', TRON_API_KEY: 'k' },
    ],
    [
      'node_key_over_http TRON_SOLIDITY_NODE_URLS',
      { TRON_SOLIDITY_NODE_URLS: 'http://me:secret@node.example' },
      { TRON_SOLIDITY_NODE_URLS: 'http://node.example' },
    ],
    [
      'traces_over_http OTEL_EXPORTER_OTLP_ENDPOINT',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a' },
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' },
    ],
    [
      'database_without_tls DATABASE_URL',
      { DATABASE_URL: 'postgres://a:b@db.example/energy' },
      { DATABASE_URL: 'postgres://a:b@db.example/energy?sslmode=verify-full' },
    ],
    [
      'database_without_tls DATABASE_URL',
      { DATABASE_URL: 'postgres://a:b@localhost,10.0.0.3:5433/energy' },
      { DATABASE_URL: 'postgres://a:b@localhost:1,127.0.0.2:5433/energy' },
    ],
    [
      'database_without_tls DATABASE_URL',
      { DATABASE_URL: 'postgres://a:b@db.example/energy?sslmode=disable' },
      { DATABASE_URL: 'postgres://a:b@db.example/energy?ssl=true' },
    ],
    [
      'database_without_tls DATABASE_URL',
      { DATABASE_URL: 'postgres://a:b@postgres,[2001:db8::1]:5433/energy' },
      { DATABASE_URL: 'postgres://a:b@postgres:5432/energy' },
    ],
    [
      'database_without_tls DATABASE_MIGRATION_URL',
      { DATABASE_MIGRATION_URL: 'postgres://owner:b@db.example/energy' },
      { DATABASE_MIGRATION_URL: 'postgres://owner:b@127.0.0.1/energy' },
    ],
    [
      'migration_hosts_missing DATABASE_MIGRATION_URL',
      { DATABASE_URL: 'postgres://a@one,two/energy', DATABASE_MIGRATION_URL: 'postgres://owner@one/energy' },
      { DATABASE_URL: 'postgres://a@one,two/energy', DATABASE_MIGRATION_URL: 'postgres://owner@one,two/energy' },
    ],
    ['webhooks_may_be_private WEBHOOK_ALLOW_PRIVATE', { WEBHOOK_ALLOW_PRIVATE: 'on' }, {}],
    ['metrics_without_token METRICS_TOKEN', { ...PUBLIC, METRICS_PORT: '9464' }, { METRICS_PORT: '9464' }],
    [
      'metrics_without_token METRICS_TOKEN',
      { ...PUBLIC, HOST: '203.0.113.7', METRICS_PORT: '9464' },
      { ...PUBLIC, HOST: '10.0.0.4', METRICS_PORT: '9464' },
    ],
    [
      'metrics_without_token METRICS_TOKEN',
      { ...PUBLIC, HOST: '::', METRICS_PORT: '9464' },
      { ...PUBLIC, HOST: '::', METRICS_PORT: '9464', METRICS_TOKEN: RANDOM },
    ],
    ['secret_repeats SECRET_KEYS', { SECRET_KEYS: REPEATED_KEY }, { SECRET_KEYS: RANDOM }],
    ['secret_repeats SECRET_KEYS', { SECRET_KEYS: `${RANDOM},${'A'.repeat(43)}=` }, {}],
    ['secret_repeats METRICS_TOKEN', { METRICS_TOKEN: 'a'.repeat(16) }, { METRICS_TOKEN: RANDOM }],
    ['secret_repeats METRICS_TOKEN', { METRICS_TOKEN: '1234123412341234' }, {}],
    [
      'secret_repeats METRICS_TOKEN',
      { METRICS_TOKEN: 'abcdeabcdeabcdeabcde' },
      { METRICS_TOKEN: 'abcdeabcdfabcdgabcde' },
    ],
    ['secret_repeats METRICS_TOKEN', { METRICS_TOKEN: 'passwordpasswordpassword' }, {}],
    ['secret_repeats SECRET_KEYS', { SECRET_KEYS: Buffer.alloc(32, 'energy7').toString('base64') }, {}],
    [
      'secret_repeats NOTIFY_WEBHOOK_SECRET',
      { NOTIFY_WEBHOOK_URL: 'https://a.example', NOTIFY_WEBHOOK_SECRET: `whsec_${REPEATED_KEY}` },
      { NOTIFY_WEBHOOK_URL: 'https://a.example', NOTIFY_WEBHOOK_SECRET: `whsec_${RANDOM}` },
    ],
    [
      'secret_repeats SMTP_URL',
      { ...MAIL, SMTP_URL: 'smtps://me:xxxxxxxx@mail.example' },
      { ...MAIL, SMTP_URL: 'smtps://me:correct-horse@mail.example' },
    ],
    [
      'secret_repeats DATABASE_URL',
      { DATABASE_URL: 'postgres://a:zzzz@127.0.0.1/energy' },
      { DATABASE_URL: 'postgres://a:100%sure@127.0.0.1/energy' },
    ],
    ['reclaim_before_rental_end RECLAIM_DELAY', { RECLAIM_DELAY: '60s' }, { RECLAIM_DELAY: '10m' }],
    ['reclaim_before_rental_end RECLAIM_DELAY', { RECLAIM_DELAY: '599s' }, {}],
  ])('%s with %j, and not with %j', (kind, weak, sound) => {
    expect(found(weak)).toEqual([kind]);
    expect(found(sound)).toEqual([]);
  });

  it.each(['true', '0.0.0.0/1, 128.0.0.0/1', '::ffff:0:0/96', '2000::/3', 'loopback, 64.0.0.0/2', '100', '999'])(
    'TRUST_PROXY=%s, which is everybody in other words',
    (trustProxy) => {
      expect(found({ ...PUBLIC, TRUST_PROXY: trustProxy })).toEqual(['proxy_trusts_everybody TRUST_PROXY']);
    },
  );

  it.each([
    '1',
    '3',
    'loopback, linklocal, uniquelocal',
    '10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, fc00::/7',
    '173.245.48.0/20, 104.16.0.0/13, 2400:cb00::/32, 2606:4700::/32, 2a06:98c0::/29',
    '130.211.0.0/22, 35.191.0.0/16',
  ])('not TRUST_PROXY=%s: proxies of one owner', (trustProxy) => {
    expect(found({ ...PUBLIC, TRUST_PROXY: trustProxy })).toEqual([]);
  });
});

describe('TRUST_PROXY', () => {
  it.each(['0.0.0.0/0', '::/0', 'loopback, 0.0.0.0/0', '0.0.0.0/0, 10.0.0.0/8', '0.0.0.0/00'])(
    '%s is refused, as express would refuse it',
    (trustProxy) => expect(() => found({ TRUST_PROXY: trustProxy })).toThrow('TRUST_PROXY must name the proxies'),
  );
});

describe('each weakness', () => {
  it('is said in both languages by other sentences, and names no secret', () => {
    const secret = 'do-not-show-this';
    const weak = weakConfiguration(
      loadConfiguration({
        ...BOT,
        DATABASE_URL: `postgres://me:${secret}@db.example/energy`,
        TRON_FULL_NODE_URLS: `http://me:${secret}@node.example/${secret}`,
        TRON_API_KEY: secret,
        TELEGRAM_API_URL: `http://me:${secret}@bots.example/${secret}`,
        NOTIFY_WEBHOOK_URL: `http://chat.example/${secret}`,
        SMTP_URL: `smtp://me:${secret}@mail.example`,
        SMTP_ALLOW_PLAIN: 'on',
        ...MAIL,
        PUBLIC_URL: 'http://energy.example',
        METRICS_TOKEN: secret,
      }),
    );
    expect(weak).toHaveLength(6);
    const [english, chinese] = (['en', 'zh'] as const).map((language) => weak.map((one) => textOf(one, language)));
    for (const texts of [english!, chinese!]) expect(JSON.stringify(texts)).not.toContain(secret);
    for (const [index, { reason, next_step: nextStep }] of english!.entries()) {
      expect(`${reason}${nextStep}`).toMatch(/^[\x20-\x7e]+$/);
      expect(chinese![index]!.reason).toMatch(/\p{Script=Han}/u);
      expect(chinese![index]!.next_step).toMatch(/\p{Script=Han}/u);
    }
    const { en, zh } = LANGUAGES;
    expect(Object.keys(zh.weaknesses)).toEqual(Object.keys(en.weaknesses));
  });
});

describe('the password of a mail server', () => {
  const problems = (settings: Record<string, string>) => () => loadConfiguration({ ...NODES, ...MAIL, ...settings });

  it.each(['?ignoreTLS=true', '?opportunisticTLS=true', '?requireTLS=false', '?secure=false'])(
    'is not sent without TLS because the URL says %s, unless the server is this machine or it is allowed',
    (query) => {
      const url = `smtp://me:secret@mail.example${query}`;
      expect(problems({ SMTP_URL: url })).toThrow('SMTP_ALLOW_PLAIN=on');
      expect(problems({ SMTP_URL: url, SMTP_ALLOW_PLAIN: 'on' })).not.toThrow();
      expect(problems({ SMTP_URL: `smtp://me:secret@127.0.0.1${query}` })).not.toThrow();
      expect(problems({ SMTP_URL: `smtp://mail.example${query}` })).not.toThrow();
    },
  );

  it('that may go in plain text is weak, and no server is that needs none or begins with TLS', () => {
    const plain = (SMTP_URL: string) => found({ ...MAIL, SMTP_URL, SMTP_ALLOW_PLAIN: 'on' });
    expect(plain('smtp://me:secret@mail.example')).toEqual(['smtp_over_plain SMTP_URL']);
    for (const sound of ['smtps://me:secret@mail.example', 'smtp://mail.example', 'smtp://me:secret@127.0.0.1'])
      expect(plain(sound)).toEqual([]);
  });
});
