import { Injectable } from '@nestjs/common';
import { OrderLookup, type OrderView } from '../../delegation/lookup/order-lookup';
import { RefusedAttemptRepository } from '../../reporting/refusals/refused-attempt.repository';
import type { OrderState } from '../../common/order.states';
import type { MomentRange } from '../../reporting/reports/utc-days';

const MOST = 5;
/** An order that was answered with a failure is in one of these once blocks have decided it. */
const FAILED: readonly OrderState[] = ['failed', 'taking_back', 'taken_back'];

export interface Failure {
  readonly at: string;
  /** Null: the order was answered with success, and never landed. */
  readonly code: string | null;
  /** Null: the call never became an order. */
  readonly orderId: string | null;
}

/** Why a customer's newest calls came to nothing. */
@Injectable()
export class NewestFailures {
  constructor(
    private readonly lookup: OrderLookup,
    private readonly refusals: RefusedAttemptRepository,
  ) {}

  async read(userId: string, { from, to }: MomentRange): Promise<Failure[]> {
    const [refused, ...orders] = await Promise.all([
      this.refusals.list(userId, { before: null, from, to, limit: MOST }),
      ...FAILED.map((state) => this.lookup.list({ userId, state, from, to, limit: MOST })),
    ]);
    return [
      ...refused.map(({ lastAt, code }) => ({ at: lastAt, code, orderId: null })),
      ...orders.flat().map(failureOf),
    ]
      .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
      .slice(0, MOST);
  }
}

function failureOf({ id, created_at: at, answer, answer_code: code }: OrderView): Failure {
  return { at, code: answer === 'failure' ? (code ?? 'INTERNAL') : null, orderId: id };
}
