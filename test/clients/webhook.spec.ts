import { createHmac, randomBytes } from 'node:crypto';
import { verifyWebhook, WebhookError, type WebhookHeaders } from '../../clients/typescript/src/index.ts';

/** The example of the Standard Webhooks specification. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = '{"test": 2432232314}';
const HEADERS = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const AT = { now: new Date(1_614_265_330_000) };
const OTHER = `whsec_${randomBytes(32).toString('base64')}`;

const after = (seconds: number) => ({ now: new Date(AT.now.getTime() + seconds * 1000) });
interface Given {
  readonly body?: string;
  readonly headers?: WebhookHeaders;
  readonly secret?: string | string[];
}
const refusal = (
  { body = BODY, headers = HEADERS, secret = SECRET }: Given = {},
  options: Parameters<typeof verifyWebhook>[3] = AT,
): string => {
  try {
    verifyWebhook(body, headers, secret, options);
    return 'none';
  } catch (error) {
    expect(error).toBeInstanceOf(WebhookError);
    return (error as WebhookError).message;
  }
};

describe('verifyWebhook', () => {
  it.each<[string, string | Uint8Array, WebhookHeaders, string | string[]]>([
    ["the specification's own example", BODY, HEADERS, SECRET],
    ['bytes', Buffer.from(BODY), HEADERS, SECRET],
    ['headers of fetch', BODY, new Headers(HEADERS), SECRET],
    ['headers in capitals', BODY, { ...HEADERS, 'webhook-id': undefined, 'Webhook-Id': HEADERS['webhook-id'] }, SECRET],
    ['an old secret beside the new one', BODY, HEADERS, [OTHER, SECRET]],
    ['a secret without its prefix', BODY, HEADERS, SECRET.slice('whsec_'.length)],
  ])('takes %s', (_, body, headers, secret) => {
    // The first header of two spellings is empty in one case above.
    const given =
      headers instanceof Headers ? headers : Object.fromEntries(Object.entries(headers).filter(([, value]) => value));
    expect(verifyWebhook(body, given, secret, AT)).toEqual({ test: 2432232314 });
  });

  it('takes one good signature among several, as while a secret is rotated', () => {
    const other = createHmac('sha256', Buffer.from(OTHER.slice(6), 'base64'))
      .update('else')
      .digest('base64');
    const signatures = `v1a,AAAA v1,${other} ${HEADERS['webhook-signature']} v1,`;
    expect(refusal({ headers: { ...HEADERS, 'webhook-signature': signatures } })).toBe('none');
  });

  it.each([
    ['a changed body', { body: '{"test": 2432232315}' }],
    ['a body that was parsed and written again', { body: '{"test":2432232314}' }],
    ['another id', { headers: { ...HEADERS, 'webhook-id': 'msg_other' } }],
    ['another time', { headers: { ...HEADERS, 'webhook-timestamp': '1614265331' } }],
    ['another secret', { secret: OTHER }],
    ['no secret at all', { secret: [] }],
    [
      'a signature of another version',
      { headers: { ...HEADERS, 'webhook-signature': HEADERS['webhook-signature'].replace('v1', 'v2') } },
    ],
    [
      'a signature that is cut off',
      { headers: { ...HEADERS, 'webhook-signature': HEADERS['webhook-signature'].slice(0, -8) } },
    ],
    ['an empty signature', { headers: { ...HEADERS, 'webhook-signature': 'v1,' } }],
  ])('refuses %s', (_, given) => expect(refusal(given)).toBe('webhook-signature matches none of the secrets'));

  it('refuses an empty secret, with which anybody could sign', () => {
    const signature = createHmac('sha256', '').update(`${HEADERS['webhook-id']}.1614265330.${BODY}`).digest('base64');
    const headers = { ...HEADERS, 'webhook-signature': `v1,${signature}` };
    for (const secret of ['', 'whsec_', 'whsec_!']) expect(refusal({ headers, secret })).toContain('secret');
  });

  it('refuses what is more than five minutes from now, either way', () => {
    expect([refusal({}, after(300)), refusal({}, after(-300))]).toEqual(['none', 'none']);
    const far = 'webhook-timestamp is too old or too new';
    expect([refusal({}, after(301)), refusal({}, after(-301))]).toEqual([far, far]);
    expect(refusal({}, { ...after(301), toleranceSeconds: 400 })).toBe('none');
  });

  it.each(['', 'soon', '1e9', '-1', ' 1614265330', '1614265330.5', 'NaN', 'Infinity'])('refuses the time %p', (time) =>
    expect(refusal({ headers: { ...HEADERS, 'webhook-timestamp': time } })).toMatch(/webhook-timestamp/),
  );

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('refuses a call without %s', (name) => {
    expect(refusal({ headers: { ...HEADERS, [name]: undefined } })).toBe(`The header ${name} is missing or repeated`);
    expect(refusal({ headers: { ...HEADERS, [name]: ['a', 'b'] } })).toBe(`The header ${name} is missing or repeated`);
  });
});
