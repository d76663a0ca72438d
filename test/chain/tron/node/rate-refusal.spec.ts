import { readRateRefusal } from '../../../../src/chain/tron/node/rate-refusal';

describe('an answer that a node gives for the number of calls', () => {
  const NODE = '{"Error":"class java.lang.IllegalAccessException : lack of computing resources"}';
  const GATEWAY = '{"Error":"The key exceeds the frequency limit(15), and the query server is suspended for 30s"}';

  it.each<[string, number, Record<string, string>, string, number | null, boolean]>([
    ['java-tron’s own limiter, with HTTP 200', 200, {}, NODE, null, true],
    ['429 of a gateway', 429, {}, '', null, false],
    ['429 with the seconds to wait', 429, { 'retry-after': '7' }, '<html>', 7_000, false],
    ['429 that asks for days', 429, { 'retry-after': '900000' }, '', 300_000, false],
    ['429 with an unreadable time', 429, { 'retry-after': 'soon' }, '', null, false],
    ['403 that names the rate and the time', 403, {}, GATEWAY, 30_000, false],
    ['503 of a gateway that names the rate', 503, {}, 'Too Many Requests, retry after 3 s', 3_000, false],
    ['503 with the seconds to wait', 503, { 'retry-after': '2' }, '', 2_000, false],
    ['200 of a gateway that names the rate', 200, {}, GATEWAY, 30_000, false],
    ['503 that asks for hours', 503, { 'retry-after': '7200' }, '', 300_000, false],
    ['503 with a page and a long time', 503, { 'retry-after': '86400' }, '<html>'.padEnd(5_000), 300_000, false],
    ['403 with the seconds to wait', 403, { 'retry-after': '30' }, '<html>', 30_000, false],
    ['no time to wait at all', 429, { 'retry-after': '0' }, '', null, false],
    ['a time that is over', 429, { 'retry-after': new Date(0).toUTCString() }, '', null, false],
    ['200 with an error of JSON-RPC', 200, {}, '{"error":{"code":-32005,"message":"limit exceeded"}}', null, false],
    ['200 with a message', 200, {}, '{"code":7,"message":"Daily request limit exceeded"}', null, false],
    ['402 for a quota', 402, {}, '{"message":"quota exceeded"}', null, false],
    ['400 of a gateway', 400, {}, '{"error":"request limit exceeded"}', null, false],
    ['401 of a gateway', 401, {}, 'Monthly limit has been reached', null, false],
    ['500 that names the limit', 500, {}, 'Rate Limit Exceeded', null, false],
    ['a page of a gateway', 502, {}, `<html>${' '.repeat(2_000)}<h1>Limit exceeded</h1>`, null, false],
  ])('is known: %s', (_, status, headers, text, waitMs, untouched) => {
    expect(readRateRefusal(status, headers, text)).toMatchObject({ kind: 'limited', waitMs, untouched });
  });

  it('is known when it gives a date', () => {
    const headers = { 'retry-after': new Date(Date.now() + 60_000).toUTCString() };
    const { waitMs } = readRateRefusal(429, headers, '')!;
    expect(waitMs).toBeGreaterThan(50_000);
    expect(waitMs).toBeLessThanOrEqual(60_000);
  });

  it.each<[string, number, string]>([
    ['403 for a key that is not known', 403, '{"Error":"invalid API key"}'],
    ['503 of a node that is away', 503, '<html>Service Unavailable</html>'],
    ['another exception', 200, '{"Error":"class java.lang.NullPointerException : null"}'],
    ['a block', 200, `{"blockID":"00","memo":"rate limit","Error":"${'x'.repeat(1000)}"}`],
    ['a memo that speaks of limits', 200, '{"memo":"rate limit exceeded"}'],
    ['a range that is too long', 400, '{"error":"the range exceeds the limit of 10 blocks"}'],
    ['a question that is too long', 413, 'size limit exceeded'],
    ['a server’s own error', 500, 'too many requests'],
  ])('is not: %s', (_, status, text) => {
    expect(readRateRefusal(status, {}, text)).toBeNull();
  });
});
