import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isThere } from '../../scripts/example-programs.mjs';
import { readBlock } from '../../src/chain/tron/node/block-answer';
import type { ReceiptDocument } from '../../src/chain/verified-chain/receipts/receipt-document';
import { runProgram } from '../support/program';
import { recordedBlocks, recordedPostQuantumSet } from '../support/recorded-blocks';
import { recordedReceipts, recordedSet } from '../support/recorded-receipts';

const PROGRAM = join(__dirname, '..', '..', 'examples', 'python', 'verify_receipt.py');
/** Not there: left out, as the other examples are. In CI it is installed, and has to be there. */
const describePython = isThere('python3') || process.env['CI'] ? describe : describe.skip;

/** Shares no line with the service: what it finds proved was proved by the formulas of docs/customers/en/receipts.md. */
describePython('examples/python/verify_receipt.py', () => {
  const folder = mkdtempSync(join(tmpdir(), 'receipts-'));
  const [receipt, witnesses] = [join(folder, 'receipt.json'), join(folder, 'witnesses.json')];
  const [recorded] = recordedReceipts().toSorted((a, b) => b.text.length - a.text.length);
  const { data } = JSON.parse(recorded!.text) as { data: ReceiptDocument };
  beforeAll(() => {
    const set = recordedSet().map((witness) => ({ ...witness, isJobs: true }));
    writeFileSync(witnesses, JSON.stringify({ witnesses: set }));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const verify = (text: string, set = witnesses) => {
    writeFileSync(receipt, text);
    return runProgram(['python3', PROGRAM, receipt, set]);
  };

  it('finds a delegation on a real chain proved', async () => {
    const { code, stdout, stderr } = await verify(recorded!.text);
    expect({ code, stderr, stdout }).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('19 witnesses') as string,
    });
    expect(stdout).toContain(data.receiver_address);
  });

  it('takes the witnesses of before a change too, each signature by one of the files, enough of them in one', async () => {
    const set = recordedSet().map((witness) => ({ ...witness, isJobs: true }));
    const files = [join(folder, 'before.json'), join(folder, 'after.json'), join(folder, 'others.json')];
    // In each file one witness has another key, as before it was renewed.
    const renewed = set.map((one, at) => (at < 2 ? { ...one, signing_address: set[at + 5]!.signing_address } : one));
    writeFileSync(files[0]!, JSON.stringify({ witnesses: renewed }));
    writeFileSync(files[1]!, `\ufeff${JSON.stringify({ witnesses: set })}`);
    writeFileSync(files[2]!, JSON.stringify({ witnesses: set.slice(0, 5) }));
    writeFileSync(receipt, recorded!.text);
    const run = (...names: string[]) => runProgram(['python3', PROGRAM, receipt, ...names]);
    expect(await run(files[0]!, files[1]!)).toMatchObject({ code: 0, stderr: '' });
    expect(await run(files[2]!, files[1]!)).toMatchObject({ code: 0, stderr: '' });
    expect(await run(files[0]!)).toMatchObject({ code: 1, stdout: '' });
    expect((await run(files[1]!, join(folder, 'none.json'))).code).toBe(1);
    expect((await run()).stderr).toContain('usage');
  });

  it.each<[string, string]>([
    ['the txid', data.txid],
    ['the receiver', data.receiver_address],
    ['the time', data.block_time],
    ['the transaction', data.transaction],
    ['the branch', data.branch.at(-1)!.hash],
    ["the block's header", data.header.bytes],
    ["the block's signature", data.header.signature!],
    ['a header above it', data.following[9]!.bytes],
    ['a signature above it', data.following[18]!.signature!],
  ])('finds nothing proved with a changed byte of %s', async (_name, value) => {
    // The last but one: of the time a digit, of a signature the last of s.
    const at = recorded!.text.indexOf(value) + value.length - (value === data.block_time ? 2 : 3);
    const character = recorded!.text[at]!;
    const other = /[0-8a-e]/.test(character) ? String.fromCharCode(character.charCodeAt(0) + 1) : '2';
    const { code, stdout } = await verify(recorded!.text.slice(0, at) + other + recorded!.text.slice(at + 1));
    expect([code, stdout]).toEqual([1, '']);
  });

  it('counts a header with a post-quantum signature for no witness, and names what it does not verify', async () => {
    const set = recordedPostQuantumSet();
    const { text } = recordedReceipts('post-quantum/blocks.jsonl', set)[0]!;
    const named = join(folder, 'post-quantum.json');
    writeFileSync(named, JSON.stringify({ witnesses: set.map((witness) => ({ ...witness, isJobs: true })) }));
    const few = await verify(text, named);
    expect([few.code, few.stdout]).toEqual([1, '']);
    expect(few.stderr).toMatch(/\(14, 19\)\]; this program does not verify the FN_DSA_512 signature of block 34, the/);
    // Five more blocks, of other witnesses.
    const longer = JSON.parse(text) as { data: { block_number: number; following: object[] } };
    const last = longer.data.block_number + longer.data.following.length;
    for (const block of recordedBlocks('post-quantum/blocks.jsonl')) {
      const { number } = block.block_header.raw_data;
      const { signed } = readBlock(block as unknown as Record<string, unknown>).header;
      if (number > last && number <= last + 8)
        longer.data.following.push({
          bytes: signed!.bytes.toString('hex'),
          signature: signed!.signature.toString('hex'),
        });
    }
    const { code, stdout } = await verify(JSON.stringify(longer), named);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Not verified by this program: the FN_DSA_512 signature of block 34/m),
    ]);
  });
});
