import { DatabaseError } from 'pg';
import { OrderWrites } from '../../src/delegation/order-writes';
import { SettableClock } from '../support/movable-clock';

const refusal = (code: string) => Object.assign(new DatabaseError('refused', 0, 'error'), { code });

describe('what is known of the database by the orders that it was to write', () => {
  let clock: SettableClock;
  let writes: OrderWrites;
  beforeEach(() => {
    clock = new SettableClock();
    writes = new OrderWrites(clock);
  });

  it.each(['53100', '53200', '58030', 'XX001', '42501', '25006'])('is that it takes none, after %s', (code) => {
    writes.failed(refusal(code));
    expect(writes.lastRefusal()).toBe('refused');
    writes.worked();
    expect(writes.lastRefusal()).toBeNull();
  });

  it('is forgotten in time, for an instance that is not ready gets no order that could show otherwise', () => {
    writes.failed(refusal('53100'));
    clock.advance(29_000);
    expect(writes.lastRefusal()).toBe('refused');
    clock.advance(2_000);
    expect(writes.lastRefusal()).toBeNull();
  });

  // Locks, deadlocks, what an index or a check refuses, our own refusals, and limits that other sessions use up for a moment.
  it.each(['53300', '53400', '55P03', '40P01', '23505', '23514', '22003', '57014', 'XX000'])(
    'is nothing, after %s',
    (code) => {
      writes.failed(refusal(code));
      expect(writes.lastRefusal()).toBeNull();
    },
  );
});
