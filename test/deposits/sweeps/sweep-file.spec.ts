import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSweepPlan, writeSweepFile } from '../../../src/deposits/sweeps/sweep-file';
import { addressAt } from '../deposit-world';

const SWEEP = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  address: addressAt(0),
  number: 0,
  asset: 'TRX',
  amount: 5_000_000n,
  rawDataHex: '0a02abcd',
} as const;

describe('the file of a plan that the user of the command cannot read', () => {
  afterEach(() => jest.restoreAllMocks());

  it('is refused with the way that is left', async () => {
    jest.spyOn(promises, 'readFile').mockRejectedValue(Object.assign(new Error('no right'), { code: 'EACCES' }));
    await expect(readSweepPlan('/root/signed.json')).rejects.toThrow(
      '/root/signed.json cannot be read: EACCES (with - in place of its name, it comes from standard input)',
    );
  });
});

/** A plan is carried to a machine without network, on a USB stick: its file system has no second names for a file. */
describe.each(['EPERM', 'EOPNOTSUPP'])('the file of a plan on a file system that refuses links with %s', (code) => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sweep-file-'));
    jest.spyOn(promises, 'link').mockRejectedValue(Object.assign(new Error('no links'), { code }));
  });
  afterAll(() => {
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  it('is written whole, for its owner alone, and nothing stays beside it', async () => {
    const file = join(folder, 'plan');
    await writeSweepFile(file, 'plan', [SWEEP]);
    expect(await readSweepPlan(file)).toEqual([SWEEP]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['plan']);
  });

  it('takes the place of no other', async () => {
    const there = join(folder, 'there');
    writeFileSync(there, 'mine');
    await expect(writeSweepFile(there, 'plan', [SWEEP])).rejects.toThrow('EEXIST');
    expect(readFileSync(there, 'utf8')).toBe('mine');
    expect(readdirSync(folder).toSorted()).toEqual(['plan', 'there']);
  });
});
