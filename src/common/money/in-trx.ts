import { formatTrx } from './sun';

type Facts = Readonly<Record<string, unknown>>;

/** For people: turns amounts in sun (`stake_sun: "1500000"`) into TRX (`stake_trx: "1.500000"`), at any depth. */
export function inTrx(facts: Facts): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => entryInTrx(name, value)));
}

/** The name that `inTrx` gives it. */
export function nameInTrx(name: string): string {
  return name.replace(/_sun$/, '_trx');
}

function entryInTrx(name: string, value: unknown): [string, unknown] {
  const sun = name.endsWith('_sun') ? wholeSun(value) : null;
  return sun === null ? [name, valueInTrx(value)] : [nameInTrx(name), formatTrx(sun)];
}

function valueInTrx(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(valueInTrx);
  return isFacts(value) ? inTrx(value) : value;
}

/** Plain objects alone: not a raw JSON number, not a time. */
function isFacts(value: unknown): value is Facts {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function wholeSun(value: unknown): bigint | null {
  const text = typeof value === 'bigint' || typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^-?\d+$/.test(text) ? BigInt(text) : null;
}
