import type { CustomerRow, OrderReport } from '../../../src/reporting/reports/order-report';
import { businessCsv } from '../../../src/panel/business/business.csv';

it('the file of Business has what activations sent and what they cost beside it, as the page has', async () => {
  const row = {
    user: 'ann@example.com',
    paid_by: 'balance',
    orders: 3n,
    succeeded: 3n,
    failed: 0n,
    charged_sun: 10_000_000n,
    energy: 195_000n,
    landed: 3n,
    activations: 2n,
    activated_sun: 2_000_000n,
  } as const satisfies CustomerRow;
  const report = { customers: () => Promise.resolve([row]) } as unknown as OrderReport;
  const chunks: string[] = [];
  for await (const chunk of businessCsv(report, {
    range: { from: '2026-03-01', to: '2026-03-02' },
    timeZone: 'Asia/Shanghai',
  }))
    chunks.push(chunk);
  const [heading, line] = chunks.join('').replace('\uFEFF', '').split('\r\n');
  expect(heading!.split(',').slice(-4)).toEqual(['activations', 'activations_trx', 'activation_fees_trx', 'time_zone']);
  expect(line!.split(',').slice(-4)).toEqual(['2', '2.000000', '2.200000', 'Asia/Shanghai']);
});
