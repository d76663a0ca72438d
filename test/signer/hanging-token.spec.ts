import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../support/program';
import { describeWith } from './backends';
import { expectSignature } from './expect-signature';
import { TokenBackend } from './key-backends';
import { delegation } from './raw-data';
import { makeWallet, TestSigner } from './signer.fixture';

const receiver = makeWallet().address;
const local = makeWallet();

/** SoftHSM's own record of a token's changes, which each use of a key reads. From a pipe that has no bytes, SoftHSM reads for ever. */
class HangingToken {
  constructor(private readonly generation: string) {}

  async hang(): Promise<void> {
    renameSync(this.generation, `${this.generation}.kept`);
    expect(await runProgram(['mkfifo', this.generation])).toMatchObject({ code: 0 });
  }

  /** Once SoftHSM has opened it. */
  whileRead(): Promise<FileHandle> {
    return open(this.generation, 'w');
  }

  record(): Buffer {
    return readFileSync(this.generation);
  }

  goOn(): void {
    renameSync(`${this.generation}.kept`, this.generation);
  }
}

describeWith('softhsm', 'a PKCS#11 token that hangs', (module) => {
  const signer = new TestSigner();
  const lend = (owner: string) => delegation({ owner, receiver });
  let token: HangingToken;
  let hung: { address: string };
  let other: { address: string };
  beforeAll(async () => {
    const first = await TokenBackend.open(signer, module, 'hangs');
    const [folder = ''] = readdirSync(join(signer.folder, 'tokens'));
    token = new HangingToken(join(signer.folder, 'tokens', folder, 'generation'));
    const second = await TokenBackend.open(signer, module, 'signs');
    const keys = [
      ['hung', await first.make('hung')],
      ['other', await second.make('other')],
    ] as const;
    hung = keys[0][1];
    other = keys[1][1];
    signer.configure([
      signer.key('local', local),
      ...keys.map(([id, { address, source }]) => ({ ...signer.key(id, local), address, source })),
    ]);
    await signer.start(undefined, first.env);
  });
  afterAll(() => signer.remove());

  it('keeps no key of another source or token from signing, and its own signs once it is back', async () => {
    await token.hang();
    let isOver = false;
    const refused = signer.sign('hung', lend(hung.address)).finally(() => (isOver = true));
    const reading = await token.whileRead();
    const by = { local: local.address, other: other.address };
    for (const [id, address] of Object.entries(by)) {
      const rawData = lend(address);
      expectSignature(await signer.sign(id, rawData), rawData, address);
    }
    expect(isOver).toBe(false);
    token.goOn();
    expect(await refused).toMatchObject({ error: 'backend', message: 'no answer within 5 seconds' });
    const rawData = lend(hung.address);
    expectSignature(await signer.sign('hung', rawData), rawData, hung.address);
    expect(signer.lines().map(({ key }) => key)).toEqual(['local', 'other', 'hung']);
    await reading.close();
  });

  it('whose module crashes has its request refused at once, and its keys sign by another process', async () => {
    await token.hang();
    const refused = signer.sign('hung', lend(hung.address));
    const reading = await token.whileRead();
    token.goOn();
    for (const process of tokenProcesses()) globalThis.process.kill(process, 'SIGSEGV');
    expect(await refused).toMatchObject({ message: 'the process of its token has ended (SIGSEGV)' });
    const rawData = lend(hung.address);
    expectSignature(await signer.sign('hung', rawData), rawData, hung.address);
    await reading.close();
  });

  it('and goes on while the signer ends has its request answered first', async () => {
    await token.hang();
    const rawData = lend(hung.address);
    const signed = signer.sign('hung', rawData);
    const reading = await token.whileRead();
    // As from a terminal: each process of the signer gets it.
    const ended = signer.process.interrupt();
    token.goOn();
    await reading.write(token.record());
    await reading.close();
    expectSignature(await signed, rawData, hung.address);
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  function tokenProcesses(): number[] {
    const { pid } = signer.process.process;
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  }
});
