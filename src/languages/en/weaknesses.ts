import { plural } from '../../common/plural';
import type { WeaknessMessages } from '../weakness-messages';

const NEW_KEY = 'openssl rand -base64 32';
const OWN_ROLE =
  'Let another role own the tables (DATABASE_MIGRATION_URL), and name a role in DATABASE_URL that owns nothing (docs/operations.md, Database).';
const rotate = 'give each a new secret (webhook:rotate ID, or the panel). The old secret stays valid for a day.';
const setUpAgain = 'have their users set them up again (Account in the panel).';
const withKey = (hasKey: string, act: string) =>
  hasKey === 'true'
    ? act[0]!.toUpperCase() + act.slice(1)
    : `Set SECRET_KEYS (${NEW_KEY}) on every instance, then ${act}`;
const webhooks = (count: string) => plural(count, 'webhook', 'webhooks');
const factors = (count: string) => plural(count, 'second factor', 'second factors');

/** As the log and the command line have it, and the panel in English. */
export const weaknesses: WeaknessMessages = {
  proxy_not_trusted: {
    reason: () =>
      'PUBLIC_URL is https, but TRUST_PROXY names no proxy: the cookies of the panel lack Secure, and all visitors count as one address',
    nextStep: () =>
      'Set TRUST_PROXY to the addresses or networks of the proxies in front, e.g. loopback or 10.0.0.0/8.',
  },
  proxy_trusts_everybody: {
    reason: ({ value }) =>
      `TRUST_PROXY=${value} trusts strangers too: any caller can forge the address that limits and token networks use`,
    nextStep: () => 'Set TRUST_PROXY to your own proxies only: their addresses or networks, or how many there are.',
  },
  public_url_missing: {
    reason: ({ host }) =>
      `HOST=${host} lets other machines connect, but PUBLIC_URL is not set: links to the panel lead to localhost or use http`,
    nextStep: () => 'Set PUBLIC_URL to the address that browsers use, e.g. https://energy.example.',
  },
  mail_links_misled: {
    reason: () =>
      'SMTP_URL is set, but PUBLIC_URL is not: the links in mails to users lead to the address on which this process listens',
    nextStep: () => 'Set PUBLIC_URL to the address that browsers use, e.g. https://energy.example.',
  },
  public_url_differs: {
    reason: ({ public_url: publicUrl, origin, instance }) =>
      `PUBLIC_URL is ${publicUrl}, but requests with a session or a token reach ${instance} as ${origin}: links lead elsewhere, or cookies lack Secure`,
    nextStep: () =>
      'Have the proxy in front pass on Host and X-Forwarded-Proto as the browser sent them and name the proxy in TRUST_PROXY, or correct PUBLIC_URL.',
  },
  panel_over_http: {
    reason: ({ public_url: publicUrl }) =>
      `PUBLIC_URL is ${publicUrl}: passwords, sessions and API tokens travel in plain text`,
    nextStep: () => 'Put a proxy with TLS in front (deploy/caddy), then set PUBLIC_URL to its https address.',
  },
  smtp_over_plain: {
    reason: ({ host }) => `SMTP_ALLOW_PLAIN=on: the password of ${host} may travel in plain text`,
    nextStep: () => 'Use smtps:// or a server that offers STARTTLS, and remove SMTP_ALLOW_PLAIN.',
  },
  telegram_over_http: {
    reason: ({ host }) => `TELEGRAM_API_URL is http: the token of the bot travels to ${host} in plain text`,
    nextStep: () => 'Set TELEGRAM_API_URL to an https address.',
  },
  notices_over_http: {
    reason: ({ host }) =>
      `NOTIFY_WEBHOOK_URL is http: notices, and the secret in the address, travel to ${host} in plain text`,
    nextStep: () => 'Set NOTIFY_WEBHOOK_URL to an https address.',
  },
  node_key_over_http: {
    reason: ({ host }) => `the key of the node ${host} travels in plain text`,
    nextStep: () => 'Use https for nodes that need a key or a password.',
  },
  traces_over_http: {
    reason: ({ host }) => `OTEL_EXPORTER_OTLP_HEADERS travel to ${host} in plain text`,
    nextStep: () => 'Send traces to an https address.',
  },
  role_superuser: {
    reason: ({ role }) => `the service's role ${role} is a superuser: it can change the ledger and the audit log`,
    nextStep: () => OWN_ROLE,
  },
  role_owns_tables: {
    reason: ({ role }) => `the service's role ${role} owns the tables: it can change the ledger and the audit log`,
    nextStep: () => OWN_ROLE,
  },
  database_without_tls: {
    reason: ({ host }) =>
      `the database is on ${host}, and the connection has no TLS: a machine in between can read and change the data`,
    nextStep: () =>
      'Add sslmode=verify-full to the URL (with sslrootcert for a CA of your own). A network that you share with no one needs no TLS.',
  },
  migration_hosts_missing: {
    reason: ({ host }) =>
      `DATABASE_URL names several hosts and DATABASE_MIGRATION_URL only ${host}: unless that name follows the primary, no instance starts and no command runs after a fail-over`,
    nextStep: () =>
      'Name all PostgreSQL hosts in DATABASE_MIGRATION_URL, or a name that follows the primary (docs/operations.md, Fail-over).',
  },
  webhooks_may_be_private: {
    reason: () =>
      'WEBHOOK_ALLOW_PRIVATE=on: customers can make this machine call http and private addresses, including your own services',
    nextStep: () => 'Remove WEBHOOK_ALLOW_PRIVATE if customers can add webhooks.',
  },
  secret_repeats: {
    reason: ({ setting }) => `a secret in ${setting} repeats a few characters and can be guessed`,
    nextStep: () => `Make a new one, e.g. with ${NEW_KEY}.`,
  },
  file_open_to_others: {
    reason: ({ path, mode }) => `${path} has the mode ${mode}: every account on this machine can read or change it`,
    nextStep: () => 'Run chmod o= on the file, which removes the rights of other accounts.',
  },
  metrics_without_token: {
    reason: ({ host }) =>
      `METRICS_PORT listens on ${host}, but METRICS_TOKEN is not set: every machine that reaches the port can read the figures of the business`,
    nextStep: () => 'Set METRICS_TOKEN here and in Prometheus, or close the port to others with a firewall.',
  },
  secret_keys_differ: {
    reason: ({ differing }) =>
      `instances have different keys (shown by name): ${differing}; an instance cannot read what another one has encrypted`,
    nextStep: () => 'Give all instances the same SECRET_KEYS, and restart those that differ.',
  },
  webhook_secrets_unencrypted: {
    reason: ({ count }) =>
      `the secrets of ${webhooks(count)} are stored unencrypted: anyone who reads the database or a dump can sign events`,
    nextStep: ({ has_key: hasKey }) => withKey(hasKey, rotate),
  },
  webhook_secret_key_missing: {
    reason: ({ count, key }) =>
      `the secrets of ${webhooks(count)} were encrypted with the key ${key}, which is not set: the service delivers nothing to them`,
    nextStep: () => 'Add that key to SECRET_KEYS, after the one that encrypts.',
  },
  second_factors_unencrypted: {
    reason: ({ count }) =>
      `the secrets of ${factors(count)} are stored unencrypted: anyone who reads the database or a dump can generate their codes`,
    nextStep: ({ has_key: hasKey }) => withKey(hasKey, setUpAgain),
  },
  second_factor_key_missing: {
    reason: ({ count, key }) =>
      `the secrets of ${factors(count)} were encrypted with the key ${key}, which is not set: their users can sign in only with recovery codes`,
    nextStep: () =>
      'Add that key to SECRET_KEYS, after the one that encrypts. If the key is lost, reset the second factors (user:reset-second-factor EMAIL).',
  },
  reclaim_before_rental_end: {
    reason: ({ seconds }) =>
      `RECLAIM_DELAY is ${seconds}s: energy is taken back before the shortest rental, 10 minutes, has ended`,
    nextStep: () => 'Set RECLAIM_DELAY to 10m or more, e.g. 60m. Only tests need a shorter delay.',
  },
  deposit_minimum_low: {
    reason: ({ minimum, worth, energy }) =>
      `DEPOSIT_MIN_USDT is ${minimum}, worth ${worth} TRX: its sweep takes 64,285 energy (${energy} TRX when burned), and another 1 to 2.1 TRX to activate an address that holds only USDT`,
    nextStep: () => 'Set DEPOSIT_MIN_USDT to more than a sweep costs.',
  },
};
