import type { SpanContext } from '@opentelemetry/api';

const FORMAT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** W3C's `traceparent`; null for anything else. `isRemote`: of somebody else's making, whose flag decides nothing here. */
export function parseTraceparent(text: unknown, isRemote: boolean): SpanContext | null {
  const match = typeof text === 'string' ? FORMAT.exec(text) : null;
  return match && { traceId: match[1]!, spanId: match[2]!, traceFlags: Number.parseInt(match[3]!, 16), isRemote };
}

export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
