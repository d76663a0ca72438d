import { Injectable } from '@nestjs/common';

const MOST_USERS = 10_000;

/**
 * Users whose last order by the signer was paid. The next one is signed without a question to the database whether they can pay: it costs an
 * order a millisecond. Each paid order allows one such signature, so that users without money cannot use up a key's limit.
 */
@Injectable()
export class PaidOrders {
  private readonly users = new Set<string>();

  add(userId: string): void {
    this.users.add(userId);
    if (this.users.size <= MOST_USERS) return;
    const [oldest] = this.users;
    this.users.delete(oldest!);
  }

  /** True once for each paid order. */
  take(userId: string): boolean {
    return this.users.delete(userId);
  }
}
