import { Injectable } from '@nestjs/common';
import { BatchLoader } from '../../database/batch-loader';
import { Sql } from '../../database/sql';
import { POOL_ADDRESSES, WALLET } from './pool.statements';
import type { WalletRow } from './wallet-row';

@Injectable()
export class Pool {
  private readonly addresses: BatchLoader<{ key: string }>;

  constructor(private readonly sql: Sql) {
    this.addresses = new BatchLoader(sql, POOL_ADDRESSES);
  }

  /** One of the service's own wallets may not be a receiver. */
  async owns(address: string): Promise<boolean> {
    return (await this.addresses.find(address)) !== null;
  }

  async wallet(id: string): Promise<WalletRow> {
    const wallet = await this.sql.row<WalletRow & Record<string, unknown>>(WALLET, [id]);
    if (!wallet) throw new Error(`there is no pool wallet ${id}`);
    return wallet;
  }
}
