import { ROOT_CONTEXT, trace, type Tracer } from '@opentelemetry/api';
import { ordersSolid, type OrderSolid } from '../../common/telemetry-channels';
import type { OrderTraceRepository } from './order-trace.repository';
import { parseTraceparent } from './traceparent';

/** The last span of an order's trace, from its request to its solid block, written by the process that records the solid block. */
export function traceSolidOrders(tracer: Tracer, orders: OrderTraceRepository): () => void {
  const solid = (message: unknown): void => void finish(message as OrderSolid).catch(() => undefined);
  const finish = async ({ delegationId, txId, state }: OrderSolid): Promise<void> => {
    const ordered = await orders.find(delegationId);
    const parent = parseTraceparent(ordered?.traceparent, false);
    if (!ordered || !parent) return;
    const attributes = { 'delegation.id': delegationId, 'delegation.state': state, 'tron.txid': txId };
    const context = trace.setSpanContext(ROOT_CONTEXT, parent);
    tracer.startSpan('order until solid', { startTime: ordered.at, attributes }, context).end();
  };
  ordersSolid.subscribe(solid);
  return () => {
    ordersSolid.unsubscribe(solid);
  };
}
