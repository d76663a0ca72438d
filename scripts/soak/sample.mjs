// What the system holds at one moment.
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { call } from './call.mjs';

const SIZES = `
  select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`;
const CONNECTIONS = `select count(*)::int as count from pg_stat_activity where backend_type = 'client backend'`;

/** Memory after a collection, in MB; the open descriptors; the sessions in the database; bytes of tables; calls to nodes so far. */
export async function sample({ clock, instances, client }, ordered) {
  const { rows: sizes } = await client.query(SIZES);
  const { rows: connections } = await client.query(CONNECTIONS);
  const each = await Promise.all(instances.map(readInstance));
  return {
    minutes: clock.passedMs / 60_000,
    ordered,
    heapMb: Math.max(...each.map(({ heapBytes }) => heapBytes)) / 2 ** 20,
    rssMb: Math.max(...each.map(({ rssMb }) => rssMb)),
    descriptors: Math.max(...each.map(({ descriptors }) => descriptors)),
    connections: connections[0].count,
    nodeCalls: each.reduce((sum, { nodeCalls }) => sum + nodeCalls, 0),
    tables: Object.fromEntries(sizes.map(({ name, bytes }) => [name, bytes])),
  };
}

async function readInstance(instance) {
  const { process: child, metricsPort, rssMb } = instance;
  const { text: metrics } = await call(`http://127.0.0.1:${metricsPort}/metrics`);
  const calls = [...metrics.matchAll(/^energy_node_calls_total\{.*\} (\d+)$/gm)];
  return {
    heapBytes: await heapOf(child),
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
