import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { utils } from 'tronweb';
import { acquireEmbeddedPostgres, type EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres';
import { type LocalChain, startLocalChain } from '../../local-chain/src/local-chain';
import { type ChainWorld, LENDING, setActives, TRANSFER_ALONE } from './restricted-key';

/** What a reader of the pages brings along: nodes, a PostgreSQL that keeps what it has acknowledged, wallets with restricted keys. */
export class Mainnet implements ChainWorld {
  private constructor(
    readonly chain: LocalChain,
    private readonly folder: string,
    private readonly server: EmbeddedPostgres,
    /** The restricted key of each wallet, by its role. */
    readonly keys: Readonly<Record<'delegate' | 'activate', string>>,
  ) {}

  static async open(): Promise<Mainnet> {
    const folder = mkdtempSync(join(tmpdir(), 'mainnet-'));
    chmodSync(folder, 0o755);
    const [delegate, activate] = [utils.accounts.generateAccount(), utils.accounts.generateAccount()];
    const [chain, server] = await Promise.all([
      startLocalChain({ block: 300, witnesses: 4, control: true }),
      acquireEmbeddedPostgres(folder),
    ]);
    const keys = { delegate: delegate.privateKey.replace(/^0x/, ''), activate: activate.privateKey.replace(/^0x/, '') };
    const mainnet = new Mainnet(chain, folder, server, keys);
    await setActives(mainnet, [{ operations: LENDING, key: delegate.address.base58 }]);
    await setActives(mainnet, [{ operations: TRANSFER_ALONE, key: activate.address.base58 }], 'activate');
    return mainnet;
  }

  /** URL of the superuser. */
  get databaseUrl(): string {
    return this.server.url;
  }

  addressOf(role: 'delegate' | 'activate' | 'rich'): string {
    return this.chain.accounts.find((account) => account.role === (role === 'delegate' ? 'pool' : role))!.address;
  }

  /** A text of the pages with what they leave to their reader filled in. */
  fill(text: string, serviceUrl = ''): string {
    const addressOf = (_: string, role: 'delegate' | 'activate') => this.addressOf(role);
    return text
      .replaceAll(/T…(?= --role (delegate|activate))/g, addressOf)
      .replaceAll('"T…"', `"${this.addressOf('rich')}"`)
      .replaceAll('https://your.host', serviceUrl)
      .replaceAll('postgres://…', this.databaseUrl)
      .replaceAll('https://nile.trongrid.io', this.chain.url)
      .replaceAll('ACTIVATION_KEY=…', `ACTIVATION_KEY=${this.keys.activate}`)
      .replaceAll('POOL_KEY=…', `POOL_KEY=${this.keys.delegate}`);
  }

  /** One statement after the other: some may be in no transaction. */
  async asSuperuser(statements: string): Promise<void> {
    const client = new Client(this.databaseUrl);
    await client.connect();
    for (const statement of statements.split(';')) await client.query(statement);
    await client.end();
  }

  node(route: string, body: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    return this.post(route, body);
  }

  control(route: string, body: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    return this.post(`control/${route}`, body);
  }

  async close(): Promise<void> {
    await this.chain.close();
    await this.server.release();
    rmSync(join(this.server.dataDirectory, '..'), { recursive: true, force: true });
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async post(path: string, body: object): Promise<Record<string, unknown>> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${this.chain.url}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as Record<string, unknown>;
  }
}
