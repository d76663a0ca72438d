import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Asset {
  readonly type: string;
  readonly body: Buffer;
}

const own = (name: string, type: string): [string, Asset] => [
  name,
  { type, body: readFileSync(join(__dirname, name)) },
];

/** Everything a page loads comes from this process. */
const ASSETS: ReadonlyMap<string, Asset> = new Map([
  ['base.css', { type: 'text/css', body: readFileSync(require.resolve('@picocss/pico/css/pico.min.css')) }],
  own('panel.css', 'text/css'),
  own('panel.js', 'text/javascript'),
  own('icon.svg', 'image/svg+xml'),
]);

/** Part of every URL, so that browsers may cache the files for good. */
const VERSION = [...ASSETS.values()]
  .reduce((hash, { body }) => hash.update(body), createHash('sha256'))
  .digest('hex')
  .slice(0, 12);

export function isPresentVersion(version: string): boolean {
  return version === VERSION;
}

export function assetUrl(name: string): string {
  return `/panel/assets/${VERSION}/${name}`;
}

export function findAsset(name: string): Asset | null {
  return ASSETS.get(name) ?? null;
}
