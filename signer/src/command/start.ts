import { X509Certificate } from 'node:crypto';
import type { KeySettings } from '../configuration/configuration';
import { readConfiguration } from '../configuration/configuration.reader';
import { readFile } from '../configuration/private.file';
import { checkState } from '../configuration/state.file';
import { addressOf, showAddress } from '../curve/address';
import { SignServer, type TlsFiles } from '../http/sign.server';
import { clearSocketPath } from '../http/unix.socket';
import { Journal } from '../journal/journal';
import { reasonOf, StartError } from '../refusal';
import { type OpenedKey, Signer } from '../signer';
import { takeVariable } from '../sources/environment';
import { tryKey } from '../sources/key.trial';
import { openKey, type Variables } from '../sources/open.key';
import type { Listening, Options, TlsOptions } from './command-line.options';

const MOST_TLS_BYTES = 1_000_000;
const FILES_OF_OWNER_ALONE = 0o077;
const SOCKET_OF_OWNER_ALONE = 0o177;

/** A signer that listens. */
export interface Started {
  readonly address: string;
  readonly close: () => Promise<void>;
}

/** Checks everything, says what it found, then listens; the caller says where. @throws StartError */
export async function start({ config, listening }: Options, say: (line: string) => void): Promise<Started> {
  process.umask(FILES_OF_OWNER_ALONE);
  const configuration = readConfiguration(config);
  checkState(configuration, [{ name: '--config', path: config }, ...tlsFilesOf(listening)]);
  const tls = 'tls' in listening ? readTls(listening.tls) : undefined;
  const keys = await openKeys(configuration.keys);
  const journal = await Journal.open(configuration.state);
  try {
    for (const key of keys) say(describe(key));
    if (journal.isNew) say('state: new');
    if (journal.tornBytes > 0)
      say(
        `state: cut off ${journal.tornBytes} bytes of a last line that was never whole; its signature was not given out`,
      );
    if (journal.aheadMs > 60_000)
      say(
        `state: the newest line is ${Math.round(journal.aheadMs / 60_000)} minutes ahead of the clock, and limits count by it`,
      );
    const server = makeServer(new Signer(keys, journal), tls);
    const address = await listen(server, listening);
    return {
      address,
      close: async () => {
        await server.close();
        await journal.close();
      },
    };
  } catch (error) {
    await journal.close();
    throw error;
  }
}

function tlsFilesOf(listening: Listening): { name: string; path: string }[] {
  if (!('tls' in listening)) return [];
  const { cert, key, clientCa } = listening.tls;
  return [
    { name: '--tls-cert', path: cert },
    { name: '--tls-key', path: key },
    { name: '--client-ca', path: clientCa },
  ];
}

function readTls({ cert, key, clientCa }: TlsOptions): TlsFiles {
  return {
    cert: readTlsFile('--tls-cert', cert, false),
    key: readTlsFile('--tls-key', key, true),
    clientCa: certificatesOf(readTlsFile('--client-ca', clientCa, false), `--client-ca ${clientCa}`),
  };
}

/** Without a certificate here, Node would believe every authority that browsers believe. */
function certificatesOf(text: string, what: string): string[] {
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    for (const one of found) new X509Certificate(one).toString();
  } catch {
    found.length = 0;
  }
  if (found.length === 0) throw new StartError([`${what} must hold certificates (PEM)`]);
  return found;
}

function readTlsFile(option: string, path: string, secret: boolean): string {
  return readFile(path, { what: `${option} ${path}`, mostBytes: MOST_TLS_BYTES, secret });
}

function makeServer(signer: Signer, tls: TlsFiles | undefined): SignServer {
  try {
    return new SignServer(signer, tls);
  } catch (error) {
    throw new StartError([`the TLS files cannot be used: ${reasonOf(error)}`]);
  }
}

/** All at once: a start with several faults names them all. */
async function openKeys(settings: readonly KeySettings[]): Promise<OpenedKey[]> {
  const variables = readOnce();
  const opened = await Promise.allSettled(settings.map((one) => openAndTry(one, variables)));
  const problems = opened.flatMap((one, index) =>
    one.status === 'rejected' ? [`key ${settings[index]!.id}: ${reasonOf(one.reason)}`] : [],
  );
  if (problems.length > 0) throw new StartError(problems);
  return opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

async function openAndTry(settings: KeySettings, variables: Variables): Promise<OpenedKey> {
  const key = await openKey(settings, variables);
  const address = addressOf(key.publicKey);
  // A key of another permission has an address of its own, and the chain alone knows which.
  if (settings.permissionId === 0 && !address.equals(settings.address))
    throw new Error(`the key makes ${showAddress(address)}, and the address is ${showAddress(settings.address)}`);
  await tryKey(key);
  return { settings, key };
}

function readOnce(): Variables {
  const read = new Map<string, string | undefined>();
  return (name) => {
    if (!read.has(name)) read.set(name, takeVariable(name));
    return read.get(name);
  };
}

function describe({ settings, key }: OpenedKey): string {
  const { id, role, address, permissionId, limits } = settings;
  // A limit of what the role never signs holds nothing back.
  const limit = role === 'activate' ? limits.transfersPerHour : limits.stakeSunPerHour;
  const unlimited = limit === undefined ? ', no limit' : '';
  return `key ${id}: ${role} for ${showAddress(address)}, permission ${permissionId}, signs as ${showAddress(addressOf(key.publicKey))}${unlimited}`;
}

async function listen(server: SignServer, listening: Listening): Promise<string> {
  const where = 'socket' in listening ? `--socket ${listening.socket}` : `--listen ${listening.host}:${listening.port}`;
  try {
    if ('socket' in listening) {
      await clearSocketPath(listening.socket);
      // From its first moment on, and by no later chmod: root may give the socket to the service's user as soon as it is there.
      process.umask(SOCKET_OF_OWNER_ALONE);
      await server.listen({ path: listening.socket });
      process.umask(FILES_OF_OWNER_ALONE);
      return `unix:${listening.socket}`;
    }
    const { host, port } = listening;
    await server.listen({ host, port });
    return `https://${host.includes(':') ? `[${host}]` : host}:${server.port}`;
  } catch (error) {
    throw error instanceof StartError ? error : new StartError([`${where}: ${reasonOf(error)}`]);
  }
}
