import type { End, OrderRow } from './checker';

const SUN = 1_000_000n;
/** Price of one transaction, in each variant; in B the default, for no account has a price of its own. */
const UNIT_PRICE_SUN: Readonly<Record<string, bigint>> = { A: 3n * SUN, B: (25n * SUN) / 10n };
export const ACTIVATION_SUN = (15n * SUN) / 10n;
const ENERGY = 65_000n;
/** Above what the energy takes, the service lends a thousandth more. */
const MOST_MARGIN = { parts: 1_005n, of: 1_000n };

/** Price of so many transactions, which are planned in thousandths at most. */
export function priceSun(variant: string, transactions: string | number): bigint {
  return (thousandths(transactions) * UNIT_PRICE_SUN[variant]! + 999n) / 1_000n;
}

/** The service's arithmetic once more, from what was ordered alone: price, quota, token's day and stake. */
export function checkPrices({ plan, rates, told }: End, orders: readonly OrderRow[]): string[] {
  const variant = plan.settings['BILLING_VARIANT']!;
  const costs = new Map(orders.map(({ id, cost_sun: sun }) => [id, sun]));
  const wrongly = told.filter(({ id, code, cost }) => {
    const due = variant === 'B' && code === 'OK' ? BigInt(costs.get(id) ?? 0) : null;
    return (cost === null ? null : sunOf(cost)) !== due;
  });
  return [
    ...orders.flatMap((order) => checkPrice(order, variant, rates)),
    ...wrongly.map(({ id, cost }) => `order ${id} was told to cost ${cost}, and costs ${costs.get(id)} sun`),
  ];
}

function checkPrice(order: OrderRow, variant: string, rates: End['rates']): string[] {
  const feeSun = priceSun(variant, order.transactions);
  const activationSun = order.activations > 0 ? ACTIVATION_SUN : 0n;
  const energy = (thousandths(order.transactions) * ENERGY) / 1_000n;
  const isOfQuota = order.subscription !== null;
  const costSun = (isOfQuota ? 0n : feeSun) + activationSun;
  const due: [name: string, is: string | null, due: bigint][] = [
    ['costs', order.cost_sun, costSun],
    ['holds', order.hold_sun, costSun],
    ['has energy of', order.energy, energy],
    ['takes a quota of', order.hold_quota, isOfQuota ? energy : 0n],
    ['counts in the day of its token with', order.counted_sun, feeSun + activationSun],
  ];
  const found = due
    .filter(([, is, should]) => is === null || BigInt(is) !== should)
    .map(([name, is, should]) => `order ${order.id} ${name} ${is} instead of ${should}`);
  if (order.activates !== order.activations > 0)
    found.push(`order ${order.id} pays for ${order.activates ? 'an' : 'no'} activation and has ${order.activations}`);
  if (order.paid_by !== (isOfQuota ? 'subscription' : 'balance'))
    found.push(`order ${order.id} is paid by ${order.paid_by}, its hold says otherwise`);
  const stakeSun = BigInt(order.stake_sun);
  const [least, most] = [
    rates.leastStakeSun(energy),
    (rates.mostStakeSun(energy) * MOST_MARGIN.parts) / MOST_MARGIN.of,
  ];
  if (stakeSun < least || stakeSun > most)
    found.push(`order ${order.id} lends ${stakeSun} sun, its energy takes ${least} to ${most}`);
  return found;
}

function thousandths(transactions: string | number): bigint {
  return BigInt(Math.round(Number(transactions) * 1_000));
}

function sunOf(trx: string): bigint {
  const [whole, part = ''] = trx.split('.');
  return BigInt(whole! + part.padEnd(6, '0'));
}
