import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordedBlocks } from '../support/recorded-blocks';

const PAGE = join(__dirname, '..', '..', 'docs', 'operations.md');
const BLOCKS_A_DAY = 28_800;
const TRANSACTIONS = 300;

const mean = (sizes: readonly number[]) => sizes.reduce((sum, one) => sum + one, 0) / sizes.length;
const sizeOf = (part: object) => Buffer.byteLength(JSON.stringify(part));

describe('what docs/operations.md says the follower reads a day', () => {
  it('follows from recorded blocks', () => {
    const blocks = [...recordedBlocks(), ...recordedBlocks('set-change/blocks.jsonl')];
    const header = mean(blocks.map(({ transactions: _transactions, ...alone }) => sizeOf(alone)));
    const transaction = mean(blocks.flatMap(({ transactions = [] }) => transactions.map(sizeOf)));
    const [headersMb, fullGb] = [header * BLOCKS_A_DAY, (header + TRANSACTIONS * transaction) * BLOCKS_A_DAY];
    const page = readFileSync(PAGE, 'utf8');
    expect(page).toContain(`a header takes ${Math.round(header)} bytes`);
    expect(page).toContain(`a transaction ${Math.round(transaction).toLocaleString('en')}:`);
    expect(page).toContain(`reads ${Math.round(headersMb / 1e6)} MB a day`);
    expect(page).toContain(`with full blocks ${(fullGb / 1e9).toFixed(1)} GB`);
  });
});
