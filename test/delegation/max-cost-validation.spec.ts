import type { NestExpressApplication } from '@nestjs/platform-express';
import { startProbeApp } from '../support/probe-app';
import recorded from '../support/validation-vectors.json';

const RECEIVER = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const NOT_A_NUMBER = 'The max cost must be a number.';
const NEGATIVE = 'The max cost must be at least 0.';
const LARGEST = '9223372036854775807';

/** What the validator said of these values as amounts and times, which are as numeric as max_cost: each as the source of its JSON. */
function recordedOf(field: 'amount' | 'time'): [source: string, isNumber: boolean][] {
  const alone = { amount: /,"amount":(.*)\}$/s, time: /"amount":65000,"time":(.*)\}$/s }[field];
  return recorded
    .filter(({ name }) => name.startsWith(`${field}: `))
    .flatMap(({ body, details }) => {
      const source = alone.exec(body)?.[1];
      const messages = (details as Record<string, string[]>)[field] ?? [];
      const isRequired = messages.some((message) => message.endsWith('is required.'));
      return source === undefined || isRequired ? [] : [[source, !messages.includes(`The ${field} must be a number.`)]];
    });
}

describe('max_cost', () => {
  let app: NestExpressApplication;
  let url: string;
  beforeAll(async () => {
    app = await startProbeApp();
    url = `${await app.getUrl()}/api/chain/delegate-resource`;
  });
  afterAll(() => app.close());

  async function post(source: string) {
    const body = `{"max_cost":${source},"receiver_address":"${RECEIVER}","amount":1}`;
    const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    return (await response.json()) as { success: boolean; maxCostSun?: string | null; details?: unknown };
  }

  const vectors = [...recordedOf('amount'), ...recordedOf('time')];
  it('has vectors of its kind', () => {
    expect(vectors.length).toBeGreaterThan(110);
    expect(vectors.filter(([, isNumber]) => !isNumber).length).toBeGreaterThan(40);
  });

  it.each(vectors)('%s is as numeric as Laravel found it as an amount or a time: %s', async (source, isNumber) => {
    const isNegative = isNumber && /^"?-0*[1-9]/.test(source);
    const messages = [...(isNumber ? [] : [NOT_A_NUMBER]), ...(isNegative ? [NEGATIVE] : [])];
    const { success, details } = await post(source);
    expect(details).toEqual(messages.length > 0 ? { max_cost: messages } : undefined);
    expect(success).toBe(messages.length === 0);
  });

  it.each([
    ['-0.0000001', [NEGATIVE]],
    ['"-0.0000000000000000000000000000001"', [NEGATIVE]],
    ['-1e400', [NEGATIVE]],
    ['"-1e999999999"', [NEGATIVE]],
    ['false', [NOT_A_NUMBER]],
    ['[]', [NOT_A_NUMBER]],
    ['{}', [NOT_A_NUMBER]],
    ['{"max_cost":1}', [NOT_A_NUMBER]],
    ['"3 TRX"', [NOT_A_NUMBER]],
  ])('%s is refused', async (source, messages) => {
    expect((await post(source)).details).toEqual({ max_cost: messages });
  });

  it.each([
    ['null', null],
    ['""', null],
    ['" \\t "', null],
    ['0', '0'],
    ['-0', '0'],
    ['"-0"', '0'],
    ['"-0.0e5"', '0'],
    ['3', '3000000'],
    ['"3"', '3000000'],
    [' " 3.50 " ', '3500000'],
    ['0.1', '100000'],
    ['1e-6', '1'],
    ['2.9999999', '3000000'],
    ['2.9999994', '2999999'],
    ['2.9999995', '3000000'],
    ['"2.9999994999999999999999999"', '2999999'],
    ['"2.99999999999999999999999999"', '3000000'],
    [String(1.2 * 3), '3600000'],
    [String(0.1 + 0.2), '300000'],
    ['0.0000009', '1'],
    ['0.0000004', '0'],
    ['1e-400', '0'],
    ['"1e-999999999"', '0'],
    ['9007199254.740993', '9007199254740993'],
    ['"9223372036854.775807"', LARGEST],
    ['9223372036855', LARGEST],
    ['1e400', LARGEST],
    ['"1e999999999"', LARGEST],
    [`"${'9'.repeat(400)}"`, LARGEST],
  ])('%s is to the nearest so many sun: %s', async (source, maxCostSun) => {
    expect(await post(source)).toMatchObject({ success: true, maxCostSun });
  });

  it.each([2, 2.1, 2.2, 2.5, 3])('is what a caller has reckoned in doubles at a price of %d', async (price) => {
    const priceSun = BigInt(Math.round(price * 1_000_000));
    for (let tenths = 10; tenths < 60; tenths++) {
      const source = JSON.stringify((tenths / 10) * price);
      expect([tenths, (await post(source)).maxCostSun]).toEqual([tenths, String((BigInt(tenths) * priceSun) / 10n)]);
    }
  });

  it('has its messages behind those of the other fields', async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"max_cost":-1}',
    });
    const { details } = (await response.json()) as { details: object };
    expect(Object.keys(details)).toEqual(['receiver_address', 'amount', 'max_cost']);
  });
});
