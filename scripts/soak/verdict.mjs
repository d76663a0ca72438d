// Whether anything grows that should not.

/** What an order leaves, and keeps: it grows with orders and with nothing else. */
const OF_ORDERS =
  /^(delegations|holds|ledger_entries|chain_transactions|delegation_events|order_keys|webhook_deliveries|receipt_\w+)$/;
const MB = 2 ** 20;

/**
 * The first quarter is warm-up: compilers, pools, plans, the first orders that come back. Compared are the second quarter and the last.
 * @returns a line for each thing, with whether it is flat
 */
export function judge(samples) {
  const at = (share) => Math.floor(samples.length * share);
  const early = samples.slice(at(0.25), at(0.5));
  const late = samples.slice(at(0.75));
  const lines = [
    compare('heap after a collection, MB', early, late, ({ heapMb }) => heapMb, { share: 0.1, least: 8 }),
    compare('resident memory, MB', early, late, ({ rssMb }) => rssMb, { share: 0.15, least: 32 }),
    compare('descriptors', early, late, ({ descriptors }) => descriptors, { share: 0.1, least: 8 }),
    compare('sessions in the database', early, late, ({ connections }) => connections, { share: 0, least: 4 }),
    compareRates(
      'calls to the node a minute',
      early,
      late,
      ({ nodeCalls }) => nodeCalls,
      ({ minutes }) => minutes,
      0.1,
    ),
    compareRates('bytes of tables an order', early, late, sumOf(OF_ORDERS), ({ ordered }) => ordered, 0.15),
  ];
  const others = Object.keys(late[0].tables).filter((name) => !OF_ORDERS.test(name));
  const grown = others
    .map((name) => compare(name, early, late, ({ tables }) => tables[name], { share: 0.5, least: MB / 2 }))
    .filter(({ isFlat }) => !isFlat);
  lines.push(...grown);
  if (grown.length === 0) {
    const bytes = sumOf({ test: (name) => others.includes(name) });
    lines.push(
      compare(`${others.length} other tables, kB`, early, late, (one) => bytes(one) / 1024, { share: 0.5, least: MB }),
    );
  }
  return lines;
}

/** Medians of the two parts; flat when the later one is at most `share` larger, or `least`. */
function compare(what, early, late, valueOf, { share, least }) {
  const [before, after] = [median(early.map(valueOf)), median(late.map(valueOf))];
  return {
    what,
    before: round(before),
    after: round(after),
    isFlat: after - before <= Math.max(least, before * share),
  };
}

/** How much `valueOf` grew for each one of `perOf`, in the two parts. What does not grow at all was not measured. */
function compareRates(what, early, late, valueOf, perOf, share) {
  const rate = (part) => (valueOf(part.at(-1)) - valueOf(part[0])) / (perOf(part.at(-1)) - perOf(part[0]));
  const [before, after] = [rate(early), rate(late)];
  return { what, before: round(before), after: round(after), isFlat: after > 0 && after <= before * (1 + share) };
}

const sumOf =
  (names) =>
  ({ tables }) =>
    Object.entries(tables).reduce((sum, [name, bytes]) => sum + (names.test(name) ? bytes : 0), 0);

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

function round(value) {
  return Math.round(value * 10) / 10;
}
