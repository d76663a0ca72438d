import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { startProbeApp } from '../../support/probe-app';
import { sendRaw } from '../../support/raw-http';

const VALID = '{"receiver_address":"TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t","amount":1}';
const REQUIRED = {
  receiver_address: ['The receiver address field is required.'],
  amount: ['The amount field is required.'],
};
const TOO_LARGE = { body: ['The body may not be greater than 16 kilobytes.'] };

describe('a request body', () => {
  let app: NestExpressApplication;
  let url: string;

  beforeAll(async () => {
    app = await startProbeApp();
    url = `${await app.getUrl()}/api/chain/delegate-resource`;
  });
  afterAll(() => app.close());

  async function post(
    body: string | Blob | Buffer | undefined,
    headers: Record<string, string> = { 'Content-Type': 'application/json' },
  ) {
    const response = await fetch(url, { method: 'POST', headers, body: body as BodyInit });
    const answer = (await response.json()) as { details?: unknown };
    return { status: response.status, code: response.headers.get('x-error-code'), details: answer.details };
  }

  it.each([
    ['malformed', '{"amount":'],
    ['empty', ''],
    ['a list', `[${VALID}]`],
    ['null', 'null'],
    ['a number', '5'],
    ['a string', JSON.stringify(VALID)],
    ['preceded by a byte order mark', new Blob(['\ufeff', VALID])],
    ['not UTF-8', Buffer.from('{"amount":"\xff"}', 'latin1')],
    ['nested 512 levels deep', `{"a":${'['.repeat(511)}${']'.repeat(511)}}`],
    ['nested 513 levels deep', `{"a":${'['.repeat(512)}${']'.repeat(512)}}`],
  ])('that is %s counts as an empty object', async (_name, body) => {
    expect(await post(body)).toEqual({ status: 400, code: 'MALFORMED_BODY', details: REQUIRED });
  });

  it('nested 511 levels deep is read', async () => {
    const nested = `{"a":${'['.repeat(510)}${']'.repeat(510)}}`;
    expect(await post(nested)).toEqual({ status: 400, code: 'VALIDATION_FAILED', details: REQUIRED });
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jso n',
    'x',
  ])('of type %s counts as an empty object', async (type) => {
    expect(await post(VALID, { 'Content-Type': type })).toEqual({
      status: 400,
      code: 'UNSUPPORTED_MEDIA_TYPE',
      details: REQUIRED,
    });
  });

  it('without a type counts as an empty object', async () => {
    expect(await post(Buffer.from(VALID), {})).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE', details: REQUIRED });
  });

  it('that is not there at all is malformed', async () => {
    expect(await post(undefined, {})).toMatchObject({ code: 'MALFORMED_BODY', details: REQUIRED });
  });

  it('that is empty of fields is not malformed', async () => {
    expect(await post('{}')).toEqual({ status: 400, code: 'VALIDATION_FAILED', details: REQUIRED });
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.api+json', 'text/json'])(
    'of type %s is JSON',
    async (type) => {
      expect(await post(VALID, { 'Content-Type': type })).toMatchObject({ status: 200 });
    },
  );

  it('of 16 KiB is read, of one byte more is refused', async () => {
    const padded = VALID.padEnd(16 * 1024);
    expect(await post(padded)).toMatchObject({ status: 200 });
    expect(await post(`${padded} `)).toEqual({ status: 400, code: 'BODY_TOO_LARGE', details: TOO_LARGE });
  });

  it.each([1, 15, 40])('of %d MiB is refused in the envelope, whatever its type', async (megabytes) => {
    const body = Buffer.alloc(megabytes * 1024 * 1024, 'x');
    expect(await post(body, { 'Content-Type': 'text/plain' })).toMatchObject({ status: 400, details: TOO_LARGE });
  });

  it('that comes in chunks is measured as it comes', async () => {
    const chunks = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 17; i++) controller.enqueue(Buffer.alloc(1024, ' '));
        controller.close();
      },
    });
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: chunks,
      duplex: 'half',
    } as RequestInit);
    expect(response.headers.get('x-error-code')).toBe('BODY_TOO_LARGE');
  });

  it('that is cut off leaves the service answering others', async () => {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const head =
      'POST /api/chain/delegate-resource HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n';
    const abandoned = sendRaw(port, `${head}Connection: close\r\n\r\n{`);
    expect(await post(VALID)).toMatchObject({ status: 200 });
    app.getHttpServer().closeAllConnections();
    await abandoned.catch(() => undefined);
  });
});
