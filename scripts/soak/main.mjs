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
import { openScratch } from './scratch.mjs';
import { judge } from './verdict.mjs';
import { command, startGround, startInstances } from './world.mjs';
import { useNewestNode } from '../newest-node.mjs';

useNewestNode();
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const SAMPLES = 48;
/** An order is delegated for an hour, and everything is back a few minutes after. */
const LONGEST_RETURN_MS = 90 * 60_000;
const LEAST_SUCCESS = 0.99;
/** Events of an order that was charged and taken back: included, delegated, reclaimed. */
const EVENTS_OF_ORDER = 3;
const AUDITS = 5;
/** After its servers are gone, a start fails. */
const STOP_MS = 5_000;

const { values } = parseArgs({
  options: { hours: { type: 'string', default: '8' }, speed: { type: 'string', default: '24' } },
});
const hours = Number(values.hours);
const startedMs = Date.now();
const samples = [];

async function main() {
  openScratch();
  const clock = new FastClock(Number(values.speed));
  const ground = await startGround(clock);
  const beganMs = clock.passedMs;
  // From here on what goes wrong is the service's: without a result the bar would count as one that could not be run.
  try {
    return await soak(ground);
  } catch (error) {
    if (isInterrupted) return false;
    const passed = Math.min(hours, (clock.passedMs - beganMs) / 3_600_000);
    process.stdout.write(`FAILED ${error.stack}\n`);
    return save(false, `failed after ${passed.toFixed(1)} of ${hours} hours`, inACell(error.message));
  }
}

async function soak(ground) {
  const instances = await startInstances(ground);
  const ends = instances.map(async ({ name, ended }) => {
    const [code, signal] = await ended;
    throw new Error(`${name} ended by itself: ${signal ?? `code ${code}`}`);
  });
  return Promise.race([runHours({ ...ground, instances }), ...ends]);
}

async function runHours(world) {
  const { clock } = world;
  const load = await startLoad(world);
  const beganMs = clock.passedMs;
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
  const seen = [
    `${number(succeeded)} delegated, all taken back: ${isBack ? 'yes' : 'no'}`,
    `${number(load.received.size)} webhooks received`,
    `audit ${audit.code === 0 ? 'ok' : 'not ok'}`,
    lines.map(({ what, before, after }) => `${what}: ${before} → ${after}`).join(', '),
  ];
  return save(held, `${hours} of 8 hours, ${number(ordered)} orders, two instances`, seen.join('; '));
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

function say({ minutes, ordered, instances }) {
  const each = instances.map(
    ({ heapMb, rssMb, descriptors, sessions }) =>
      `heap ${heapMb.toFixed(1)} MB, ${rssMb} MB resident, ${descriptors} descriptors, ${sessions} sessions`,
  );
  process.stdout.write(`${(minutes / 60).toFixed(1)} h: ${ordered} orders; ${each.join('; ')}\n`);
}

/** The samples are for who wants to know more than the page has room for. */
function save(held, done, seen) {
  const result = {
    held,
    commit: commitOf(ROOT),
    at: new Date().toISOString(),
    seconds: Math.round((Date.now() - startedMs) / 1000),
    text: { done, seen },
    samples,
  };
  mkdirSync(join(ROOT, '.safety'), { recursive: true });
  writeFileSync(join(ROOT, '.safety', 'soak.json'), JSON.stringify(result, null, 1));
  return held;
}

/** One line, without this machine's paths and what would end the cell. */
const inACell = (text) => text.split('\n', 1)[0].replaceAll(`${ROOT}/`, '').replaceAll('|', '/');
const number = (value) => value.toLocaleString('en-US');

// Interrupted, it leaves nothing running and no result. A second signal ends it at once.
let isInterrupted = false;
const interrupted = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve);
}).then(() => {
  isInterrupted = true;
  return null;
});

const work = main();
let held = null;
try {
  held = await Promise.race([work, interrupted]);
} finally {
  await stopAll();
  // What was just being started ends as well.
  await Promise.race([work.catch(() => undefined), sleep(STOP_MS)]);
  await stopAll();
}
process.exit(isInterrupted ? 130 : held ? 0 : 1);
