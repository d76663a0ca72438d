import { Injectable } from '@nestjs/common';
import type BigNumber from 'bignumber.js';
import { v7 as newId } from 'uuid';
import { RefusalError } from '../common/refusal.error';
import { Sql } from '../database/sql';
import { wholeEnergyOf } from './energy-amount';
import { CREATE_SUBSCRIPTION, END_SUBSCRIPTION, LIST_SUBSCRIPTIONS } from './subscription.statements';

export interface SubscriptionView {
  id: string;
  quotaEnergy: bigint;
  usedEnergy: bigint;
  heldEnergy: bigint;
  validFrom: string;
  validUntil: string;
}

interface SubscriptionRow {
  id: string;
  quota_energy: bigint;
  used_energy: bigint;
  held_energy: bigint;
  valid_from: string;
  valid_until: string;
}

@Injectable()
export class SubscriptionService {
  constructor(private readonly sql: Sql) {}

  /** Valid from now on. */
  async create(subscription: { userId: string; transactions: BigNumber; days: number }): Promise<SubscriptionView> {
    const quotaEnergy = wholeEnergyOf(subscription.transactions);
    if (quotaEnergy === null) {
      throw new RefusalError('a quota is a whole number of energy units (65,000 per transaction) below 2^63');
    }
    const values = [newId(), subscription.userId, quotaEnergy, subscription.days];
    return view((await this.sql.row<SubscriptionRow>(CREATE_SUBSCRIPTION, values))!);
  }

  /** Ends its validity now; orders that it already promised to pay still settle with it. */
  async end(id: string): Promise<SubscriptionView> {
    const row = await this.sql.row<SubscriptionRow>(END_SUBSCRIPTION, [id]);
    if (!row) throw new RefusalError(`no subscription ${id}`);
    return view(row);
  }

  /** Newest first. */
  async list(userId: string, limit?: number): Promise<SubscriptionView[]> {
    return (await this.sql.rows<SubscriptionRow>(LIST_SUBSCRIPTIONS, [userId, limit ?? null])).map(view);
  }
}

function view(row: SubscriptionRow): SubscriptionView {
  return {
    id: row.id,
    quotaEnergy: row.quota_energy,
    usedEnergy: row.used_energy,
    heldEnergy: row.held_energy,
    validFrom: row.valid_from,
    validUntil: row.valid_until,
  };
}
