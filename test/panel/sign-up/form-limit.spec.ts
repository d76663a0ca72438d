import type { PanelRequest } from '../../../src/panel/http/visit';
import { FormLimit, MOST_FORMS, MOST_FORMS_WIDE } from '../../../src/panel/sign-up/form-limit';
import { BoundedWindows } from '../../../src/rate-limit/bounded-windows';
import { RateLimitStorage } from '../../../src/rate-limit/rate-limit.storage';

describe('the limit of forms that anybody may send', () => {
  let limit: FormLimit;
  beforeEach(() => {
    limit = new FormLimit(new RateLimitStorage(() => new BoundedWindows()));
  });
  const take = (ip: string) => limit.take({ ip, socket: {} } as PanelRequest);

  it('counts each IPv4 address by itself', async () => {
    for (let n = 0; n < MOST_FORMS; n += 1) expect(await take('203.0.113.1')).toBe(true);
    expect(await take('203.0.113.1')).toBe(false);
    expect(await take('203.0.113.2')).toBe(true);
  });

  it('counts an IPv6 network of 64 bits, and all of one of 48 bits together', async () => {
    for (let n = 0; n < MOST_FORMS; n += 1) expect(await take(`2001:db8:1::${n.toString(16)}`)).toBe(true);
    expect(await take('2001:db8:1::ffff')).toBe(false);
    for (let n = MOST_FORMS; n < MOST_FORMS_WIDE; n += 1) {
      expect(await take(`2001:db8:1:${n.toString(16)}::1`)).toBe(true);
    }
    expect(await take('2001:db8:1:ffff::1')).toBe(false);
    expect(await take('2001:db8:2::1')).toBe(true);
  });
});
