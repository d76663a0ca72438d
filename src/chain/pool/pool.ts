import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { IS_POOL_ADDRESS, WALLET } from './pool.statements';
import type { WalletRow } from './wallet-row';

@Injectable()
export class Pool {
  constructor(private readonly sql: Sql) {}

  /** One of the service's own wallets may not be a receiver. */
  async owns(address: string): Promise<boolean> {
    return (await this.sql.row(IS_POOL_ADDRESS, [address])) !== null;
  }

  async wallet(id: string): Promise<WalletRow> {
    const wallet = await this.sql.row<WalletRow & Record<string, unknown>>(WALLET, [id]);
    if (!wallet) throw new Error(`there is no pool wallet ${id}`);
    return wallet;
  }
}
