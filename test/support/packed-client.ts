import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './program';

const ROOT = join(__dirname, '..', '..');
const CLIENT = join(ROOT, 'clients', 'typescript');

export interface PackedClient {
  /** A directory whose `node_modules` has the client as `npm install` would put it there. */
  readonly directory: string;
  readonly remove: () => void;
}

/** The client as it would be published: built, packed and unpacked. */
export async function packClient(): Promise<PackedClient> {
  const directory = mkdtempSync(join(tmpdir(), 'client-'));
  const packed = await runProgram(['npm', 'pack', '--pack-destination', directory], { cwd: CLIENT });
  if (packed.code !== 0) throw new Error(`npm pack: ${packed.stdout}${packed.stderr}`);
  const tarball = readdirSync(directory).find((name) => name.endsWith('.tgz'))!;
  const target = join(directory, 'node_modules', 'energy-delegation-client');
  await mkdir(target, { recursive: true });
  await runProgram(['tar', '-xzf', join(directory, tarball), '--strip-components=1', '-C', target]);
  return { directory, remove: () => rmSync(directory, { recursive: true }) };
}
