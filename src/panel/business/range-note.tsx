import { utcDaysOf } from '../../reporting/reports/utc-days';
import { addDays, isOfUtcDays, spanOf, type ZonedRange } from '../dates/date-range';
import type { PageContext } from '../http/page-context';
import { groupDigits } from '../layout/values';
import { BUSINESS_MESSAGES } from '../messages/business.messages';
import { MOST_COUNTED, type TimeBars } from './time-buckets';

interface Props {
  readonly pageContext: PageContext;
  readonly asked: ZonedRange;
  readonly bars: TimeBars;
}

/** Whose days the numbers are of, and which of them are kept by the UTC day and cannot be cut at the reader's midnight. */
export function RangeNote({ pageContext, asked, bars }: Props) {
  const messages = BUSINESS_MESSAGES[pageContext.locale];
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
