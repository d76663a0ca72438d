import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { readKeyVariable } from '../../../../config/key-variable';
import { addressOfKey } from '../../tron/addresses';
import { holdsKey, shownKeySource } from './key-source';
import { signDigest } from './sign-digest';
import type { KeyOwner } from './key-owner';
import { SigningKeyError } from './signing-key.error';

/** A key is 64 digits, with blanks around it perhaps. What is longer holds none. */
const MOST_BYTES = 1_000;

/** A file that changed so lately may change once more within the same tick of the file system's clock. */
const SURELY_UNCHANGED_MS = 1_000;

/** Private keys that lie in this process: read from the variable or the file that the wallet names, kept only in memory, and given to none. */
@Injectable()
export class OwnKeys {
  private readonly cache = new Map<string, { version: string; key: string }>();
  /** By key: deriving an address takes a millisecond, and every order needs it. */
  private readonly addresses = new Map<string, string | null>();

  /** @throws SigningKeyError */
  sign(owner: KeyOwner, rawData: Buffer): string {
    return signDigest(createHash('sha256').update(rawData).digest('hex'), this.read(owner).key);
  }

  /** The address that belongs to the key: the wallet's own, or one of its permission. @throws SigningKeyError */
  keyAddress(owner: KeyOwner): string {
    return this.read(owner).address;
  }

  private read(owner: KeyOwner): { key: string; address: string } {
    const key = this.load(owner.keySource);
    const address = this.addressOf(key);
    const source = shownKeySource(owner.keySource);
    if (!address) throw new SigningKeyError(`wallet ${owner.name}: ${source} holds no private key (64 hex digits)`);
    if (owner.permissionId === 0 && address !== owner.address) {
      throw new SigningKeyError(
        `wallet ${owner.name}: the key in ${source} belongs to ${address}, not to ${owner.address}`,
      );
    }
    return { key, address };
  }

  private addressOf(key: string): string | null {
    const known = this.addresses.get(key);
    if (known !== undefined) return known;
    const address = /^[0-9a-f]{64}$/.test(key) ? addressOfKey(key) : null;
    this.addresses.set(key, address);
    return address;
  }

  private load(source: string): string {
    const [kind, ...rest] = source.split(':');
    const place = rest.join(':');
    const shown = holdsKey(source) ? '(not shown)' : place;
    if (kind === 'env') {
      const value = readKeyVariable(place);
      if (value === undefined) throw new SigningKeyError(`the key variable ${shown} is not set`);
      return normalise(value);
    }
    try {
      const stats = statSync(place, { bigint: true });
      if (!stats.isFile()) throw Object.assign(new Error('no regular file'), { code: 'ENOTFILE' });
      // A rotated key is noticed, so that no restart is needed.
      const version = versionOf(stats);
      const cached = this.cache.get(source);
      if (cached?.version === version) return cached.key;
      const key = normalise(beginOfFile(place));
      if (Date.now() - Number(stats.ctimeMs) > SURELY_UNCHANGED_MS) this.cache.set(source, { version, key });
      return key;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new SigningKeyError(`the key file ${shown} cannot be read: ${code}`);
    }
  }
}

/** All keys are of one length, and copies (`cp -p`, `rsync -t`) keep the time of the file that they were made of. */
function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

/** The path may be typed in the panel: what never ends, or keeps a reader waiting, must not hold up the process. */
function beginOfFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const bytes = Buffer.alloc(MOST_BYTES);
    return bytes.toString('utf8', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

function normalise(text: string): string {
  return text.trim().toLowerCase().replace(/^0x/, '');
}
