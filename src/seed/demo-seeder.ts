import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BigNumber from 'bignumber.js';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { LedgerService } from '../balance/ledger.service';
import { SubscriptionService } from '../billing/subscription.service';
import { toBase58Address } from '../chain/tron/addresses';
import { ReferenceBlocks } from '../chain/verified-chain/reference-blocks';
import type { WalletRole } from '../chain/transactions/signing/wallet-role';
import { PoolWallets } from '../chain/pool/wallets/pool-wallets';
import { SUN_PER_TRX } from '../common/money/sun';
import { Sql } from '../database/sql';
import { UserService } from '../users/user.service';
import { DemoToken } from './demo-token';
import { type LocalChainAccount, localChainDirectory } from './local-chain.endpoint';

const EMAIL = 'demo@example.com';
const BALANCE_SUN = 1000n * SUN_PER_TRX;
const SUBSCRIPTION = { transactions: new BigNumber(5), days: 30 };
const WALLET_ROLES: Partial<Record<LocalChainAccount['role'], WalletRole>> = { pool: 'delegate', activate: 'activate' };

export interface SeededDemo {
  readonly token: string;
  /** Not used yet: a first order with `activate_address` activates it. */
  readonly inactiveAddress: string;
}

/** A user who can order right away, on the local chain's play money. Every start finds what an earlier one, even a killed one, made. */
@Injectable()
export class DemoSeeder {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly users: UserService,
    private readonly ledger: LedgerService,
    private readonly subscriptions: SubscriptionService,
    private readonly referenceBlocks: ReferenceBlocks,
    private readonly pool: PoolWallets,
    private readonly sql: Sql,
    private readonly tokens: DemoToken,
  ) {}

  async prepare(accounts: readonly LocalChainAccount[]): Promise<SeededDemo> {
    await this.addWallets(accounts);
    const existing = await this.users.find({ email: EMAIL });
    const { id: userId } = existing ?? (await this.users.create(EMAIL, { name: 'Demonstration' }));
    await this.ledger.credit({ userId, amountSun: BALANCE_SUN, note: 'Play money', reference: 'demonstration' });
    if ((await this.subscriptions.list(userId, 1)).length === 0) {
      await this.subscriptions.create({ userId, ...SUBSCRIPTION, timeMs: await this.referenceBlocks.finalTimeMs() });
    }
    const token = await this.tokens.findOrCreate(userId);
    return { token, inactiveAddress: toBase58Address(`41${randomBytes(20).toString('hex')}`) };
  }

  private async addWallets(accounts: readonly LocalChainAccount[]): Promise<void> {
    const known = await this.pool.list();
    for (const { role: accountRole, address, private_key: key } of accounts) {
      const role = WALLET_ROLES[accountRole];
      if (role === undefined) continue;
      const name = `demo-${accountRole}`;
      const keySource = `file:${this.writeKey(accountRole, key)}`;
      const wallet = known.find((one) => one.role === role && one.address === address);
      if (!wallet) await this.pool.add({ name, address, role, keySource, permissionId: 0 });
      // The data directory may have been moved since.
      else if (wallet.name === name && wallet.key_source !== keySource) await this.moveKey(name, keySource);
    }
  }

  private async moveKey(name: string, keySource: string): Promise<void> {
    await this.sql.transaction(async (tx) => this.pool.updateKey(await this.pool.lock(name, tx), { keySource }, tx));
  }

  private writeKey(name: string, key: string): string {
    const directory = join(localChainDirectory(this.configuration.dataDir), 'keys');
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const file = join(directory, name);
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
    return file;
  }
}
