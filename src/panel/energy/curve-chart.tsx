import { LANGUAGE_TAGS, type Locale } from '../messages/locale';

export interface CurvePoint {
  /** Hours from now. */
  readonly x: number;
  readonly least: number;
  readonly most: number;
}

interface Props {
  readonly locale: Locale;
  readonly points: readonly CurvePoint[];
  /** In words, what it shows. */
  readonly label: string;
  readonly hours: (count: number) => string;
}

const WIDTH = 640;
const HEIGHT = 220;
const LEFT = 64;
const RIGHT = 10;
const TOP = 14;
const BOTTOM = 26;
const TICKS = 4;
const X_TICKS = [0, 6, 12, 18, 24];

/** The band between two curves over hours, with both axes. An SVG without script or style attributes. */
export function CurveChart({ locale, points, label, hours }: Props) {
  const compact = new Intl.NumberFormat(LANGUAGE_TAGS[locale], { notation: 'compact', maximumSignificantDigits: 3 });
  const top = niceTop(Math.max(0, ...points.map(({ most }) => most)));
  const last = points.at(-1)?.x ?? 24;
  const x = (hour: number) => round(LEFT + (hour / last) * (WIDTH - LEFT - RIGHT));
  const y = (value: number) => round(TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM));
  const line = (of: 'least' | 'most', order = points) =>
    order.map((point) => `${x(point.x)},${y(point[of])}`).join(' ');
  const ticks = Array.from({ length: TICKS + 1 }, (_, index) => (top / TICKS) * index);
  return (
    <svg class="curve" role="img" aria-label={label} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
      {ticks.map((tick) => (
        <g key={tick}>
          <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text class="y" x={LEFT - 8} y={y(tick) + 4}>
            {compact.format(tick)}
          </text>
        </g>
      ))}
      {X_TICKS.map((hour) => (
        <text key={hour} class={hour === 0 ? 'x first' : hour === last ? 'x last' : 'x'} x={x(hour)} y={HEIGHT - 6}>
          {hours(hour)}
        </text>
      ))}
      <polygon class="band" points={`${line('most')} ${line('least', points.toReversed())}`} />
      <polyline class="most" points={line('most')} />
      <polyline class="least" points={line('least')} />
    </svg>
  );
}

/** The next of 1, 2, 2.5, 5 times a power of ten, so that the ticks are round. */
function niceTop(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 4, 5, 8, 10].map((step) => step * power).find((step) => step >= most) ?? 10 * power;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
