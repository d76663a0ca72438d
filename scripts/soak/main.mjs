// npm run soak [-- --hours 8 --speed 24]: hours of business in minutes, on a clock that runs faster for the built service, PostgreSQL and the local chain.
// Nothing may grow but what orders leave, and the audit has to be clean at the end. Writes .safety/soak.json, from which docs/safety.md has its line.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { stopAll } from '../bench/servers.mjs';
import { commitOf } from '../safety/commit.mjs';
import { FastClock } from './fast-clock.mjs';
import { startLoad } from './load.mjs';
import { sample } from './sample.mjs';
import { judge } from './verdict.mjs';
import { command, startWorld } from './world.mjs';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const SAMPLES = 48;
/** An order is lent for an hour, and everything is back a few minutes after. */
const LONGEST_RETURN_MS = 90 * 60_000;
const LEAST_SUCCESS = 0.99;
/** Of one that was charged and taken back: included, delegated, reclaimed. */
const EVENTS_OF_ORDER = 3;
const AUDITS = 5;

const { values } = parseArgs({
  options: { hours: { type: 'string', default: '8' }, speed: { type: 'string', default: '24' } },
});
const hours = Number(values.hours);

async function main() {
  const startedMs = Date.now();
  const clock = new FastClock(Number(values.speed));
  const world = await startWorld(clock);
  const load = await startLoad(world);
  const beganMs = clock.passedMs;
  const samples = [];
  for (let at = 1; at <= SAMPLES; at++) {
    await untilPassed(clock, beganMs + (at / SAMPLES) * hours * 3_600_000);
    const taken = await sample(world, load.counts.ordered);
    samples.push(taken);
    if (at % 6 === 0) say(taken);
  }
  await load.stop();
  const isBack = await everythingIsBack(world);
  const audit = await auditOf(world);
  const lines = judge(samples);
  for (const { what, before, after, isFlat } of lines)
    process.stdout.write(`${isFlat ? 'flat ' : 'GROWS'} ${what}: ${before} and ${after}\n`);
  const { ordered, succeeded, answers } = load.counts;
  const areDelivered = load.received.size >= succeeded * EVENTS_OF_ORDER;
  process.stdout.write(`${ordered} orders: ${JSON.stringify(answers)}, ${load.received.size} webhooks\n`);
  if (!areDelivered) process.stdout.write('NOT every webhook was received\n');
  if (!isBack) process.stdout.write('NOT everything was settled and taken back\n');
  process.stdout.write(audit.code === 0 ? 'audit ok\n' : `AUDIT FAILED\n${audit.said}`);
  const held =
    lines.every(({ isFlat }) => isFlat) &&
    isBack &&
    areDelivered &&
    audit.code === 0 &&
    succeeded >= ordered * LEAST_SUCCESS;
  save({
    held,
    commit: commitOf(ROOT),
    at: new Date().toISOString(),
    seconds: Math.round((Date.now() - startedMs) / 1000),
    text: {
      done: `${hours} of 8 hours, ${ordered.toLocaleString('en-US')} orders, two instances`,
      seen: `${succeeded.toLocaleString('en-US')} lent, all taken back: ${isBack ? 'yes' : 'no'}; ${load.received.size.toLocaleString('en-US')} webhooks received; audit ${audit.code === 0 ? 'ok' : 'not ok'}; ${lines
        .map(({ what, before, after }) => `${what}: ${before} → ${after}`)
        .join(', ')}`,
    },
  });
  return held;
}

async function untilPassed(clock, ms) {
  while (clock.passedMs < ms) await sleep(Math.min(1_000, (ms - clock.passedMs) / clock.speed + 1));
}

/** No order is open, every delegation was taken back and every event delivered, within the time that this may take. */
async function everythingIsBack({ clock, client }) {
  const lastMs = clock.passedMs + LONGEST_RETURN_MS;
  for (;;) {
    const { rows } = await client.query(
      `select (select count(*) from delegations where state not in ('failed', 'reclaimed', 'taken_back'))::int
            + (select count(*) from webhook_deliveries where state = 'pending')::int as open`,
    );
    if (rows[0].open === 0) return true;
    if (clock.passedMs > lastMs) return false;
    await sleep(500);
  }
}

/** On the fast clock a statement has less than a second: an audit that was cut off prints nothing, and is asked for again; one that has found something is not. */
async function auditOf(world) {
  for (let attempt = 1; ; attempt++) {
    const audit = await command(world, 'audit');
    if (audit.code === 0 || audit.said !== '' || attempt === AUDITS) return audit;
  }
}

function say({ minutes, ordered, heapMb, rssMb, descriptors, connections, nodeCalls }) {
  process.stdout.write(
    `${(minutes / 60).toFixed(1)} h: ${ordered} orders, heap ${heapMb.toFixed(1)} MB, ${rssMb} MB resident, ${descriptors} descriptors, ${connections} sessions, ${nodeCalls} calls\n`,
  );
}

function save(result) {
  mkdirSync(join(ROOT, '.safety'), { recursive: true });
  writeFileSync(join(ROOT, '.safety', 'soak.json'), JSON.stringify(result, null, 1));
}

// Interrupted, it leaves nothing running.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stopAll().finally(() => process.exit(130)));

let held = false;
try {
  held = await main();
} finally {
  await stopAll();
}
process.exit(held ? 0 : 1);
