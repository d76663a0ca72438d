import { Injectable } from '@nestjs/common';
import { AccountRepository, type Balance } from './account.repository';

export type { Balance };

@Injectable()
export class BalanceService {
  constructor(private readonly accounts: AccountRepository) {}

  async getBalance(userId: string): Promise<Balance> {
    const balance = await this.accounts.findBalance(userId);
    if (!balance) throw new Error(`user ${userId} has no account`);
    return balance;
  }
}
