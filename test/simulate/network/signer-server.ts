import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeySettings } from '../../../signer/src/configuration/configuration';
import { parseSignRequests } from '../../../signer/src/http/sign.request';
import { Journal } from '../../../signer/src/journal/journal';
import { RefusalError } from '../../../signer/src/refusal';
import { Signer, type SignResult } from '../../../signer/src/signer';
import { localKey } from '../../../signer/src/sources/local.key';
import type { Kernel } from '../kernel/kernel';
import type { Reply, SimRequest } from './http-edge';
import type { Served, Server } from './sim-network';

/** A key as the signer's configuration has it, and the key itself. */
export type HeldKey = Omit<KeySettings, 'source'> & { readonly privateKey: string };

export interface LoggedSignature {
  readonly key: string;
  readonly txid: string;
  readonly kind: string;
  readonly amount: string | null;
}

interface Signed {
  readonly txid: string;
  readonly signature: string;
}

type Result = Signed | { readonly error: string; readonly message: string };

/**
 * The signer's own reader, rules, limits and log, in a process that can be killed, can hang and can be started with another configuration.
 * Its log is a file: what one process has written, the next one reads.
 */
export class SignerServer implements Server {
  /** Answers come so much later until then. */
  lateUntilMs = 0;
  lateByMs = 0;
  /** It takes calls until then and answers none. */
  hangsUntilMs = 0;
  /** So many further POSTs are answered with a signature of another transaction. */
  swaps = 0;
  /** Where the next POST ends the process. */
  endsAt: 'before its log' | 'after its log' | null = null;
  /** Called when it has ended. */
  ended: () => void = () => undefined;
  /** Called for what a POST has met. */
  met: (what: string) => void = () => undefined;
  private readonly folder = mkdtempSync(join(tmpdir(), 'simulated-signer-'));
  private readonly log = join(this.folder, 'log');
  private running: { readonly signer: Signer; readonly journal: Journal } | null = null;
  private before: Signed | null = null;

  constructor(private readonly kernel: Kernel) {}

  get slowByMs(): number {
    return this.kernel.nowMs < this.lateUntilMs ? this.lateByMs : 0;
  }

  async start(keys: readonly HeldKey[]): Promise<void> {
    await this.end();
    const journal = await Journal.open(this.log);
    const opened = keys.map(({ privateKey, ...settings }) => {
      return { settings: { ...settings, source: { env: settings.id } }, key: localKey(privateKey)! };
    });
    this.running = { signer: new Signer(opened, journal), journal };
    this.kernel.log(`the signer is up with ${keys.map(({ id }) => id).join(', ')}`);
  }

  /** As SIGKILL does: what it has not answered it never answers. */
  async end(): Promise<void> {
    if (!this.running) return;
    const { journal } = this.running;
    this.running = null;
    await journal.close();
    this.kernel.log('the signer has ended');
  }

  lines(): LoggedSignature[] {
    const lines = readFileSync(this.log, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as LoggedSignature);
  }

  async remove(): Promise<void> {
    await this.end();
    rmSync(this.folder, { recursive: true });
  }

  async sent(): Promise<'refused' | null> {
    return this.running ? null : 'refused';
  }

  async serve(call: SimRequest, body: string): Promise<Served> {
    if (!this.running) return { code: 'ECONNRESET' };
    if (this.kernel.nowMs < this.hangsUntilMs) return null;
    const { signer } = this.running;
    if (call.url.pathname === '/v1/health') return json(await signer.health());
    return this.sign(signer, body);
  }

  private async sign(signer: Signer, body: string): Promise<Served> {
    if (this.endsAt === 'before its log') return this.die();
    const requests = parseSignRequests(body).filter((one) => one !== null);
    const results = (await signer.sign(requests)).map(resultOf);
    for (const one of results) this.met('error' in one ? `signer, ${one.error}` : 'signer, signed');
    if (this.endsAt === 'after its log') return this.die();
    return json({ results: this.swapped(results) });
  }

  private async die(): Promise<Served> {
    this.met(`signer, killed ${this.endsAt}`);
    this.endsAt = null;
    await this.end();
    this.ended();
    return { code: 'ECONNRESET' };
  }

  /** Each signature in the place of the next one: of this POST, or of one before. */
  private swapped(results: readonly Result[]): readonly Result[] {
    const signed = results.filter((one) => 'signature' in one);
    const last = signed.at(-1) ?? this.before;
    const given = this.swaps > 0 && (signed.length > 1 || this.before) ? this.rotated(results) : results;
    this.before = last;
    return given;
  }

  private rotated(results: readonly Result[]): readonly Result[] {
    const signed = results.filter((one) => 'signature' in one);
    let next = signed.length > 1 ? signed.at(-1)! : this.before!;
    this.swaps -= 1;
    return results.map((one) => {
      if (!('signature' in one) || one.signature === next.signature) return one;
      const { signature } = next;
      next = one;
      this.met('signer, signature of another transaction');
      return { txid: one.txid, signature };
    });
  }
}

function resultOf(result: SignResult): Result {
  return result instanceof RefusalError ? { error: result.code, message: result.message } : result;
}

function json(value: unknown): Reply {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}
