// What the system holds at one moment.
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { call } from './call.mjs';
import { within } from './within.mjs';

const SIZES = `
  select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`;
const SESSIONS = `select usename as role, count(*)::int as count from pg_stat_activity where backend_type = 'client backend' group by 1`;

/** For each instance memory after a collection, descriptors, sessions in the database and calls to nodes so far; bytes of tables. */
export async function sample({ clock, instances, client }, ordered) {
  const { rows: sizes } = await client.query(SIZES);
  const { rows: sessions } = await client.query(SESSIONS);
  const each = await Promise.all(instances.map(readInstance));
  return {
    minutes: clock.passedMs / 60_000,
    ordered,
    instances: each.map(({ role, ...held }) => ({
      ...held,
      sessions: sessions.find((one) => one.role === role)?.count ?? 0,
    })),
    tables: Object.fromEntries(sizes.map(({ name, bytes }) => [name, bytes])),
  };
}

async function readInstance({ name, role, process: child, metricsPort, rssMb }) {
  const { status, text } = await call(`http://127.0.0.1:${metricsPort}/metrics`);
  if (status !== 200) throw new Error(`${name} tells no metrics: ${status}`);
  const calls = [...text.matchAll(/^energy_node_calls_total\{.*\} (\d+)$/gm)];
  return {
    role,
    heapMb: (await within(`the heap of ${name}`, heapOf(child))) / 2 ** 20,
    rssMb: rssMb(),
    descriptors: readdirSync(`/proc/${child.pid}/fd`).length,
    nodeCalls: calls.reduce((sum, [, count]) => sum + Number(count), 0),
  };
}

function heapOf(child) {
  const id = randomUUID();
  return new Promise((resolve, reject) => {
    const take = (answer) => {
      if (answer.id !== id) return;
      child.off('message', take);
      resolve(answer.bytes);
    };
    child.on('message', take);
    child.send(id, (error) => error && reject(error));
  });
}
