import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { SettingReader } from './setting-reader';

/** Where the signer listens, which has keys in a process of its own. Files are named here and read when a connection is opened. */
export type SignerPlace =
  | { readonly kind: 'unix'; readonly path: string }
  | {
      readonly kind: 'tls';
      readonly host: string;
      readonly port: number;
      readonly certFile: string;
      readonly keyFile: string;
      readonly caFile: string;
    };

const UNIX = 'unix:';
/** The system cuts longer ones, or refuses them. */
const LONGEST_SOCKET_PATH = 107;
const HTTPS_PORT = 443;
const FILES = ['SIGNER_TLS_CERT', 'SIGNER_TLS_KEY', 'SIGNER_CA'] as const;
const FORM = 'must be unix:/path/of/a/socket, or https://host:port of a signer that listens by TLS';

export function readSigner(settings: SettingReader): SignerPlace | null {
  const url = settings.text('SIGNER_URL');
  const given = FILES.filter((name) => settings.text(name) !== undefined);
  if (url?.startsWith('https://')) return readTls(settings, url);
  for (const name of given) settings.wrong(name, 'needs SIGNER_URL=https://…', null);
  if (url === undefined) return null;
  if (!url.startsWith(UNIX)) return settings.wrong('SIGNER_URL', FORM, null);
  const path = url.slice(UNIX.length);
  if (!isAbsolute(path)) return settings.wrong('SIGNER_URL', 'must have an absolute path after unix:', null);
  if (Buffer.byteLength(path) > LONGEST_SOCKET_PATH)
    return settings.wrong('SIGNER_URL', `must have a path of ${LONGEST_SOCKET_PATH} bytes at most`, null);
  return { kind: 'unix', path };
}

function readTls(settings: SettingReader, text: string): SignerPlace | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || url.href !== `${url.origin}/`) return settings.wrong('SIGNER_URL', FORM, null);
  const [cert, key, ca] = FILES.map((name) => readPem(settings, name));
  if (!cert || !key || !ca) return null;
  if (!areOfOnePair(cert.content, key.content))
    return settings.wrong('SIGNER_TLS_KEY', 'does not belong to the certificate SIGNER_TLS_CERT', null);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  return { kind: 'tls', host, port, certFile: cert.file, keyFile: key.file, caFile: ca.file };
}

/** The content of the files stays out of the messages. */
function readPem(settings: SettingReader, name: (typeof FILES)[number]) {
  const file = settings.text(name);
  if (file === undefined) return settings.wrong(name, 'is required with SIGNER_URL=https://…', null);
  if (!isAbsolute(file)) return settings.wrong(name, 'must be the absolute path of a PEM file', null);
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return settings.wrong(name, `names a file that cannot be read (${code})`, null);
  }
  const isKey = name === 'SIGNER_TLS_KEY';
  if (isPem(content, isKey)) return { file, content };
  return settings.wrong(name, `names a file without a ${isKey ? 'private key' : 'certificate'} in PEM`, null);
}

function isPem(content: string, isKey: boolean): boolean {
  try {
    const read = isKey ? createPrivateKey(content) : new X509Certificate(content);
    return read instanceof Object;
  } catch {
    return false;
  }
}

function areOfOnePair(certificate: string, key: string): boolean {
  return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
}
