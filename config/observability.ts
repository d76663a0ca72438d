import type { SettingReader } from './setting-reader';

export interface Observability {
  readonly metrics: {
    /** A port of their own; undefined: none. */
    readonly port?: number;
    /** Asked for as a bearer token, on whichever port they are served. */
    readonly token?: string;
  };
  /** undefined: no traces are made. */
  readonly traces?: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly serviceName: string;
    /** Share of requests that are traced, 0 to 1. */
    readonly ratio: number;
  };
}

const SHORTEST_TOKEN = 16;

export function readObservability(settings: SettingReader): Observability {
  const token = settings.text('METRICS_TOKEN');
  if (token !== undefined && token.length < SHORTEST_TOKEN)
    settings.wrong('METRICS_TOKEN', `must have at least ${SHORTEST_TOKEN} characters`, undefined);
  const given = settings.text('METRICS_PORT');
  const port = given === undefined ? undefined : settings.integer('METRICS_PORT', 0, 65_535, 0);
  return { metrics: { port, token }, traces: readTraces(settings) };
}

/** The names are OpenTelemetry's own. */
function readTraces(settings: SettingReader): Observability['traces'] {
  const base = settings.webUrl('OTEL_EXPORTER_OTLP_ENDPOINT');
  const url = settings.webUrl('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? (base && `${base}/v1/traces`);
  const off = settings.choice('OTEL_SDK_DISABLED', ['true', 'false'], 'false') === 'true';
  const none = settings.choice('OTEL_TRACES_EXPORTER', ['otlp', 'none'], 'otlp') === 'none';
  const ratioPpm = settings.decimal('OTEL_TRACES_SAMPLER_ARG', 6, '0', '1', '1');
  if (url === undefined || off || none) return undefined;
  return {
    url,
    headers: readPairs(settings.text('OTEL_EXPORTER_OTLP_HEADERS') ?? ''),
    serviceName: settings.text('OTEL_SERVICE_NAME') ?? 'energy-delegation',
    ratio: Number(ratioPpm) / 1_000_000,
  };
}

function readPairs(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.split('='));
  return Object.fromEntries(
    pairs.filter(([name]) => name?.trim()).map(([name, ...value]) => [name!.trim(), value.join('=').trim()]),
  );
}
