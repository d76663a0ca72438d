import type { Socket } from 'node:net';
import { BoundedWindows } from '../../../src/rate-limit/bounded-windows';
import { RateLimitStorage } from '../../../src/rate-limit/rate-limit.storage';
import { MOST_RECEIPTS, MOST_RECEIPTS_WIDE, ReceiptLimit } from '../../../src/site/receipts/receipt-limit';

it('the limit of shared receipts counts an IPv6 network of 64 bits, and all of one of 48 bits together', async () => {
  const limit = new ReceiptLimit(new RateLimitStorage(() => new BoundedWindows()));
  const take = (ip: string) => limit.take({ ip, socket: {} as Socket });
  for (let n = 0; n < MOST_RECEIPTS; n += 1) expect(await take(`2001:db8:1::${n.toString(16)}`)).toBeNull();
  expect(await take('2001:db8:1::ffff')).toBeGreaterThan(0);
  for (let n = MOST_RECEIPTS; n < MOST_RECEIPTS_WIDE; n += 1)
    expect(await take(`2001:db8:1:${n.toString(16)}::1`)).toBeNull();
  expect(await take('2001:db8:1:ffff::1')).toBeGreaterThan(0);
  expect(await take('2001:db8:2::1')).toBeNull();
  expect(await take('203.0.113.1')).toBeNull();
});
