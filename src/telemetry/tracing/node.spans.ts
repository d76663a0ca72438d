import { type Context, type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { HttpReply } from '../../chain/tron/node/node-http';
import { nodeCalls, type NodeCall } from '../../common/telemetry-channels';

type Spanned = NodeCall & { span?: Span; result?: HttpReply };

/** A span for every call to a node that a request makes. The follower's own calls belong to no trace. */
export function traceNodeCalls(tracer: Tracer, active: () => Context | null): () => void {
  const began = (message: unknown): void => {
    const call = message as Spanned;
    const parent = active();
    if (!parent) return;
    const attributes = { 'server.address': call.node };
    call.span = tracer.startSpan(`${call.kind}/${call.route}`, { kind: SpanKind.CLIENT, attributes }, parent);
  };
  nodeCalls.start.subscribe(began);
  nodeCalls.asyncEnd.subscribe(ended);
  return () => {
    nodeCalls.start.unsubscribe(began);
    nodeCalls.asyncEnd.unsubscribe(ended);
  };
}

function ended(message: unknown): void {
  const { span, result } = message as Spanned;
  if (result && result.kind !== 'json') span?.setStatus({ code: SpanStatusCode.ERROR, message: result.reason });
  span?.end();
}
