import { closeSync, constants, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { join } from 'node:path';
import { readConfiguration } from '../../signer/src/configuration/configuration.reader';
import { Journal } from '../../signer/src/journal/journal';
import { Signer } from '../../signer/src/signer';
import { openKey } from '../../signer/src/sources/open.key';
import type { SigningKey } from '../../signer/src/sources/signing.key';
import { runProgram } from '../support/program';
import { delegation } from './raw-data';
import { makeWallet, TestSigner } from './signer.fixture';

const THREADS = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);
const TURNS = 20;

/** Counts what a key has signed. */
function counted(key: SigningKey): { key: SigningKey; signed: () => number } {
  let signed = 0;
  const sign: SigningKey['sign'] = async (...of) => {
    const signature = await key.sign(...of);
    signed += 1;
    return signature;
  };
  return { key: { ...key, sign }, signed: () => signed };
}

describe('a signature that is made while its line is written', () => {
  const files = new TestSigner();
  const pool = makeWallet();
  afterAll(() => files.remove());

  it('is given out once the line is on disk', async () => {
    const pipe = join(files.folder, 'pipe');
    expect(await runProgram(['mkfifo', pipe])).toMatchObject({ code: 0 });
    files.configure([files.key('pool', pool)]);
    const [settings] = readConfiguration(files.config).keys;
    const { key, signed } = counted(await openKey(settings!, () => undefined));
    const journal = await Journal.open(files.log);
    const signer = new Signer([{ settings: settings!, key }], journal);
    const request = {
      key: 'pool',
      rawDataHex: delegation({ owner: pool.address, receiver: makeWallet().address }).toString('hex'),
    };
    // Each takes one of the threads that would write.
    const busy = Array.from({ length: THREADS }, () => open(pipe, 'r'));
    let isGiven = false;
    const given = signer.sign([request]).finally(() => (isGiven = true));
    for (let turn = 0; turn < TURNS; turn++) await nextTurn();
    const meanwhile = { signed: signed(), isGiven, lines: files.lines() };
    const writer = openSync(pipe, constants.O_RDWR);
    const [result] = await given;
    expect(files.lines()).toMatchObject([{ txid: (result as { txid: string }).txid }]);
    expect(meanwhile).toEqual({ signed: 1, isGiven: false, lines: [] });
    for (const file of await Promise.all(busy)) await file.close();
    closeSync(writer);
    await journal.close();
  });
});
