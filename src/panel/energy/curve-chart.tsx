import { useMessages } from '../layout/current-visit';

export interface CurvePoint {
  /** Hours from now. */
  readonly x: number;
  readonly least: number;
  readonly most: number;
}

interface Props {
  readonly points: readonly CurvePoint[];
  /** In words, what it shows. */
  readonly label: string;
  readonly hours: (count: number) => string;
}

interface Size {
  readonly width: number;
  readonly height: number;
  readonly hours: readonly number[];
  readonly className: string;
}

/** An SVG grows and shrinks with its text; so that this stays readable there are two, of which style shows one. */
const SIZES: readonly Size[] = [
  { width: 640, height: 220, hours: [0, 6, 12, 18, 24], className: 'wide' },
  { width: 330, height: 200, hours: [0, 12, 24], className: 'phone' },
];
const [TOP, BOTTOM, RIGHT] = [14, 26, 10];
const TICKS = 4;
const [CHARACTER, CHINESE_CHARACTER] = [8.5, 12.5];

/** The band between two curves over hours, with both axes. An SVG without script or style attributes. */
export function CurveChart(props: Props) {
  return (
    <figure class="curve">
      {SIZES.map((size) => (
        <Picture key={size.className} {...props} size={size} />
      ))}
    </figure>
  );
}

function Picture({ points, label, hours, size }: Props & { size: Size }) {
  const { compact } = useMessages('language');
  const top = niceTop(Math.max(0, ...points.map(({ most }) => most)));
  const last = points.at(-1)?.x ?? 24;
  const ticks = Array.from({ length: TICKS + 1 }, (_, index) => (top / TICKS) * index);
  const names = ticks.map(compact);
  const left = Math.max(...names.map(widthOf)) + 10;
  const x = (hour: number) => round(left + (hour / last) * (size.width - left - RIGHT));
  const y = (value: number) => round(TOP + (1 - value / top) * (size.height - TOP - BOTTOM));
  const line = (of: 'least' | 'most', order = points) =>
    order.map((point) => `${x(point.x)},${y(point[of])}`).join(' ');
  return (
    <svg class={size.className} role="img" aria-label={label} viewBox={`0 0 ${size.width} ${size.height}`}>
      {ticks.map((tick, index) => (
        <g key={tick}>
          <line class="grid" x1={left} x2={size.width - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text class="y" x={left - 8} y={y(tick) + 4}>
            {names[index]}
          </text>
        </g>
      ))}
      {size.hours.map((hour) => (
        <text
          key={hour}
          class={hour === 0 ? 'x first' : hour === last ? 'x last' : 'x'}
          x={x(hour)}
          y={size.height - 6}
        >
          {hours(hour)}
        </text>
      ))}
      <polygon class="band" points={`${line('most')} ${line('least', points.toReversed())}`} />
      <polyline class="most" points={line('most')} />
      <polyline class="least" points={line('least')} />
    </svg>
  );
}

function widthOf(name: string): number {
  return [...name].reduce((width, one) => width + (one > '\u2e7f' ? CHINESE_CHARACTER : CHARACTER), 0);
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
