import type { ContextManager, Tracer } from '@opentelemetry/api';
import type { Sampler } from '@opentelemetry/sdk-trace';
import type { Configuration } from '../../../config/configuration';

export interface OpenTracer {
  readonly tracer: Tracer;
  readonly contexts: ContextManager;
  close(): Promise<void>;
}

/** Loads the library only when traces are wanted, so that other services start without it. */
export async function openTracer(settings: NonNullable<Configuration['traces']>): Promise<OpenTracer> {
  const [sdk, { OTLPTraceExporter }, { AsyncLocalStorageContextManager }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/resources'),
    ]);
  const exporter = new OTLPTraceExporter({ url: settings.url, headers: { ...settings.headers } });
  // A caller's trace goes on here, but neither its flag nor its id, both of its choice, decides what this service records.
  const byChance: Sampler = {
    shouldSample: () => ({
      decision:
        Math.random() < settings.ratio ? sdk.SamplingDecision.RECORD_AND_SAMPLED : sdk.SamplingDecision.NOT_RECORD,
    }),
    toString: () => `ByChance{${settings.ratio}}`,
  };
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.serviceName }),
    sampler: new sdk.ParentBasedSampler({
      root: byChance,
      remoteParentSampled: byChance,
      remoteParentNotSampled: byChance,
    }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: 1_000 })],
  });
  const contexts = new AsyncLocalStorageContextManager().enable();
  const tracer = provider.getTracer('energy-delegation');
  return {
    tracer,
    contexts,
    async close() {
      // A collector that is away must not prevent the shutdown.
      await provider.shutdown().catch(() => undefined);
      contexts.disable();
    },
  };
}
