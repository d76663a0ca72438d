import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOfKey } from '../../../../src/chain/tron/addresses';
import { SigningKeyError } from '../../../../src/chain/transactions/signing/signing-keys';
import { keysWithoutSigner } from '../../../support/keys-without-signer';

const KEY = 'd'.repeat(64);

describe('a key file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keys-'));
  const at = (name: string) => join(folder, name);
  const keyAt = (path: string, keys = keysWithoutSigner()) =>
    keys.keyAddress({ name: 'main', address: '', role: 'delegate', keySource: `file:${path}`, permissionId: 2 });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('may be a link, and is read again once it has changed', () => {
    const keys = keysWithoutSigner();
    writeFileSync(at('key'), ` 0x${KEY.toUpperCase()}\n`);
    symlinkSync(at('key'), at('link'));
    expect(keyAt(at('link'), keys)).toBe(addressOfKey(KEY));
    writeFileSync(at('key'), 'e'.repeat(64));
    utimesSync(at('key'), 1, 1);
    expect(keyAt(at('link'), keys)).toBe(addressOfKey('e'.repeat(64)));
  });

  /** All keys are as long as each other. */
  const write = (name: string, digit: string) => {
    writeFileSync(at(name), digit.repeat(64));
    utimesSync(at(name), 1, 1);
  };

  it.each<[string, () => void]>([
    ['another file takes its place', () => (write('new', 'e'), renameSync(at('new'), at('old')))],
    ['it is written over', () => write('old', 'e')],
  ])('is read again when %s, with the time and the length of the one before', (_, change) => {
    const keys = keysWithoutSigner();
    write('old', 'd');
    // Old enough to be remembered.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    expect(keyAt(at('old'), keys)).toBe(addressOfKey('d'.repeat(64)));
    clock.mockRestore();
    change();
    expect(keyAt(at('old'), keys)).toBe(addressOfKey('e'.repeat(64)));
  });

  it('is read again when it changes twice within a tick of the file system’s clock', () => {
    const keys = keysWithoutSigner();
    write('quick', 'd');
    const tick = jest.spyOn(fs, 'statSync').mockReturnValue(fs.statSync(at('quick'), { bigint: true }));
    expect(keyAt(at('quick'), keys)).toBe(addressOfKey('d'.repeat(64)));
    write('quick', 'e');
    expect(keyAt(at('quick'), keys)).toBe(addressOfKey('e'.repeat(64)));
    tick.mockRestore();
  });

  // Each of these would hold up the process, or fill its memory.
  it.each(['/dev/zero', 'a pipe', 'a folder', 'a large file'])('is nothing that has no end, like %s', (name) => {
    const path = name.startsWith('/') ? name : at(name);
    if (name === 'a pipe') execFileSync('mkfifo', [path]);
    if (name === 'a folder') mkdirSync(path);
    if (name === 'a large file') {
      writeFileSync(path, KEY);
      // More than can be read at once, none of it on the disk.
      truncateSync(path, 3 * 2 ** 30);
    }
    expect(() => keyAt(path)).toThrow(SigningKeyError);
    const message = name === 'a large file' ? 'holds no private key' : 'cannot be read: ENOTFILE';
    expect(() => keyAt(path)).toThrow(message);
    expect(() => keyAt(path)).not.toThrow(KEY);
  });
});
