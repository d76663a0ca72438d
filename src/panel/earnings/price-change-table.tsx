import { ENERGY_PER_TRANSACTION } from '../../billing/energy-amount';
import { parseTrx } from '../../common/money/sun';
import type { PriceChange } from '../../reporting/earnings/price-change.repository';
import { type Column, DataTable, groupDigits, Instant, shortTrx, useMessages } from '../layout/components';
import { userPath } from '../users/user-by-id.pipe';
import { changePercent } from './percents';

/** Volume and revenue before and after each change of a customer's price. */
export function PriceChangeTable({ changes }: { readonly changes: readonly PriceChange[] }) {
  const messages = useMessages('earnings');
  return (
    <>
      <h2>{messages.prices}</h2>
      <p>{messages.pricesText}</p>
      <DataTable name={messages.prices} rows={changes} empty={messages.noPrices} columns={useColumns()} />
    </>
  );
}

function useColumns(): Column<PriceChange>[] {
  const messages = useMessages('earnings');
  const price = (text: string) => {
    const sun = parseTrx(text);
    return sun === null ? messages.defaultPrice : shortTrx(sun);
  };
  const both = (name: string, unit: (change: PriceChange['before']) => bigint, text: (value: bigint) => string) => ({
    name,
    numeric: true,
    cell: ({ days, before, after }: PriceChange) =>
      days === 0 ? (
        '–'
      ) : (
        <>
          {messages.fromTo(text(unit(before)), text(unit(after)))}
          <small class="under">{changePercent(unit(before), unit(after)) ?? '–'}</small>
        </>
      ),
  });
  return [
    { name: messages.user, heading: true, cell: ({ userId, user }) => <a href={userPath({ id: userId })}>{user}</a> },
    { name: messages.changedAt, cell: ({ at }) => <Instant at={at} /> },
    { name: messages.price, numeric: true, cell: ({ was, is }) => messages.fromTo(price(was), price(is)) },
    { name: messages.compared, cell: ({ days }) => (days === 0 ? messages.noDays : messages.daysEach(days)) },
    both(
      messages.volume,
      ({ energy }) => energy / ENERGY_PER_TRANSACTION,
      (transactions) => groupDigits(transactions),
    ),
    both(messages.revenue, ({ chargedSun }) => chargedSun, shortTrx),
  ];
}
