// Whether anything grows that should not.

/** What an order leaves, and keeps: it grows with orders and with nothing else. */
const OF_ORDERS =
  /^(delegations|holds|ledger_entries|chain_transactions|delegation_events|order_keys|webhook_deliveries|receipt_\w+)$/;
/**
 * In six hours of eight, so that one session an hour is too many. One that came once, and not again, would have the line rise by half as
 * much again as it is. What comes and goes by itself is less: see the run in test/safety/results.json.
 */
const MOST = { heapMb: 3, rssMb: 16, descriptors: 3, sessions: 1.5, tableKb: 256 };
/** Samples, of an hour in eight. */
const WINDOW = 6;
const OF_WINDOW = { rssMb: Math.max };
const MOST_RATE = { calls: 0.1, bytes: 0.15 };
const NAMES = {
  heapMb: 'heap after a collection, MB',
  rssMb: 'resident memory, MB',
  descriptors: 'descriptors',
  sessions: 'sessions in the database',
};

/**
 * The first quarter is warm-up: compilers, pools, plans, the first orders that come back. Each instance is judged by itself: one that
 * shrinks hides none that grows.
 * @returns a line for each thing, with whether it is flat
 */
export function judge(samples) {
  const at = (share) => Math.floor(samples.length * share);
  const steady = samples.slice(at(0.25));
  const [early, late] = [samples.slice(at(0.25), at(0.5)), samples.slice(at(0.75))];
  const rate = (...what) => compareRates(early, late, ...what);
  return [
    ...steady[0].instances.flatMap((_, of) =>
      Object.entries(NAMES).map(([key, name]) =>
        growth(`instance ${of + 1}: ${name}`, steady, ({ instances }) => instances[of][key], MOST[key], OF_WINDOW[key]),
      ),
    ),
    rate('calls to the node a minute', nodeCallsOf, ({ minutes }) => minutes, MOST_RATE.calls),
    rate('bytes of tables an order', sumOf(OF_ORDERS), ({ ordered }) => ordered, MOST_RATE.bytes),
    ...judgeTables(steady),
  ];
}

/** One line for all tables that nothing should grow in; each one that grows has its own. */
function judgeTables(steady) {
  const others = Object.keys(steady.at(-1).tables).filter((name) => !OF_ORDERS.test(name));
  const all = growth(`${others.length} other tables, kB`, steady, (one) => kbOf(one, others), MOST.tableKb);
  const grown = others
    .map((name) => growth(`${name}, kB`, steady, (one) => kbOf(one, [name]), MOST.tableKb))
    .filter(({ isFlat }) => !isFlat);
  return grown.length > 0 ? grown : [all];
}

/**
 * What calls under way hold comes and goes; what is never given back raises the least of each window. (Of resident memory its greatest: V8
 * gives pages back for a while.) The straight line that fits those best, at its two ends: flat when it rises by `most` at most. What was
 * not measured is not flat.
 */
function growth(what, samples, valueOf, most, ofWindow = Math.min) {
  const windows = Array.from({ length: Math.ceil(samples.length / WINDOW) }, (_, at) =>
    samples.slice(at * WINDOW, (at + 1) * WINDOW),
  );
  const minutes = windows.map((window) => meanOf(window.map((one) => one.minutes)));
  const values = windows.map((window) => ofWindow(...window.map(valueOf)));
  const [meanMinutes, mean] = [meanOf(minutes), meanOf(values)];
  const covariance = meanOf(minutes.map((minute, at) => (minute - meanMinutes) * (values[at] - mean)));
  const slope = covariance / meanOf(minutes.map((minute) => (minute - meanMinutes) ** 2));
  const [before, after] = [samples[0], samples.at(-1)].map((end) => mean + slope * (end.minutes - meanMinutes));
  return { what, before: round(before), after: round(after), isFlat: after - before <= most };
}

/** How much `valueOf` grew for each one of `perOf`, in the two parts. What does not grow at all was not measured. */
function compareRates(early, late, what, valueOf, perOf, share) {
  const rate = (part) => (valueOf(part.at(-1)) - valueOf(part[0])) / (perOf(part.at(-1)) - perOf(part[0]));
  const [before, after] = [rate(early), rate(late)];
  return { what, before: round(before), after: round(after), isFlat: after > 0 && after <= before * (1 + share) };
}

const nodeCallsOf = ({ instances }) => instances.reduce((sum, { nodeCalls }) => sum + nodeCalls, 0);
const kbOf = ({ tables }, names) => names.reduce((sum, name) => sum + tables[name], 0) / 1024;
const sumOf =
  (names) =>
  ({ tables }) =>
    Object.entries(tables).reduce((sum, [name, bytes]) => sum + (names.test(name) ? bytes : 0), 0);

function meanOf(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function round(value) {
  return Math.round(value * 10) / 10;
}
