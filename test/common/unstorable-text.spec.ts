import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { ApiTokenService } from '../../src/auth/tokens/api-token.service';
import { mintToken } from '../../src/auth/tokens/token-format';
import { insertUser } from '../support/factories';
import { sendRaw } from '../support/raw-http';
import { createTestApp, type TestApp } from '../support/test-app';

/** Texts of 34 code points: half a pair, bytes that are not UTF-8, and what PostgreSQL does not keep. */
const NUL = '%00'.repeat(34);
const ASTRAL = encodeURIComponent('𝕏'.repeat(34));
const WORDS = ['%00', `T${'%00'.repeat(33)}`, NUL, '%ED%A0%80', '%ff%fe', '%zz', '%', ASTRAL, "'", 'x'.repeat(7000)];
const FIELDS = ['txid', 'idempotency_key', 'state', 'receiver_address', 'before', 'limit', 'nothing_of_ours'];

/** `fetch`'s, with plain headers. */
type Init = Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> };

describe.each(['A', 'B'])('text that cannot be stored or found, in variant %s', (variant) => {
  let service: TestApp;
  let token: string;

  beforeAll(async () => {
    const env = { RATE_LIMIT_STORE: 'postgres', RATE_LIMIT_PER_MINUTE: '100000', TRUST_PROXY: 'true' };
    service = await createTestApp({ env: { ...env, BILLING_VARIANT: variant }, backgroundWork: false });
    const userId = await insertUser(service.orm, { balance: 7 });
    const permissions = ['delegate', 'balance'];
    token = (await service.app.get(ApiTokenService).create({ userId, name: 'test', permissions })).token;
  });
  afterAll(() => service.close());

  async function ask(path: string, init: Init = {}) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers };
    const response = await fetch(`${service.url}${path}`, { ...init, headers });
    return { status: response.status, body: (await response.json()) as { data?: []; details?: object; cost?: number } };
  }

  describe.each(['chain', 'tron'])('under /api/%s', (chain) => {
    const list = (query: string) => ask(`/api/${chain}/delegations?${query}`);

    it.each(FIELDS)('in the filter %s finds nothing or is named in the details', async (field) => {
      for (const word of WORDS) {
        const forms = [
          `${field}=${word}`,
          `${field}[]=${word}`,
          `${field}[a]=${word}`,
          `${field}=${word}&${field}=${word}`,
        ];
        for (const query of forms) {
          const { status, body } = await list(query);
          expect([query, status]).toEqual([query, body.details ? 400 : 200]);
          if (body.details) expect(Object.keys(body.details)).toEqual([field]);
          else expect(body.data).toEqual([]);
        }
      }
    });

    it('counts the characters of a receiver, and refuses one that no order could have', async () => {
      expect(await list(`receiver_address=${ASTRAL}`)).toMatchObject({ status: 200, body: { data: [] } });
      const tooShort = await list(`receiver_address=${encodeURIComponent('𝕏'.repeat(17))}`);
      expect(tooShort.body.details).toEqual({ receiver_address: ['The receiver address must be 34 characters.'] });
      const unstorable = await list(`receiver_address=${NUL}`);
      expect(unstorable).toMatchObject({ status: 400, body: { success: false, error: '参数验证失败' } });
      expect(unstorable.body.details).toEqual({ receiver_address: ['The receiver address format is invalid.'] });
      expect((await list('receiver_address=%00')).body.details).toEqual(tooShort.body.details);
    });

    it('as an id reads as not found', async () => {
      for (const word of WORDS) expect((await ask(`/api/${chain}/delegations/${word}`)).status).toBe(404);
    });

    it.each([
      ['NUL', '\\u0000'.repeat(34)],
      ['characters of two halves', '𝕏'.repeat(34)],
    ])('as a receiver of %s has the right length, and is not an address', async (_name, receiver) => {
      const body = `{"receiver_address":"T${receiver.slice(receiver.length / 34)}","amount":1}`;
      const answer = await ask(`/api/${chain}/delegate-resource`, { method: 'POST', body });
      expect(answer).toMatchObject({ status: 400, ...(variant === 'B' && { body: { cost: 0 } }) });
      expect(answer.body.details).toEqual({ receiver_address: ['The receiver address format is invalid.'] });
    });

    it('in a header fails nothing', async () => {
      const { port } = service.app.getHttpServer().address() as AddressInfo;
      const path = `/api/${chain}/delegate-resource`;
      const send = (...lines: string[]) =>
        sendRaw(port, [`POST ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...lines, '', ''].join('\r\n'));
      // Nothing that PostgreSQL could make shorter before it is too long for an index.
      const long = randomBytes(9_000).toString('base64url');
      const good = `Authorization: Bearer ${token}`;
      for (const value of ['\x00', '\ud83d', '𝕏', '%00', long]) {
        for (const name of [
          'User-Agent',
          'X-Request-Id',
          'Cookie',
          'X-Forwarded-For',
          'Accept-Language',
          'traceparent',
        ]) {
          const { status, body } = await send(good, `${name}: ${value}`);
          expect([name, status, 'cost' in (JSON.parse(body) as object)]).toEqual([name, 400, variant === 'B']);
        }
        expect((await send(good, `Idempotency-Key: ${value}`)).status).toBe(400);
        expect([400, 401, 429]).toContain((await send(`Authorization: Bearer ${value}`)).status);
        // Counted by its address, whatever that is.
        const from = `X-Forwarded-For: ${value}`;
        expect([400, 401]).toContain((await send(`Authorization: Bearer ${mintToken()}`, from)).status);
      }
    });
  });
});
