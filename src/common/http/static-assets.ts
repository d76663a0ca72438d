import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Response } from 'express';

export interface AssetFile {
  readonly type: string;
  readonly path: string;
}

/** The files that pages load from this process, read with the first page that needs them and kept. */
export class StaticAssets {
  private bodies: ReadonlyMap<string, Buffer> | undefined;
  private version = '';

  constructor(
    private readonly prefix: string,
    private readonly files: Readonly<Record<string, AssetFile>>,
  ) {}

  /** A hash of all files is part of every URL, so that browsers may keep them for good. */
  url(name: string): string {
    this.read();
    return `${this.prefix}/${this.version}/${name}`;
  }

  send(version: string, name: string, response: Response): void {
    const body = this.read().get(name);
    if (!body) {
      response.status(404).type('text').send('Not found\n');
      return;
    }
    // While instances of two versions answer, the page may come from one and its files from the other.
    const kept = version === this.version;
    response.setHeader('Cache-Control', kept ? 'public, max-age=31536000, immutable' : 'no-store');
    response.type(this.files[name]!.type).send(body);
  }

  private read(): ReadonlyMap<string, Buffer> {
    if (this.bodies) return this.bodies;
    const bodies = new Map(Object.entries(this.files).map(([name, { path }]) => [name, readFileSync(path)]));
    const hash = createHash('sha256');
    for (const body of bodies.values()) hash.update(body);
    this.version = hash.digest('hex').slice(0, 12);
    return (this.bodies = bodies);
  }
}
