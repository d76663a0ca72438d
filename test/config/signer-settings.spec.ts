import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConfigurationError, loadConfiguration } from '../../config/load-configuration';
import { Authority, type Certificate } from '../signer/certificates';

const URL_FORM = 'SIGNER_URL must be unix:/path/of/a/socket, or https://host:port of a signer that listens by TLS';

function read(settings: Record<string, string>) {
  return loadConfiguration({ TRON_FULL_NODE_URLS: 'http://node', DATABASE_URL: 'postgres://db/x', ...settings }).signer;
}

function problemsOf(settings: Record<string, string>): string[] {
  try {
    read(settings);
    return [];
  } catch (error) {
    return (error as ConfigurationError).problems.map(({ name, problem }) => `${name} ${problem}`);
  }
}

describe('the settings of the signer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signer-settings-'));
  let authority: Authority;
  let [own, other]: Certificate[] = [];
  let tls: Record<string, string>;
  beforeAll(async () => {
    authority = await Authority.make(folder, 'authority');
    [own, other] = [await authority.sign('own'), await authority.sign('other')];
    tls = {
      SIGNER_URL: 'https://signer.example:9000',
      SIGNER_TLS_CERT: own.cert,
      SIGNER_TLS_KEY: own.key,
      SIGNER_CA: authority.cert,
    };
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are a socket, or a host with three files; without them no signer is asked', () => {
    expect(read({})).toBeNull();
    expect(read({ SIGNER_URL: 'unix:/run/signer/socket' })).toEqual({ kind: 'unix', path: '/run/signer/socket' });
    const files = { certFile: own!.cert, keyFile: own!.key, caFile: authority.cert };
    expect(read(tls)).toEqual({ kind: 'tls', host: 'signer.example', port: 9000, ...files });
    expect(read({ ...tls, SIGNER_URL: 'https://[::1]' })).toMatchObject({ host: '::1', port: 443 });
  });

  it.each([
    ['http://127.0.0.1:9000', URL_FORM],
    ['/run/signer/socket', URL_FORM],
    ['unix:socket', 'SIGNER_URL must have an absolute path after unix:'],
    [`unix:/${'x'.repeat(107)}`, 'SIGNER_URL must have a path of 107 bytes at most'],
  ])('are refused by name: %s', (SIGNER_URL, problem) => {
    expect(problemsOf({ SIGNER_URL })).toEqual([problem]);
  });

  it('have no path, user or query after the host', () => {
    for (const rest of ['/v1', '?a=b']) {
      const SIGNER_URL = `https://signer.example${rest}`;
      expect(problemsOf({ ...tls, SIGNER_URL })).toEqual([URL_FORM]);
    }
    expect(problemsOf({ ...tls, SIGNER_URL: 'https://user@signer.example' })).toEqual([URL_FORM]);
  });

  it('are read at the start: each file that is missing or unfit is named, and nothing of it is shown', () => {
    const { SIGNER_URL } = tls as { SIGNER_URL: string };
    expect(problemsOf({ SIGNER_URL })).toEqual([
      'SIGNER_TLS_CERT is required with SIGNER_URL=https://…',
      'SIGNER_TLS_KEY is required with SIGNER_URL=https://…',
      'SIGNER_CA is required with SIGNER_URL=https://…',
    ]);
    const unfit = join(folder, 'unfit');
    writeFileSync(unfit, 'hidden');
    const wrong = { SIGNER_TLS_CERT: unfit, SIGNER_TLS_KEY: 'own.key', SIGNER_CA: join(folder, 'none') };
    expect(problemsOf({ ...tls, ...wrong })).toEqual([
      'SIGNER_TLS_CERT names a file without a certificate in PEM',
      'SIGNER_TLS_KEY must be the absolute path of a PEM file',
      'SIGNER_CA names a file that cannot be read (ENOENT)',
    ]);
    expect(problemsOf({ ...tls, SIGNER_TLS_KEY: unfit })).toEqual([
      'SIGNER_TLS_KEY names a file without a private key in PEM',
    ]);
    expect(problemsOf({ ...tls, SIGNER_TLS_KEY: other!.key })).toEqual([
      'SIGNER_TLS_KEY does not belong to the certificate SIGNER_TLS_CERT',
    ]);
  });

  it('of TLS go with https:// alone', () => {
    const needs = ['SIGNER_TLS_CERT', 'SIGNER_TLS_KEY', 'SIGNER_CA'].map(
      (name) => `${name} needs SIGNER_URL=https://…`,
    );
    expect(problemsOf({ ...tls, SIGNER_URL: 'unix:/run/signer/socket' })).toEqual(needs);
    expect(problemsOf({ ...tls, SIGNER_URL: '' })).toEqual(needs);
  });
});
