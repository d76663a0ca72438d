import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { PoolAdminService } from '../../../src/admin/pool-admin.service';
import { StakeAdminService } from '../../../src/admin/stake-admin.service';
import type { Operator } from '../../../src/audit-log/audit-log';
import { SignerKeys } from '../../../src/chain/transactions/signer-process/signer-keys';
import { OrderWorld, type WorldOptions } from '../../support/order-world';
import { CARING_AND_UNFREEZING, LENDING, setActives, TRANSFER_ALONE } from '../../support/restricted-key';
import { Authority } from '../certificates';
import { FileBackend, type KeyBackend, type MadeKey } from '../key-backends';
import { type KeyJson, TestSigner } from '../signer.fixture';

export const ANN: Operator = { id: null, address: 'ann@here' };

interface SignerWorldOptions extends WorldOptions {
  /** A Unix socket unless given. */
  readonly listens?: 'socket' | 'tls';
  /** Files unless given. */
  readonly backend?: (signer: TestSigner) => Promise<KeyBackend>;
  /** The signer as the service sees it, when something stands in between. */
  readonly socketPath?: (signer: TestSigner) => Promise<string>;
  readonly limits?: Readonly<Record<string, object>>;
}

/** How the service finds the signer, and how the signer listens. */
interface Way {
  readonly args: readonly string[];
  readonly settings: Record<string, string>;
}

/** A world in which every wallet signs by the signer, with keys of permissions: lending and care of the pool account, activation. */
export class SignerWorld {
  private constructor(
    readonly world: OrderWorld,
    readonly signer: TestSigner,
    readonly backend: KeyBackend,
    readonly keys: Readonly<Record<'pool' | 'care' | 'activate', MadeKey>>,
    private readonly way: Way,
  ) {}

  static async open(options: SignerWorldOptions = {}): Promise<SignerWorld> {
    const signer = new TestSigner();
    const way = options.listens === 'tls' ? await tlsWay(signer) : await socketWay(signer, options);
    const backend = (await options.backend?.(signer)) ?? new FileBackend(signer);
    const world = await OrderWorld.open({ block: 150, ...options, env: { ...options.env, ...way.settings } });
    const keys = {
      pool: await backend.make('pool'),
      care: await backend.make('care'),
      activate: await backend.make('activate'),
    };
    await setActives(world, [
      { operations: LENDING, key: keys.pool.address },
      { operations: CARING_AND_UNFREEZING, key: keys.care.address },
    ]);
    await setActives(world, [{ operations: TRANSFER_ALONE, key: keys.activate.address }], 'activate');
    const made = new SignerWorld(world, signer, backend, keys, way);
    made.configure(options.limits);
    await made.startSigner();
    await made.moveKeys();
    return made;
  }

  address(role: 'pool' | 'activate'): string {
    return this.world.chain.accounts.find((account) => account.role === role)!.address;
  }

  /** `besides`: further entries. */
  configure(
    limits: Readonly<Record<string, object>> = {},
    keys: Partial<Record<string, MadeKey>> = {},
    besides: readonly KeyJson[] = [],
  ): void {
    const used = { ...this.keys, ...keys };
    const of = (id: 'pool' | 'care' | 'activate', more: Pick<KeyJson, 'role' | 'permission_id' | 'unfreeze'>) => ({
      id,
      address: this.address(id === 'care' ? 'pool' : id),
      source: used[id].source,
      ...more,
      ...(limits[id] && { limits: limits[id] }),
    });
    this.signer.configure([
      of('pool', { role: 'delegate', permission_id: 2 }),
      of('care', { role: 'stake', permission_id: 3, unfreeze: true }),
      of('activate', { role: 'activate', permission_id: 2 }),
      ...besides,
    ]);
  }

  startSigner(env: Record<string, string> = {}): Promise<string> {
    return this.signer.start(this.way.args, { ...this.backend.env, ...env });
  }

  /** The service looks now, and not when its turn comes. */
  look(): Promise<void> {
    return this.world.app.app.get(SignerKeys).look();
  }

  async close(): Promise<void> {
    await this.world.close();
    await this.signer.remove();
    await this.backend.close();
  }

  /** As an operator does who has had the keys in the service's process. */
  private async moveKeys(): Promise<void> {
    await this.look();
    const admin = this.world.app.app.get(PoolAdminService);
    for (const name of ['pool', 'activate'])
      await admin.updateWallet(ANN, name, { keySource: `signer:${name}`, permissionId: 2 });
  }

  async careForStake(): Promise<void> {
    const { witnesses } = (await this.world.node('wallet/listwitnesses', { visible: true })) as {
      witnesses: { address: string }[];
    };
    const votes = [{ witness: witnesses[0]!.address, weight: 1 }];
    const settings = { keySource: 'signer:care', permissionId: 3, votes };
    await this.world.app.app.get(StakeAdminService).setCare(ANN, 'pool', settings);
  }
}

async function socketWay(signer: TestSigner, { socketPath }: SignerWorldOptions): Promise<Way> {
  const path = (await socketPath?.(signer)) ?? signer.socket;
  return { args: ['--socket', signer.socket], settings: { SIGNER_URL: `unix:${path}` } };
}

async function tlsWay(signer: TestSigner): Promise<Way> {
  const servers = await Authority.make(signer.folder, 'servers');
  const clients = await Authority.make(signer.folder, 'clients');
  const [server, client] = [await servers.sign('server'), await clients.sign('service')];
  const port = await freePort();
  const files = ['--tls-cert', server.cert, '--tls-key', server.key, '--client-ca', clients.cert];
  return {
    args: ['--listen', `127.0.0.1:${port}`, ...files],
    settings: {
      SIGNER_URL: `https://127.0.0.1:${port}`,
      SIGNER_TLS_CERT: client.cert,
      SIGNER_TLS_KEY: client.key,
      SIGNER_CA: servers.cert,
    },
  };
}

/** The service has to know it before the signer can be configured. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
