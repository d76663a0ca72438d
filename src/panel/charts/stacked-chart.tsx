import { groupDigits } from '../layout/values';
import { ticksUpTo } from './ticks';

export interface Series {
  readonly name: string;
  /** Which colour and pattern, in panel.css. */
  readonly tone: 'good' | 'bad' | 'lost' | 'money';
}

export interface Bucket {
  /** Under its bar. */
  readonly name: string;
  /** When it is pointed at. */
  readonly title: string;
  /** One for each series, never below 0. Only as exact as a picture is. */
  readonly values: readonly number[];
}

interface Props {
  /** Says in words what it shows: pictures are not read out. */
  readonly label: string;
  readonly unit: string;
  readonly series: readonly Series[];
  readonly buckets: readonly Bucket[];
  /** Of this page alone: patterns are found by it. */
  readonly id: string;
}

interface Size {
  readonly width: number;
  readonly height: number;
  readonly mostNames: number;
  readonly className: string;
}

/** An SVG grows and shrinks with its text; so that this stays readable there are two, of which style shows one. */
const SIZES: readonly Size[] = [
  { width: 520, height: 220, mostNames: 7, className: 'wide' },
  { width: 330, height: 210, mostNames: 4, className: 'phone' },
];
const [TOP, BOTTOM, RIGHT] = [22, 26, 8];
const CHARACTER = 7;

/** Bars on one another, with axes, without script or style attributes. */
export function StackedChart(props: Props) {
  return (
    <figure class="bars">
      <figcaption>
        {props.series.map(({ name, tone }) => (
          <span key={name} class="key">
            <svg width="14" height="14" aria-hidden="true">
              <Bar id={`${props.id}-key`} tone={tone} x={0} y={0} width={14} height={14} />
            </svg>
            {name}
          </span>
        ))}
      </figcaption>
      {SIZES.map((size) => (
        <Picture key={size.className} {...props} size={size} />
      ))}
    </figure>
  );
}

function Picture({ label, unit, series, buckets, id, size }: Props & { size: Size }) {
  const { width, height, mostNames, className } = size;
  const totals = buckets.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const ticks = ticksUpTo(Math.max(0, ...totals));
  const top = ticks.at(-1)!;
  const names = ticks.map((tick) => groupDigits(tick));
  const left = Math.max(...names.map((name) => name.length)) * CHARACTER + 10;
  const [across, down] = [width - left - RIGHT, height - TOP - BOTTOM];
  const slot = across / Math.max(buckets.length, 1);
  const every = Math.ceil(buckets.length / mostNames);
  const y = (value: number) => round(TOP + down * (1 - value / top));
  return (
    <svg class={className} role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`}>
      <Hatching id={`${id}-${className}`} />
      <text x="2" y="12" class="unit">
        {unit}
      </text>
      {ticks.map((tick, index) => (
        <g key={tick}>
          <line class={index === 0 ? 'axis' : 'grid'} x1={left} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text x={left - 8} y={y(tick) + 4} class="value">
            {names[index]}
          </text>
        </g>
      ))}
      {buckets.map((bucket, index) => {
        const x = round(left + slot * (index + 0.12));
        let reached = 0;
        return (
          <g key={bucket.title}>
            <title>{bucket.title}</title>
            {/* The whole height answers to the pointer, a day without orders too. */}
            <rect class="touch" x={round(left + slot * index)} y={TOP} width={round(slot)} height={down} />
            {series.map(({ tone }, place) => {
              const [from, to] = [reached, reached + bucket.values[place]!];
              reached = to;
              const bar = { x, y: y(to), width: round(slot * 0.76), height: round(y(from) - y(to)) };
              return to > from && <Bar key={tone} id={`${id}-${className}`} tone={tone} {...bar} />;
            })}
            {index % every === 0 && (
              <text x={round(left + slot * (index + 0.5))} y={height - 8} class="name">
                {bucket.name}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

interface BarProps {
  readonly id: string;
  readonly tone: Series['tone'];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Not by colour alone: what failed is striped, what was refused is an outline. */
function Bar({ id, tone, ...place }: BarProps) {
  return (
    <>
      {id.endsWith('-key') && tone === 'bad' && <Hatching id={id} />}
      <rect class={tone} {...place} />
      {tone === 'bad' && <rect fill={`url(#${id}-hatching)`} {...place} />}
    </>
  );
}

function Hatching({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={`${id}-hatching`} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line class="hatch" x1="0" y1="0" x2="0" y2="5" />
      </pattern>
    </defs>
  );
}

function round(number: number): number {
  return Math.round(number * 100) / 100;
}
