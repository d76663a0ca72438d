import type { DeliveryRepository } from './delivery.repository';
import type { ClaimedDelivery, ClaimParams } from './delivery.statements';

/** Attempts of this instance under way at a time. */
const MOST_HEALTHY = 400;
/** For webhooks that fail or are slow, whose attempts last up to the time limit. */
const MOST_SICK = 150;
const SLOW_MS = 2_000;

export interface Slot {
  readonly webhookId: string;
  readonly isSick: boolean;
}

/** What this instance has under way, by webhook, and which of them answer slowly: so much of each that none is in another's way. */
export class DeliverySlots {
  private readonly running = new Map<string, number>();
  private readonly slow = new Set<string>();
  private healthy = 0;
  private sick = 0;

  /** `accountsToWait`: what those have besides their orders' events stays where it is. */
  claimParams(accountsToWait: readonly string[]): ClaimParams {
    const known = [...new Set([...this.running.keys(), ...this.slow])];
    return [
      Math.max(0, MOST_HEALTHY - this.healthy),
      Math.max(0, MOST_SICK - this.sick),
      known,
      known.map((id) => this.running.get(id) ?? 0),
      known.map((id) => this.slow.has(id)),
      accountsToWait,
    ];
  }

  begin({ webhookId, isFailing }: ClaimedDelivery): Slot {
    this.running.set(webhookId, (this.running.get(webhookId) ?? 0) + 1);
    const isSick = isFailing || this.slow.has(webhookId);
    if (isSick) this.sick += 1;
    else this.healthy += 1;
    return { webhookId, isSick };
  }

  /** `tookMs`: null when nothing was attempted, which says nothing of its receiver. */
  end({ webhookId, isSick }: Slot, tookMs: number | null): void {
    const left = this.running.get(webhookId)! - 1;
    if (left === 0) this.running.delete(webhookId);
    else this.running.set(webhookId, left);
    if (isSick) this.sick -= 1;
    else this.healthy -= 1;
    if (tookMs === null) return;
    if (tookMs > SLOW_MS) this.slow.add(webhookId);
    else this.slow.delete(webhookId);
  }

  get slowIds(): string[] {
    return [...this.slow];
  }

  /** Where nothing waits to be sent: such a webhook may have been removed, and each claim would name it for ever. */
  async forgetIdle(deliveries: Pick<DeliveryRepository, 'withPending'>): Promise<void> {
    const asked = this.slowIds;
    const pending = await deliveries.withPending(asked);
    for (const id of asked) if (!pending.has(id)) this.slow.delete(id);
  }
}
