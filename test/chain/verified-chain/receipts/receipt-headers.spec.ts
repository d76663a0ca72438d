import { readBlock } from '../../../../src/chain/tron/node/block-answer';
import type { BlockHeader } from '../../../../src/chain/proof/block-header';
import { HeaderChain } from '../../../../src/chain/proof/header-chain';
import { NodeJudge, SignatureJudge } from '../../../../src/chain/proof/judge';
import { ReceiptHeaders } from '../../../../src/chain/verified-chain/receipts/receipt-headers';
import { ReceiptRepository } from '../../../../src/chain/verified-chain/receipts/receipt.repository';
import { recordedBlocks } from '../../../support/recorded-blocks';
import { recordedSet } from '../../../support/recorded-receipts';
import { createTestApp, type TestApp } from '../../../support/test-app';

const headers = recordedBlocks().map((block) => readBlock(block as unknown as Record<string, unknown>).header);
const judge = new SignatureJudge(recordedSet());

describe('the headers of receipts', () => {
  let service: TestApp;
  let stored: ReceiptRepository;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    stored = new ReceiptRepository(service.sql);
  });
  afterAll(() => service.close());

  const upTo = (last: BlockHeader) => (number: number) =>
    headers.find((header) => header.number === number && number <= last.number);
  const numbersFrom = async (block: BlockHeader) => (await stored.headersFrom(BigInt(block.number))).length;

  it('that are not all there when their block is final are kept once they are', async () => {
    const [block, newest, later] = [headers[0]!, headers[10]!, headers[30]!];
    const kept = new ReceiptHeaders(stored);
    expect(await kept.keep(block, upTo(newest), judge)).toBe(true);
    expect(await numbersFrom(block)).toBe(0);
    const chain = new HeaderChain(block, judge);
    chain.extend(headers.slice(1, 11));
    await kept.keepLacking(chain, judge);
    expect(await numbersFrom(block)).toBe(0);
    chain.extend(headers.slice(11, later.number - block.number + 1));
    await kept.keepLacking(chain, judge);
    expect(await numbersFrom(block)).toBe(20);
    expect(await stored.witnessesOf(BigInt(block.number))).toEqual(recordedSet());
  });

  it('are the same whichever instances keep those of neighbouring blocks at once', async () => {
    const blocks = headers.slice(0, 60);
    const instances = [0, 1, 2].map(() => new ReceiptHeaders(stored));
    const keeping = instances.flatMap((kept) => blocks.map((block) => kept.keep(block, upTo(headers.at(-1)!), judge)));
    expect(new Set(await Promise.all(keeping))).toEqual(new Set([true]));
    for (const block of blocks) {
      const found = await stored.headersFrom(BigInt(block.number));
      const expected = headers.filter(({ number }) => number >= block.number && number < block.number + found.length);
      expect(found.length).toBeGreaterThanOrEqual(20);
      expect(found).toEqual(expected.map(({ signed }) => signed));
    }
  });

  it('that are there already are not written again', async () => {
    const versions = () => {
      const text = 'select number, ctid::text as version from receipt_headers order by number';
      return service.sql.rows({ name: 'test_receipt_headers', text }, []);
    };
    const kept = new ReceiptHeaders(stored);
    await kept.keep(headers[0]!, upTo(headers.at(-1)!), judge);
    const before = await versions();
    await kept.keep(headers[0]!, upTo(headers.at(-1)!), judge);
    expect(await versions()).toEqual(before);
  });

  it('of a branch that was undone give way to those of the one that an operator accepted', async () => {
    const block = headers[0]!;
    const kept = new ReceiptHeaders(stored);
    const other = { ...block, signed: { ...block.signed!, bytes: headers[1]!.signed!.bytes } };
    await kept.keep(other, upTo(headers.at(-1)!), judge);
    expect((await stored.headersFrom(BigInt(block.number)))[0]).toEqual(other.signed);
    await kept.keep(block, upTo(headers.at(-1)!), judge);
    expect((await stored.headersFrom(BigInt(block.number)))[0]).toEqual(block.signed);
  });

  it('are not kept of what signatures do not prove', async () => {
    const [block] = headers.slice(90);
    const kept = new ReceiptHeaders(stored);
    const at = upTo(headers.at(-1)!);
    expect(await kept.keep(block!, at, new NodeJudge())).toBe(false);
    expect(await kept.keep({ ...block!, signed: null }, at, judge)).toBe(false);
    expect(await numbersFrom(block!)).toBe(0);
  });
});
