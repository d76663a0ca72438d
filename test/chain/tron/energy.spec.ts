import { energyOfStake, largestEnergy, stakeForEnergyCeil, type EnergyRate } from '../../../src/chain/tron/energy';

const MAINNET: EnergyRate = { limit: 180_000_000_000n, weight: 19_000_000_000n };

/** A 32-bit generator with a fixed start, so that a failure can be repeated. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('the stake for an amount of energy', () => {
  it('lends at least that energy in the doubles of the node, at any rate and any size', () => {
    const random = numbers(7);
    const upTo = (digits: number) => BigInt(Math.floor(10 ** (random() * digits))) + 1n;
    for (let round = 0; round < 50_000; round++) {
      const rate = { limit: upTo(15), weight: upTo(15) };
      const energy = upTo(15);
      const stake = stakeForEnergyCeil(energy, rate, 0n);
      if (energyOfStake(stake, rate) < energy) throw new Error(`${energy} at ${rate.limit}/${rate.weight}: ${stake}`);
    }
  });

  it('is one sun above the exact quotient for all that a wallet can hold', () => {
    expect(stakeForEnergyCeil(65_000n, MAINNET, 0n)).toBe(6_861_111_113n);
    expect(stakeForEnergyCeil(65_000n * 14_000n, MAINNET, 0n)).toBe(96_055_555_555_557n);
  });

  it('is found without a search for more energy than all of the network has', () => {
    // Anything that goes up to the answer in steps does not end before this test does.
    for (const zeros of [15n, 30n, 300n, 3_000n]) {
      const energy = 10n ** zeros;
      const stake = stakeForEnergyCeil(energy, MAINNET, 0n);
      const exact = (energy * MAINNET.weight * 1_000_000n) / MAINNET.limit;
      expect(stake > exact && stake - exact <= 2n + (exact >> 49n)).toBe(true);
    }
  });

  it('grows by the margin', () => {
    expect(stakeForEnergyCeil(65_000n, MAINNET, 10_000n)).toBe(6_929_722_225n);
  });
});

describe('the most energy that a stake is enough for', () => {
  it('is never more than the stake covers, at any rate, size and margin, and all of it but for some sun', () => {
    const random = numbers(11);
    const upTo = (digits: number) => BigInt(Math.floor(10 ** (random() * digits))) + 1n;
    for (let round = 0; round < 50_000; round++) {
      const rate = { limit: upTo(15), weight: upTo(15) };
      const [stake, margin] = [1_000_000n + upTo(17), BigInt(round % 3) * 1_000n];
      const energy = largestEnergy(stake, rate, margin);
      if (energy > 0n && stakeForEnergyCeil(energy, rate, margin) > stake)
        throw new Error(`${stake} at ${rate.limit}/${rate.weight}, margin ${margin}: ${energy}`);
      // What four sun give more is too much.
      const tooMuch = largestEnergy(stake + 4n + (stake >> 48n), rate, margin) + 1n;
      if (stakeForEnergyCeil(tooMuch, rate, margin) <= stake)
        throw new Error(`${stake} at ${rate.limit}/${rate.weight}, margin ${margin}: less than ${tooMuch}`);
    }
  });

  it('is none for a stake that the network does not lend', () => {
    expect(largestEnergy(999_999n, { limit: 10n ** 15n, weight: 1n }, 0n)).toBe(0n);
    expect(largestEnergy(10n ** 12n, { limit: 180n, weight: 0n }, 0n)).toBe(0n);
  });
});
