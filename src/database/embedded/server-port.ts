import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';

/** The port of the time before, while it is free: a service whose server was lost finds the next one where it was. */
export async function choosePort(dataDirectory: string): Promise<number> {
  const file = join(dirname(dataDirectory), 'port');
  const before = readPort(file);
  const port = (await bind(before)) ?? (await bind(0))!;
  // Written again on a full disk, the file would be empty.
  if (port === before) return port;
  writeFileSync(file, String(port), { mode: 0o600 });
  chmodSync(file, 0o600);
  return port;
}

function readPort(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

/** The port itself, or null when somebody listens on it. */
async function bind(port: number): Promise<number | null> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch {
    return null;
  } finally {
    server.close();
  }
}
