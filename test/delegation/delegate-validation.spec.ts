import type { NestExpressApplication } from '@nestjs/platform-express';
import { startProbeApp } from '../support/probe-app';

const RECEIVER = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const NOT_A_NUMBER = 'The amount must be a number.';
const TOO_LITTLE = 'The amount must be at least 1.';
const TIME_NOT_A_NUMBER = 'The time must be a number.';
const TIME_NOT_ALLOWED = 'The selected time is invalid.';
const NOT_A_BOOLEAN = ['The activate address field must be true or false.'];
const WRONG_LENGTH = ['The receiver address must be 34 characters.'];

describe('the delegate request', () => {
  let app: NestExpressApplication;
  let url: string;

  beforeAll(async () => {
    app = await startProbeApp();
    url = `${await app.getUrl()}/api/chain/delegate-resource`;
  });
  afterAll(() => app.close());

  async function post(body: string) {
    const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    return (await response.json()) as Record<string, unknown>;
  }
  /** `source` is the JSON source of one field, beside valid others. */
  async function detailsOf(field: string, source: string) {
    const fields: Record<string, string> = { receiver_address: JSON.stringify(RECEIVER), amount: '1', [field]: source };
    const members = Object.entries(fields).map(([name, value]) => `"${name}":${value}`);
    const { details } = await post(`{${members.join(',')}}`);
    return details === undefined ? undefined : (details as Record<string, string[]>)[field];
  }

  it.each<[string, string[] | undefined]>([
    ['"1e1000"', undefined],
    ['1e400', undefined],
    ['"1e99999999999999999999"', undefined],
    ['-1e400', [TOO_LITTLE]],
    ['"1e-99999999999999999999"', [TOO_LITTLE]],
    ['"0e99999999999999999999"', [TOO_LITTLE]],
    ['"0.99999999999999999999"', [TOO_LITTLE]],
    ['0.99999999999999', [TOO_LITTLE]],
    ['"+1"', undefined],
    ['"+.5e1"', undefined],
    ['"1.e0"', undefined],
    ['"1,5"', [NOT_A_NUMBER]],
    ['"1 5"', [NOT_A_NUMBER]],
    ['"Infinity"', [NOT_A_NUMBER]],
    ['"--1"', [NOT_A_NUMBER]],
    ['"5\\u0000"', [NOT_A_NUMBER]],
    ['"\\u0000"', ['The amount field is required.']],
    ['"\\u00a05\\u3000"', undefined],
    ['"\\ufeff5\\u200b"', undefined],
    ['"\\u180e5\\u0085"', undefined],
    ['"\\u00055"', [NOT_A_NUMBER]],
    ['"0"', [TOO_LITTLE]],
    ['[]', ['The amount field is required.']],
    ['{}', ['The amount field is required.']],
    ['[null]', [NOT_A_NUMBER]],
    ['{"__proto__":1}', [NOT_A_NUMBER]],
    ['"é"', [NOT_A_NUMBER]],
  ])('amount %s', async (source, details) => {
    expect(await detailsOf('amount', source)).toEqual(details);
  });

  it.each<[string, string[] | undefined]>([
    ['"\\u0000"', undefined],
    ['"\\u2003"', undefined],
    ['10.00000000000001', undefined],
    ['10.0000000001', [TIME_NOT_ALLOWED]],
    ['1440.0', undefined],
    ['"+10"', undefined],
    ['"10."', undefined],
    ['"0010"', undefined],
    ['"-10"', [TIME_NOT_ALLOWED]],
    ['1e400', [TIME_NOT_ALLOWED]],
    ['"10\\u0000"', [TIME_NOT_A_NUMBER, TIME_NOT_ALLOWED]],
    ['true', [TIME_NOT_A_NUMBER, TIME_NOT_ALLOWED]],
    ['{}', [TIME_NOT_A_NUMBER, TIME_NOT_ALLOWED]],
  ])('time %s', async (source, details) => {
    expect(await detailsOf('time', source)).toEqual(details);
  });

  it.each<[string, string[] | undefined]>([
    ['null', undefined],
    ['"\\u0000"', undefined],
    ['"\\u202f1"', undefined],
    ['1', undefined],
    ['1.0', NOT_A_BOOLEAN],
    ['0.0', NOT_A_BOOLEAN],
    ['-0.0', NOT_A_BOOLEAN],
    ['1e0', NOT_A_BOOLEAN],
    ['"1.0"', NOT_A_BOOLEAN],
    ['"01"', NOT_A_BOOLEAN],
    ['18446744073709551617', NOT_A_BOOLEAN],
    ['[]', NOT_A_BOOLEAN],
  ])('activate_address %s', async (source, details) => {
    expect(await detailsOf('activate_address', source)).toEqual(details);
  });

  it.each<[string, string[] | undefined]>([
    [`"\\u200b${RECEIVER}\\u2029"`, undefined],
    [`"${RECEIVER}\\u0000"`, WRONG_LENGTH],
    ['"\\u0000\\u0000"', ['The receiver address field is required.']],
    ['true', ['The receiver address must be a string.', ...WRONG_LENGTH]],
    ['false', ['The receiver address must be a string.', ...WRONG_LENGTH]],
    [`"${RECEIVER.slice(0, -1)}u"`, ['The receiver address format is invalid.']],
    [JSON.stringify(Array(34).fill(1)), ['The receiver address must be a string.']],
  ])('receiver_address %s', async (source, details) => {
    expect(await detailsOf('receiver_address', source)).toEqual(details);
  });

  it('reports a wrong address format beside what is wrong with other fields', async () => {
    const { details } = await post(`{"time":60,"receiver_address":"${'T'.repeat(34)}","amount":"x"}`);
    expect(JSON.stringify(details)).toBe(
      JSON.stringify({
        receiver_address: ['The receiver address format is invalid.'],
        amount: [NOT_A_NUMBER],
        time: [TIME_NOT_ALLOWED],
      }),
    );
  });

  it.each([
    ['1', '1'],
    ['0.1e1', '1'],
    ['1.10', '1.1'],
    ['9007199254740993', '9007199254740992'],
    ['"9007199254740993"', '9007199254740993'],
    ['"1.00000000000000000000000001"', '1.00000000000000000000000001'],
    ['1.00000000000000000000000001', '1'],
    ['123456789012345678', '123456789012345680'],
    ['1e400', 'Infinity'],
    ['"1e400"', 'Infinity'],
    ['"1e999999999"', 'Infinity'],
    [`"${'9'.repeat(400)}"`, 'Infinity'],
  ])('bills amount %s as %s transactions', async (source, transactions) => {
    expect(await post(`{"receiver_address":"${RECEIVER}","amount":${source}}`)).toEqual({
      success: true,
      receiver: RECEIVER,
      transactions,
      rentalMinutes: 10,
      activate: false,
      maxCostSun: null,
    });
  });

  it.each([
    ['"1.44e3"', 1440, '" 1 "', true],
    ['1440', 1440, '1', true],
    ['""', 10, 'true', true],
    ['"\\u0000"', 10, '"\\u0000"', false],
    ['10.0', 10, '"0"', false],
    ['null', 10, 'null', false],
  ])('reads time %s as %d minutes and activate_address %s as %s', async (time, minutes, activateSource, activate) => {
    const body = `{"receiver_address":" ${RECEIVER}","amount":1,"time":${time},"activate_address":${activateSource}}`;
    expect(await post(body)).toMatchObject({ receiver: RECEIVER, rentalMinutes: minutes, activate });
  });
});
