import { isIP } from 'node:net';
import type { Configuration } from '../../config/configuration';
import { isLoopbackHost } from '../../config/loopback';
import { type Weakness, weakness } from '../common/weakness';
import { describeDatabase, urlsOfHosts } from '../../config/database-urls';
import { repeatsItself } from './repeated-secret';
import { trustsEverybody } from './trusted-proxies';

/** The shorter of the two rental times. */
const SHORTEST_RENTAL_MS = 10 * 60_000;

/** Weaknesses that the settings alone show. */
export function weakConfiguration(configuration: Configuration): Weakness[] {
  return [
    ...proxy(configuration),
    ...panel(configuration),
    ...plainText(configuration),
    ...database(configuration),
    ...failOver(configuration),
    ...openDoors(configuration),
    ...secrets(configuration),
    ...reclaim(configuration),
  ];
}

function proxy({ http: { trustProxy, publicUrl } }: Configuration): Weakness[] {
  if (trustsEverybody(trustProxy))
    return [weakness('proxy_trusts_everybody', 'TRUST_PROXY', { value: String(trustProxy) })];
  // With 0 hops no proxy is trusted, as with `false`.
  const isTrusted = trustProxy !== false && trustProxy !== 0;
  if (!publicUrl?.startsWith('https:') || isTrusted) return [];
  return [weakness('proxy_not_trusted', 'TRUST_PROXY', {})];
}

function panel({ http: { host, publicUrl: url }, notices: { email } }: Configuration): Weakness[] {
  // Behind a proxy the service listens on a loopback address, and the reader of a mail is elsewhere.
  if (url === undefined && email) return [weakness('mail_links_misled', 'PUBLIC_URL', {})];
  if (url === undefined) return isLoopbackHost(host) ? [] : [weakness('public_url_missing', 'PUBLIC_URL', { host })];
  return isPlain(url) ? [weakness('panel_over_http', 'PUBLIC_URL', { public_url: url })] : [];
}

/** Secrets that travel without TLS, to another machine. */
function plainText({ notices: { email, telegram, webhook }, nodes, traces }: Configuration): Weakness[] {
  const found: Weakness[] = [];
  if (email?.allowPlain) found.push(weakness('smtp_over_plain', 'SMTP_URL', { host: hostOf(email.smtpUrl) }));
  if (telegram && isPlain(telegram.apiUrl))
    found.push(weakness('telegram_over_http', 'TELEGRAM_API_URL', { host: hostOf(telegram.apiUrl) }));
  if (webhook && isPlain(webhook.url))
    found.push(weakness('notices_over_http', 'NOTIFY_WEBHOOK_URL', { host: hostOf(webhook.url) }));
  for (const [setting, urls] of [
    ['TRON_FULL_NODE_URLS', nodes.fullNodeUrls],
    ['TRON_SOLIDITY_NODE_URLS', nodes.solidityNodeUrls.filter((url) => !nodes.fullNodeUrls.includes(url))],
  ] as const)
    for (const url of urls.filter((one) => isPlain(one) && hasKey(one, nodes.apiKey)))
      found.push(weakness('node_key_over_http', setting, { host: hostOf(url) }));
  if (traces && isPlain(traces.url) && Object.keys(traces.headers).length > 0)
    found.push(weakness('traces_over_http', 'OTEL_EXPORTER_OTLP_ENDPOINT', { host: hostOf(traces.url) }));
  return found;
}

function database({ database: { url, migrationUrl } }: Configuration): Weakness[] {
  const given = { DATABASE_URL: url, DATABASE_MIGRATION_URL: migrationUrl };
  return Object.entries(given).flatMap(([setting, value]) => {
    const open = value === undefined ? [] : urlsOfHosts(value).filter(goesOutInPlainText);
    return open.length === 0 ? [] : [weakness('database_without_tls', setting, { host: describeDatabase(value!) })];
  });
}

/** A start and a command need both connections: after a fail-over, neither would find the new primary for migrations. */
function failOver({ database: { url, migrationUrl } }: Configuration): Weakness[] {
  if (url === undefined || migrationUrl === undefined) return [];
  if (urlsOfHosts(url).length === 1 || urlsOfHosts(migrationUrl).length > 1) return [];
  return [weakness('migration_hosts_missing', 'DATABASE_MIGRATION_URL', { host: describeDatabase(migrationUrl) })];
}

function openDoors({ http: { host }, metrics, webhooks }: Configuration): Weakness[] {
  const found: Weakness[] = [];
  if (webhooks.allowPrivate) found.push(weakness('webhooks_may_be_private', 'WEBHOOK_ALLOW_PRIVATE', {}));
  if (metrics.port !== undefined && metrics.token === undefined && !isPrivateHost(host))
    found.push(weakness('metrics_without_token', 'METRICS_TOKEN', { host }));
  return found;
}

function secrets({ secretKeys, metrics, notices, database: { url, migrationUrl } }: Configuration): Weakness[] {
  const given: readonly (readonly [string, readonly (string | null | undefined)[]])[] = [
    ['SECRET_KEYS', secretKeys],
    ['METRICS_TOKEN', [metrics.token]],
    ['NOTIFY_WEBHOOK_SECRET', [notices.webhook?.secret?.replace(/^whsec_/, '')]],
    ['SMTP_URL', [notices.email?.smtpUrl].flatMap(passwordOf)],
    ['DATABASE_URL', [url].flatMap(passwordsOf)],
    ['DATABASE_MIGRATION_URL', [migrationUrl].flatMap(passwordsOf)],
  ];
  return given.flatMap(([setting, values]) =>
    values.some((value) => value && repeatsItself(value)) ? [weakness('secret_repeats', setting, { setting })] : [],
  );
}

/** `60s` is soon written for `60m`. */
function reclaim({ reclaim: { delayMs } }: Configuration): Weakness[] {
  if (delayMs >= SHORTEST_RENTAL_MS) return [];
  return [weakness('reclaim_before_rental_end', 'RECLAIM_DELAY', { seconds: String(delayMs / 1_000) })];
}

function isPlain(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopbackHost(hostname);
}

function hasKey(url: string, apiKey: string | undefined): boolean {
  const { username, password } = new URL(url);
  return apiKey !== undefined || username !== '' || password !== '';
}

function hostOf(url: string): string {
  return new URL(url).host;
}

function passwordsOf(databaseUrl: string | undefined): string[] {
  return databaseUrl === undefined ? [] : urlsOfHosts(databaseUrl).flatMap(passwordOf);
}

function passwordOf(url: string | undefined): string[] {
  // Not decoded: a lone % in it is allowed, and a repeated %21 is a pattern too.
  return url === undefined ? [] : [new URL(url).password];
}

/**
 * As node-postgres reads the URL: without a word of TLS there is none. A host that is a path is a socket of this machine, and a name of one
 * word is one of the own network, as that of compose is between its containers.
 */
function goesOutInPlainText(databaseUrl: string): boolean {
  const { hostname, searchParams } = new URL(databaseUrl);
  const host = searchParams.get('host') ?? hostname.replaceAll(/%2f/gi, '/');
  if (host === '' || host.startsWith('/') || isLoopbackHost(host)) return false;
  if (!host.includes('.') && isIP(host.replace(/^\[|\]$/g, '')) === 0) return false;
  const [mode, ssl] = [searchParams.get('sslmode'), searchParams.get('ssl')];
  if (searchParams.get('sslnegotiation') === 'direct') return false;
  return mode === null ? ssl === null || ['0', 'false'].includes(ssl) : mode === 'disable';
}

/** An address that only the own network reaches. */
function isPrivateHost(host: string): boolean {
  if (isLoopbackHost(host)) return true;
  const private4 =
    /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/;
  return (isIP(host) === 4 && private4.test(host)) || (isIP(host) === 6 && /^f[cd]/i.test(host));
}
