import { LostByCodeTable } from '../business/business-tables';
import { RangeNote } from '../business/range-note';
import { TimeCharts } from '../business/time-charts';
import { RangeForm } from '../dates/date-range.form';
import { groupDigits, percentOf, shortTrx, Tile, useMessages } from '../layout/components';
import { RefusedAttemptTable } from '../refusals/refused-attempt.page';
import { userPath } from './user-by-id.pipe';
import { UserFrame } from './user-frame';
import type { UserUsageProps } from './user-page.props';

/** What a customer orders, spends and loses. */
export function UserUsagePage(props: UserUsageProps) {
  const { user, asked, usage, attempts } = props;
  const messages = useMessages('user');
  const { range, timeZone } = asked;
  return (
    <UserFrame {...props} tab="usage">
      <RangeForm asked={asked} action={userPath(user)} />
      {usage && range && (
        <>
          <UsageTiles {...props} usage={usage} />
          <TimeCharts bars={usage.bars} timeZone={timeZone} />
          <RangeNote asked={{ range, timeZone }} bars={usage.bars} />
          <h2 id="lost">{messages.lost}</h2>
          <LostByCodeTable rows={usage.lost} />
        </>
      )}
      <h2>{messages.attempts}</h2>
      <RefusedAttemptTable page={attempts} filtered={range !== null} operating />
    </UserFrame>
  );
}

function UsageTiles({ balance, usage: { report } }: UserUsageProps & { usage: NonNullable<UserUsageProps['usage']> }) {
  const messages = useMessages('user');
  const business = useMessages('business');
  const { orders, succeeded, failed, charged_sun: chargedSun, energy } = report.total;
  const { lowBalanceSun } = balance;
  const warning = lowBalanceSun === null ? messages.notWarned : messages.warnedBelow(shortTrx(lowBalanceSun));
  return (
    <div class="tiles dense">
      <Tile name={messages.balance} value={shortTrx(balance.balanceSun)} note={warning} />
      <Tile name={business.orders} value={groupDigits(orders)} />
      <Tile
        name={business.success}
        value={percentOf(succeeded, succeeded + failed) ?? '–'}
        note={business.successNote(groupDigits(succeeded), groupDigits(failed))}
      />
      <Tile name={business.charged} value={shortTrx(chargedSun)} />
      <Tile name={business.energy} value={groupDigits(energy)} />
    </div>
  );
}
