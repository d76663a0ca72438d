import { LookedThrough } from '../../../src/chain/observer/looked-through';
import type { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { MovableClock } from '../../support/movable-clock';

describe('waiting until orders up to the newest final block are settled', () => {
  const clock = new MovableClock();
  const chain = { headers: { final: { number: 7 } } };
  const lookedThrough = () => new LookedThrough(true, chain as VerifiedChain, clock);

  it('ends with that block, whatever comes after it', async () => {
    const looked = lookedThrough();
    looked.begins(7);
    const waiting = looked.waitForFinal();
    chain.headers.final = { number: 8 };
    looked.reached(7);
    expect(await waiting).toBe(true);
    chain.headers.final = { number: 7 };
    expect(await looked.waitForFinal()).toBe(false);
  });

  it('is given up while there is more to read than an order can wait for, and begins again with the next pause', async () => {
    const looked = lookedThrough();
    looked.begins(7);
    clock.advance(10_001);
    looked.begins(7);
    expect(await looked.waitForFinal()).toBe(false);
    looked.reached(6);
    looked.begins(7);
    const waiting = looked.waitForFinal();
    looked.reached(7);
    expect(await waiting).toBe(true);
  });

  it('is not begun in a process that settles nothing', async () => {
    expect(await new LookedThrough(false, chain as VerifiedChain, clock).waitForFinal()).toBe(false);
  });
});
