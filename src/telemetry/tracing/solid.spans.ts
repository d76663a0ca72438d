import { ROOT_CONTEXT, trace, type Tracer } from '@opentelemetry/api';
import { ordersSolid, type OrderSolid } from '../../common/telemetry-channels';
import type { Sql, Statement } from '../../database/sql';
import { parseTraceparent } from './traceparent';

const ORDERED: Statement = {
  name: 'trace_of_order',
  text: `select at, detail->>'traceparent' as traceparent from delegation_events
          where delegation_id = $1 and kind = 'ordered' limit 1`,
};

/** The end of an order's trace, in whatever process sees its solid block: from the order's rows to that block. */
export function traceSolidOrders(tracer: Tracer, sql: Sql): () => void {
  const solid = (message: unknown): void => void finish(message as OrderSolid).catch(() => undefined);
  const finish = async ({ delegationId, txId, state }: OrderSolid): Promise<void> => {
    const ordered = await sql.row<{ at: Date; traceparent: string | null }>(ORDERED, [delegationId]);
    const parent = parseTraceparent(ordered?.traceparent);
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
