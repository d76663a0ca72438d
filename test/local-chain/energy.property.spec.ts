import fc from 'fast-check';
import { limitOf, stakeTaken } from '../../local-chain/src/resources/resource.limit';
import { increase, recovered, takeOver, windowMilli } from '../../local-chain/src/resources/usage.window';
import type { ResourceUse } from '../../local-chain/src/state/account.model';
import type { Network } from '../../local-chain/src/state/network.model';

/** The formula as it was checked against a real node's timelines, written down a second time, in its own words. */
interface Model {
  usage: bigint;
  windowMilli: bigint;
  last: number;
}
const W = 28_800n;
const P = 1_000_000n;
const ceil = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

function recover(model: Model, used: bigint, slot: number): void {
  const window = model.windowMilli / 1000n;
  let average = ceil(model.usage * P, window);
  if (slot !== model.last) {
    const left = Number(window) - (slot - model.last);
    average = left > 0 ? BigInt(Math.round(Number(average) * (left / Number(window)))) : 0n;
  }
  const total = (average * window + ceil(used * P, W) * W) / P;
  const remain = (average * window) / P;
  model.windowMilli =
    remain === 0n
      ? W * 1000n
      : least(
          ceil(remain * (model.windowMilli - BigInt(slot - model.last) * 1000n) + used * W * 1000n, total),
          W * 1000n,
        );
  model.usage = total;
  model.last = slot;
}

const fresh = (): ResourceUse => ({ used: 0n, slot: 0, window: 0n, optimized: false });
const use = fc.record({ energy: fc.bigInt(0n, 100_000_000_000n), slots: fc.nat(40_000) });

const network = (weight: bigint): Network => ({
  totalNetWeightTrx: 27_000_000_000n,
  totalEnergyWeightTrx: weight,
  publicNet: { used: 0n, slot: 0 },
  burnedSun: 0n,
});
const weights = fc.bigInt(1_000_000_000n, 40_000_000_000n);

describe('energy', () => {
  it('is used and comes back as the formula has it, over any course of use', () => {
    fc.assert(
      fc.property(fc.array(use, { minLength: 1, maxLength: 30 }), (uses) => {
        const resource = fresh();
        const model: Model = { usage: 0n, windowMilli: W * 1000n, last: 0 };
        let slot = 1_000_000;
        [resource.slot, model.last] = [slot, slot];
        for (const { energy, slots } of uses) {
          slot += slots;
          expect(recovered(resource, slot)).toBe(
            ((): bigint => {
              const copy = { ...model };
              recover(copy, 0n, slot);
              return copy.usage;
            })(),
          );
          increase(resource, energy, slot);
          resource.slot = slot;
          recover(model, energy, slot);
          expect([resource.used, windowMilli(resource)]).toEqual([model.usage, model.windowMilli]);
        }
      }),
    );
  });

  it('is all there again a day after the last use, whatever was used', () => {
    fc.assert(
      fc.property(use, ({ energy }) => {
        const resource = fresh();
        increase(resource, energy, 1_000);
        resource.slot = 1_000;
        expect(recovered(resource, 1_000 + 28_800)).toBe(0n);
      }),
    );
  });

  it('used is never less than nothing nor more than was used, and only falls while nothing is used', () => {
    fc.assert(
      fc.property(use, fc.nat(28_800), fc.nat(28_800), ({ energy }, first, second) => {
        const resource = fresh();
        increase(resource, energy, 0);
        const [early, late] = [first, second].sort((a, b) => a - b);
        const [a, b] = [recovered(resource, early!), recovered(resource, late!)];
        expect(a <= energy + 1n && b <= a + 1n && b >= 0n).toBe(true);
      }),
    );
  });

  it('taken over with a stake weighs both windows and is never lost', () => {
    fc.assert(
      fc.property(use, use, fc.nat(1_000), (own, lent, later) => {
        const owner = fresh();
        const receiver = fresh();
        increase(owner, own.energy, 0);
        increase(receiver, lent.energy, 0);
        increase(receiver, 0n, later);
        const before = recovered(owner, later);
        takeOver(owner, receiver, receiver.used, later);
        expect(owner.used).toBe(before + receiver.used);
        expect(windowMilli(owner) <= W * 1000n).toBe(true);
        if (owner.used > 0n) expect(windowMilli(owner) > 0n).toBe(true);
      }),
    );
  });

  it('of a stake is never more than its share, and a share of the stake is enough for it', () => {
    fc.assert(
      fc.property(fc.bigInt(1_000_000n, 20_000_000_000_000_000n), weights, (sun, weight) => {
        const energy = limitOf(sun, network(weight), 'energy');
        const exact = (sun * 180_000_000_000n) / (weight * 1_000_000n);
        expect(energy - exact <= 1n && exact - energy <= 1n).toBe(true);
        const taken = stakeTaken(energy, network(weight), 'energy');
        expect(taken <= sun + sun / 1_000_000_000n + 1n).toBe(true);
      }),
    );
  });
});
