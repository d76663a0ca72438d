import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './program';

const ROOT = join(__dirname, '..', '..');

export interface PackedPackage {
  /** A directory whose `node_modules` has the package as `npm install` would put it there, without its dependencies. */
  readonly directory: string;
  readonly remove: () => void;
}

/** A package of this repository as it would be published: built, packed and unpacked. */
export async function packPackage(folder: 'clients/typescript' | 'local-chain' | 'signer'): Promise<PackedPackage> {
  const directory = mkdtempSync(join(tmpdir(), 'package-'));
  const cwd = join(ROOT, folder);
  const packed = await runProgram(['npm', 'pack', '--pack-destination', directory], { cwd });
  if (packed.code !== 0) throw new Error(`npm pack: ${packed.stdout}${packed.stderr}`);
  const tarball = readdirSync(directory).find((name) => name.endsWith('.tgz'))!;
  const { name } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')) as { name: string };
  const target = join(directory, 'node_modules', name);
  await mkdir(target, { recursive: true });
  await runProgram(['tar', '-xzf', join(directory, tarball), '--strip-components=1', '-C', target]);
  return { directory, remove: () => rmSync(directory, { recursive: true }) };
}
