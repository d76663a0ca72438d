import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { BackgroundJob } from '../../common/background-job';
import { Clock } from '../../common/clock';
import { CrashPoints } from '../../common/crash-points';
import { Shutdown } from '../../common/shutdown';
import { EventOutbox } from '../event-outbox';
import { SecretKeyMissingError } from '../../common/secret-cipher';
import { AccountAttempts } from './account-attempts';
import { AttemptDelivery } from './attempt-delivery';
import { DeliverySlots, type Slot } from './delivery-slots';
import { DeliveryRepository } from './delivery.repository';
import type { ClaimedDelivery } from './delivery.statements';
import { RecordAttempt } from './record-attempt';

/** Between two claims of this instance: what comes meanwhile is the next one's. */
const PAUSE_MS = 100;
/** When the service ends, attempts under way may still be answered. */
const GRACE_MS = 3_000;
const WITHOUT_KEY_MS = 60_000;

interface Claimed {
  readonly delivery: ClaimedDelivery;
  readonly slot: Slot;
}

/**
 * Claims what is due and attempts it. Every instance does; a claim ends by its lease, so what an instance left behind when it ended is
 * another one's half a minute later, at the same place in its schedule.
 */
@Injectable()
export class WebhookDispatcher implements OnModuleInit {
  private readonly logger = new Logger(WebhookDispatcher.name);
  private readonly slots = new DeliverySlots();
  private readonly breakOff = new AbortController();
  private isWanted = false;
  private isRunning = false;

  constructor(
    private readonly job: BackgroundJob,
    private readonly shutdown: Shutdown,
    private readonly clock: Clock,
    private readonly crashPoints: CrashPoints,
    private readonly outbox: EventOutbox,
    private readonly deliveries: DeliveryRepository,
    private readonly attempts: AttemptDelivery,
    private readonly ofAccounts: AccountAttempts,
    private readonly recordAttempt: RecordAttempt,
  ) {}

  onModuleInit(): void {
    this.outbox.listen(() => this.wake());
    const end = () => setTimeout(() => this.breakOff.abort(), GRACE_MS).unref();
    this.shutdown.signal.addEventListener('abort', end, { once: true });
  }

  /** Something may be due. The schedule asks once a second, so a call that comes just at the end of a run may be lost. */
  wake(): void {
    this.isWanted = true;
    if (this.isRunning) return;
    this.isRunning = true;
    void this.job
      .run('The delivery of webhooks', () => this.claimWhileWanted())
      .finally(() => (this.isRunning = false));
  }

  forgetIdle(): Promise<void> {
    return this.slots.forgetIdle(this.deliveries);
  }

  private async claimWhileWanted(): Promise<void> {
    while (this.isWanted && !this.shutdown.signal.aborted) {
      this.isWanted = false;
      await this.claimAndBegin();
      await this.clock.sleep(PAUSE_MS, this.shutdown.signal);
    }
  }

  private async claimAndBegin(): Promise<void> {
    const claimed = await this.deliveries.claim(this.slots.claimParams(this.ofAccounts.waiting()));
    if (claimed.length === 0) return;
    this.crashPoints.reached('after-webhook-claim');
    if (this.shutdown.signal.aborted) return this.deliveries.giveBack(claimed);
    const limited = Map.groupBy(claimed, ({ isLimited, userId }) => (isLimited ? userId : null));
    for (const [userId, ofOne] of limited) {
      const begun = ofOne.map((delivery) => ({ delivery, slot: this.slots.begin(delivery) }));
      if (userId === null) for (const { delivery, slot } of begun) this.begin(delivery, slot);
      else void this.job.run('Limited deliveries', () => this.beginLimited(userId, begun));
    }
  }

  /** One after the other, so that an account occupies one connection to the database. What is above the limit waits, where it is. */
  private async beginLimited(userId: string, claimed: readonly Claimed[]): Promise<void> {
    const left = [...claimed];
    try {
      let waitMs = 0;
      while (left.length > 0 && waitMs === 0) {
        waitMs = await this.ofAccounts.take(userId);
        const next = waitMs === 0 ? left.shift() : undefined;
        if (next) this.begin(next.delivery, next.slot);
      }
      if (waitMs > 0) {
        const waiting = left.map(({ delivery }) => delivery);
        await this.deliveries.giveBack(waiting, waitMs);
      }
    } finally {
      for (const { slot } of left) this.slots.end(slot, null);
    }
  }

  private begin(delivery: ClaimedDelivery, slot: Slot): void {
    void this.job.run('A delivery', () => this.deliver(delivery, slot));
  }

  private async deliver(delivery: ClaimedDelivery, slot: Slot): Promise<void> {
    let tookMs: number | null = null;
    try {
      const outcome = await this.attempts.attempt(delivery, this.breakOff.signal);
      tookMs = outcome.tookMs;
      if (this.breakOff.signal.aborted && outcome.status === null) await this.deliveries.giveBack([delivery]);
      else await this.recordAttempt.record(delivery, outcome);
    } catch (error) {
      if (!(error instanceof SecretKeyMissingError)) throw error;
      this.logger.error({ webhook: delivery.webhookId }, error.message);
      await this.deliveries.giveBack([delivery], WITHOUT_KEY_MS);
    } finally {
      this.slots.end(slot, tookMs);
      this.wake();
    }
  }
}
