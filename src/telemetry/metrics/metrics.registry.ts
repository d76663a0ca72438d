import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';

/** One per application, so that several in one process (tests) do not share numbers. */
@Injectable()
export class MetricsRegistry extends Registry {
  private started = false;

  /** Only where metrics are served: the event loop's histogram costs processor time. */
  start(): void {
    if (this.started) return;
    this.started = true;
    collectDefaultMetrics({ register: this });
  }
}
