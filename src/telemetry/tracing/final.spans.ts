import { ROOT_CONTEXT, trace, type Tracer } from '@opentelemetry/api';
import { finalOrders, type FinalOrder } from '../../common/telemetry-channels';
import type { OrderTraceRepository } from './order-trace.repository';
import { parseTraceparent } from './traceparent';

/** The last span of an order's trace, from its request to its final block, written by the process that records that block. */
export function traceFinalOrders(tracer: Tracer, orders: OrderTraceRepository): () => void {
  const note = (message: unknown): void => void finish(message as FinalOrder).catch(() => undefined);
  const finish = async ({ delegationId, txId, state }: FinalOrder): Promise<void> => {
    const ordered = await orders.find(delegationId);
    const parent = parseTraceparent(ordered?.traceparent, false);
    if (!ordered || !parent) return;
    const attributes = { 'delegation.id': delegationId, 'delegation.state': state, 'tron.txid': txId };
    const context = trace.setSpanContext(ROOT_CONTEXT, parent);
    tracer.startSpan('order until final', { startTime: ordered.at, attributes }, context).end();
  };
  finalOrders.subscribe(note);
  return () => {
    finalOrders.unsubscribe(note);
  };
}
