import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuild } from './ensure-build.mjs';

const build = ensureBuild();
/** Loads a module of the compiled service, e.g. `load('src/database/mikro-orm.config')`. */
export const load = (path) => createRequire(import.meta.url)(join(build, `${path}.js`));

/** Runs `work` with the URL of a migrated database that is gone afterwards. */
export async function withScratchDatabase(work) {
  const directory = mkdtempSync(join(tmpdir(), 'energy-delegation-scratch-'));
  // Root's server runs as another user, who must get in.
  chmodSync(directory, 0o755);
  const server = await load('src/database/embedded/embedded-postgres').acquireEmbeddedPostgres(directory, {
    fsync: 'off',
  });
  try {
    await load('src/database/migrate-database').migrateDatabase({ url: server.url });
    return await work(server.url);
  } finally {
    await server.release();
    rmSync(join(server.dataDirectory, '..'), { recursive: true, force: true });
    rmSync(directory, { recursive: true, force: true });
  }
}
