import { utcDaysOf } from '../../reporting/reports/utc-days';
import { addDays, isOfUtcDays, spanOf, type ZonedRange } from '../dates/date-range';
import { groupDigits, useMessages } from '../layout/components';
import { MOST_COUNTED, type TimeBars } from './time-buckets';

/** Whose days the numbers are of, and which of them are kept by the UTC day and cannot be cut at the reader's midnight. */
export function RangeNote({ asked, bars }: { asked: ZonedRange; bars: TimeBars }) {
  const messages = useMessages('business');
  const days = utcDaysOf(spanOf(asked));
  return (
    <p>
      <small>
        {messages.text(asked.timeZone)}
        {!isOfUtcDays(asked) && (
          <>
            {` ${messages.refusedOfUtc(days.from, addDays(days.to, -1))}`}
            {bars.of === 'utc-days' && ` ${messages.barsOfUtc(groupDigits(MOST_COUNTED))}`}
          </>
        )}
      </small>
    </p>
  );
}
