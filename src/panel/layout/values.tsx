import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { groupDigits } from '../../common/money/grouped-digits';
import { formatTrx } from '../../common/money/sun';
import { CurrentVisit } from './current-visit';
import { inZone } from './time-zone';

export { groupDigits, shortTrx } from '../../common/money/grouped-digits';

/** Always six decimals, so that amounts in a column can be compared at a glance; with a minus sign, as wide as a plus. */
export function Trx({ sun, signed }: { sun: bigint; signed?: boolean }) {
  const text = groupDigits(formatTrx(sun)).replace('-', '\u2212');
  return <span class="amount">{signed && sun > 0n ? `+${text}` : text}</span>;
}

/** A share of whole numbers with one place, rounded down: 999 of 1,000 is no 100 %. Null: of nothing. */
export function percentOf(part: bigint, whole: bigint): string | null {
  if (whole === 0n) return null;
  const thousandths = (part * 1_000n) / whole;
  return `${thousandths / 10n}.${thousandths % 10n} %`;
}

interface InstantProps {
  readonly at: Date | string | null;
  readonly none?: string;
  /** Never counted from now. `hour`: the time of day, with its date unless that is today. */
  readonly form?: 'exact' | 'hour';
}

/** In the zone that the user has set, else ISO 8601 in UTC, to the second; a script makes it `3 min ago`. UTC shows when it is pointed at. */
export function Instant({ at, none = '–', form }: InstantProps) {
  const timeZone = useContext(CurrentVisit)?.user?.timeZone;
  if (at === null) return <>{none}</>;
  const iso = typeof at === 'string' ? at : at.toISOString();
  const local = timeZone ? inZone(new Date(iso), timeZone) : null;
  return (
    <time dateTime={iso} title={iso} data-form={form}>
      {form === 'hour' ? (local?.slice(11, 16) ?? `${iso.slice(11, 16)}Z`) : (local ?? iso.replace(/\.\d+Z$/, 'Z'))}
    </time>
  );
}

/** Colour and text: not everybody sees the colour. */
export function Badge({ tone, children }: { tone: 'good' | 'busy' | 'bad' | 'quiet'; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export type Fact = readonly [name: string, value: ComponentChildren];

/** Facts by name; those that do not apply are left out. */
export function Facts({ facts }: { facts: readonly (Fact | false | null)[] }) {
  return (
    <dl class="facts">
      {facts
        .filter((fact) => fact !== false && fact !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Numbers to be seen at a glance. */
export function Tile({ name, value, note }: { name: string; value: ComponentChildren; note?: ComponentChildren }) {
  return (
    <div class="tile">
      <span class="tile-name">{name}</span>
      <strong>{value}</strong>
      {note && <small>{note}</small>}
    </div>
  );
}
