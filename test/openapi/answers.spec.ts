import { Controller, Get, Module } from '@nestjs/common';
import { Public } from '../../src/auth/access.decorator';
import { type SeenAnswer, undocumented } from '../support/answer-check';
import { takeUndocumented } from '../support/answer-recorder';
import { createTestApp } from '../support/test-app';

const LIMITS = { 'ratelimit-limit': '60', 'ratelimit-remaining': '59', 'ratelimit-reset': '60' };
const COMMON = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'abc' };
const ID = '0193f1c2-7d7c-7b5e-9e4f-0a1b2c3d4e5f';

const delegated = (body: object = {}, headers: object = {}): SeenAnswer => ({
  method: 'POST',
  url: '/api/tron/delegate-resource/?x',
  status: 200,
  headers: { ...COMMON, ...LIMITS, 'x-delegation-id': ID, 'x-delegation-state': 'included', ...headers },
  text: JSON.stringify({ success: true, message: '委托成功', txid: 'ab'.repeat(32), ...body }),
  variant: 'A',
});
const refused = (status: number, code: string, error: string, headers: object = {}): SeenAnswer => ({
  ...delegated(),
  status,
  headers: { ...COMMON, ...LIMITS, 'x-error-code': code, link: `</docs/errors#${code}>; rel="help"`, ...headers },
  text: JSON.stringify({ success: false, error }),
});

describe('an answer as the document has it passes', () => {
  it.each<[string, SeenAnswer]>([
    ['a success', delegated()],
    ['a success of variant B', { ...delegated({ cost: 2.000001 }), variant: 'B' }],
    ['a refusal', refused(501, 'INSUFFICIENT_ENERGY', '能量不足,请稍后再试', { 'retry-after': '600' })],
    ['a page, which is none of the API', { ...delegated(), url: '/panel/sign-in', text: '<html>' }],
  ])('%s', (_, answer) => expect(undocumented(answer)).toEqual([]));
});

describe('an answer that the document lacks is found', () => {
  it.each<[string, SeenAnswer, string]>([
    ['a status', { ...delegated(), status: 202 }, 'no such answer'],
    ['a path', { ...delegated(), url: '/api/chain/undelegate' }, 'no such answer'],
    ['a method', { ...delegated(), method: 'PUT' }, 'no such answer'],
    ['a field', delegated({ price: 3 }), 'additionalProperty'],
    ['a field that is missing', delegated({ txid: undefined }), "required property 'txid'"],
    ['a value out of its pattern', delegated({ txid: 'AB'.repeat(32) }), 'must match pattern'],
    ['a number in a string', { ...delegated({ cost: '3' }), variant: 'B' }, 'must be number'],
    ['cost in variant A', delegated({ cost: 3 }), 'cost in variant A'],
    ['no cost in variant B', { ...delegated(), variant: 'B' }, 'cost in variant B'],
    ['success that is none', delegated({ success: false }), 'success says the opposite'],
    ['a header that is missing', delegated({}, { 'x-delegation-id': undefined }), 'no X-Delegation-Id'],
    ['a header out of its enum', delegated({}, { 'x-delegation-state': 'sent' }), 'X-Delegation-State'],
    ['a header beyond its bounds', delegated({}, { 'ratelimit-remaining': '-1' }), 'RateLimit-Remaining'],
    ['a header that is not described', delegated({}, { 'x-delegation-cost': '3' }), 'is not described'],
    ['a content type', delegated({}, { 'content-type': 'text/html' }), 'content type'],
    ['an error code of another status', refused(501, 'INTERNAL', '余额不足,请先充值'), 'X-Error-Code'],
    ['the text of another code', refused(501, 'INSUFFICIENT_BALANCE', '能量不足,请稍后再试'), 'not the text'],
    [
      'a reason without a link',
      refused(501, 'PAUSED', '能量不足,请稍后再试', { link: undefined, 'retry-after': '600' }),
      'no Link',
    ],
    ['a wait that is not told', refused(429, 'RATE_LIMITED', '请求过于频繁,请稍后再试'), 'no Retry-After'],
  ])('%s', (_, answer, problem) => expect(undocumented(answer).join()).toContain(problem));
});

it('every answer of an application under test is looked at', async () => {
  @Controller('api')
  @Public()
  class RogueController {
    @Get('rogue')
    answer() {
      return { success: true };
    }
  }
  @Module({ controllers: [RogueController] })
  class RogueModule {}
  const service = await createTestApp({ modules: [RogueModule], backgroundWork: false });
  try {
    await fetch(`${service.url}/api/rogue`);
    expect(takeUndocumented()).toEqual([
      expect.stringContaining('GET /api/rogue 200: the document has no such answer'),
    ]);
    // The setup of every spec file fails the test for what is left untaken.
    await fetch(`${service.url}/health/live`);
    expect(takeUndocumented()).toEqual([]);
  } finally {
    await service.close();
  }
});
