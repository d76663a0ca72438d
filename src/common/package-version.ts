import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Version of this package; the build lies some folders below it. Null where package.json was taken away. */
export function packageVersion(): string | null {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    if (dirname(folder) === folder) return null;
    folder = dirname(folder);
  }
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}
