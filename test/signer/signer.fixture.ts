import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request as plainRequest, type RequestOptions } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { utils } from 'tronweb';
import { ensureBuild } from '../support/build';
import { Child, type ChildResult } from '../support/child';

export interface Wallet {
  readonly address: string;
  readonly privateKey: string;
}

export function makeWallet(): Wallet {
  const { address, privateKey } = utils.accounts.generateAccount();
  return { address: address.base58, privateKey: privateKey.replace(/^0x/, '').toLowerCase() };
}

export interface KeyJson {
  readonly id: string;
  readonly address: string;
  readonly permission_id: number;
  readonly role: string;
  readonly unfreeze?: boolean;
  readonly source: object;
  readonly limits?: object;
}

export interface Result {
  readonly txid?: string;
  readonly signature?: string;
  readonly error?: string;
  readonly message?: string;
}

export interface Answer<T> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: T;
}

export interface LogLine {
  readonly time: string;
  readonly key: string;
  readonly txid: string;
  readonly kind: string;
  readonly receiver: string | null;
  readonly amount: string | null;
}

/** One HTTP request, wherever its options lead. */
export async function call<T>(
  options: RequestOptions,
  body?: string | Buffer,
  request = plainRequest,
): Promise<Answer<T>> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer<T>>();
  const sent = request({ agent: false, ...options }, (response) => {
    const { statusCode: status = 0, headers } = response;
    text(response)
      .then((answer) => resolve({ status, headers, body: JSON.parse(answer) as T }))
      .catch(reject);
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

/** A folder with a configuration and keys, and the signer in a process of its own. */
export class TestSigner {
  readonly folder = mkdtempSync(join(tmpdir(), 'signer-'));
  readonly socket = join(this.folder, 'socket');
  readonly log = join(this.folder, 'log');
  readonly config = join(this.folder, 'config.json');
  private child: Child | undefined;

  /** A file that its owner alone may read. */
  write(name: string, content: string, mode = 0o600): string {
    const path = join(this.folder, name);
    writeFileSync(path, content);
    chmodSync(path, mode);
    return path;
  }

  key(id: string, wallet: Wallet, more: Partial<KeyJson> = {}): KeyJson {
    const file = this.write(`${id}.key`, `${wallet.privateKey}\n`);
    return { id, address: wallet.address, permission_id: 0, role: 'delegate', source: { file }, ...more };
  }

  configure(keys: readonly object[], more: object = {}): this {
    this.write('config.json', JSON.stringify({ keys, state: this.log, ...more }));
    return this;
  }

  /** `shell`: what a shell does before it becomes the signer. */
  run(args: readonly string[] = ['--socket', this.socket], env: Record<string, string> = {}, shell = ''): Child {
    const command = [join(ensureBuild(), 'signer', 'src', 'main.js'), '--config', this.config, ...args];
    if (shell === '') return new Child(command, env, this.folder);
    const script = `${shell}; exec "$0" "$@"`;
    return new Child(['-c', script, process.execPath, ...command], env, this.folder, { program: '/bin/sh' });
  }

  /** What it has said by the time that it listens. */
  async start(args?: readonly string[], env?: Record<string, string>, shell?: string): Promise<string> {
    this.child = this.run(args, env, shell);
    const [said] = await this.child.waitFor(/[^]*^listening on .*\n/m);
    return said;
  }

  get process(): Child {
    return this.child!;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<ChildResult> {
    return this.process.stop(signal);
  }

  /** Ends what runs, and removes all files. */
  async remove(): Promise<void> {
    if (this.child) await this.stop('SIGKILL');
    rmSync(this.folder, { recursive: true });
  }

  post<T = { results: Result[] }>(body: unknown): Promise<Answer<T>> {
    const options = { socketPath: this.socket, method: 'POST', path: '/v1/sign' };
    return call<T>(options, typeof body === 'string' ? body : JSON.stringify(body));
  }

  async signAll(key: string, all: readonly Buffer[]): Promise<Result[]> {
    const requests = all.map((rawData) => ({ key, raw_data_hex: rawData.toString('hex') }));
    const { status, body } = await this.post({ requests });
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body.results;
  }

  async sign(key: string, rawData: Buffer): Promise<Result> {
    const [result] = await this.signAll(key, [rawData]);
    return result!;
  }

  async health(): Promise<{ ok: boolean; keys: { id: string; ok: boolean; message: string }[] }> {
    const { body } = await call<never>({ socketPath: this.socket, path: '/v1/health' });
    return body;
  }

  lines(): LogLine[] {
    const lines = readFileSync(this.log, 'utf8').split('\n');
    if (lines.pop() !== '') throw new Error('the last line of the log is not whole');
    return lines.map((line) => JSON.parse(line) as LogLine);
  }
}
