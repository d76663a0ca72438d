import { Gauge } from 'prom-client';
import type { MetricsRegistry } from './metrics.registry';

export interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface GaugeRow {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/**
 * Gauges that are read together when metrics are scraped, but at most once in `freshMs`, so that frequent scrapes do not load the
 * database. A failed reading leaves no samples, because an old number would look like a new one.
 */
export function registerGauges<Name extends string>(
  registry: MetricsRegistry,
  rows: readonly (GaugeRow & { readonly name: Name })[],
  read: () => Promise<ReadonlyMap<Name, readonly Sample[]>>,
  freshMs = 0,
): void {
  const gauges = new Map<Name, { readonly gauge: Gauge; readonly labelled: boolean }>();
  let reading: Promise<void> | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;
  const readAll = async (): Promise<void> => {
    const samples = await read().catch(() => new Map<Name, readonly Sample[]>());
    for (const [name, { gauge, labelled }] of gauges) replace(gauge, labelled, samples.get(name) ?? []);
    readAtMs = performance.now();
  };
  const collect = (): Promise<void> => {
    if (performance.now() - readAtMs < freshMs) return Promise.resolve();
    return (reading ??= readAll().finally(() => (reading = null)));
  };
  for (const { name, help, labels = [] } of rows) {
    const gauge = new Gauge({ name, help, labelNames: labels, registers: [registry], collect });
    gauges.set(name, { gauge, labelled: labels.length > 0 });
  }
}

function replace(gauge: Gauge, labelled: boolean, samples: readonly Sample[]): void {
  gauge.reset();
  // A gauge without labels would show 0 after a reset.
  if (samples.length === 0 && !labelled) gauge.remove();
  for (const { value, labels = {} } of samples) gauge.set(labels, value);
}
