import { ServiceError } from '../common/errors/service.error';
import { trxLiteral } from '../common/money/sun';
import type { CostRow } from './hold.statements';
import { LARGEST_WHOLE } from './rounding';

export function insufficientBalance(): ServiceError {
  return new ServiceError('INSUFFICIENT_BALANCE', 'neither quota nor balance covers the order');
}

/** Null when nothing refuses the order. `maxCostSun`: the order's own. */
export function paymentRefusal(judged: CostRow, maxCostSun: bigint | null): ServiceError | null {
  if (judged.refusal === 'max_cost') return costAboveMax(judged, maxCostSun);
  if (judged.refusal === 'daily_limit') {
    return new ServiceError('TOKEN_LIMIT_REACHED', 'the order would take the token above its daily limit');
  }
  return judged.refusal === 'balance' ? insufficientBalance() : null;
}

/** Each limit that it is above, under the field of the request that its reader can change. */
function costAboveMax({ cost_sun: cost, token_max_cost_sun: ofToken }: CostRow, ofOrder: bigint | null): ServiceError {
  const costSun = cost ?? LARGEST_WHOLE;
  const said = `The cost of ${cost === null ? 'more than ' : ''}${trxLiteral(costSun)} is more than the max cost`;
  const details = {
    ...(ofToken !== null && costSun > ofToken && { amount: [`${said} of the token.`] }),
    ...(ofOrder !== null && costSun > ofOrder && { max_cost: [`${said}.`] }),
  };
  return new ServiceError('COST_ABOVE_MAX', `${said} of the order or of its token`, { details });
}
