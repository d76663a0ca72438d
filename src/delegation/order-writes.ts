import { Injectable } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { Clock } from '../common/clock';

/**
 * What the server cannot do, whatever is written: no room or memory, a fault of its disk, no right, no writes at all. Not that its
 * connections are used up (53300): one order that meets this moment would take its instance out for half a minute, and all at once.
 */
const OF_THE_SERVER = /^53[12]00$|^58|^XX00[12]$|^42501$|^25006$/;
/** An instance that gets no orders meanwhile gets one more try after that. */
const REMEMBERED_MS = 30_000;

/** Whether the database takes what orders write, by what came of the last of them. */
@Injectable()
export class OrderWrites {
  private refusal: { readonly reason: string; readonly atMs: number } | null = null;

  constructor(private readonly clock: Clock) {}

  worked(): void {
    this.refusal = null;
  }

  /** Counts when it is the server's fault; an order can bring about no such error. */
  failed(error: unknown): void {
    if (error instanceof DatabaseError && OF_THE_SERVER.test(error.code ?? ''))
      this.refusal = { reason: error.message, atMs: this.clock.monotonicMs() };
  }

  /** Why the last write was refused; null when it was not, or long ago. */
  lastRefusal(): string | null {
    const isRemembered = this.refusal !== null && this.clock.monotonicMs() - this.refusal.atMs < REMEMBERED_MS;
    return isRemembered ? this.refusal!.reason : null;
  }
}
