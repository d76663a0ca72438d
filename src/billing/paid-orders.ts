import { Injectable } from '@nestjs/common';
import type { ServiceError } from '../common/errors/service.error';
import { BillingService, type OrderToPay } from './billing.service';

const MOST_USERS = 10_000;

/**
 * Users whose last order was paid. The next one is signed by the signer without a question to the database whether they can pay: it costs an
 * order a millisecond. Each paid order allows one such signature, so that users without money cannot use up a key's limit.
 */
@Injectable()
export class PaidOrders {
  private readonly users = new Set<string>();

  constructor(private readonly billing: BillingService) {}

  add(userId: string): void {
    this.users.add(userId);
    if (this.users.size <= MOST_USERS) return;
    const [oldest] = this.users;
    this.users.delete(oldest!);
  }

  /** Why the caller cannot pay; null, unasked, once for each paid order. */
  async findRefusal(order: OrderToPay): Promise<ServiceError | null> {
    return this.users.delete(order.userId) ? null : this.billing.findRefusal(order);
  }
}
