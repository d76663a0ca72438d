import { forecastWallet } from '../../../../src/chain/pool/wallets/forecast';

const HOUR_MS = 3_600_000;

describe('the forecast of a wallet', () => {
  it('counts a stake from the moment it is due, and an overdue one from now', () => {
    const loans = [
      { stakeSun: 100n, dueInMs: HOUR_MS },
      { stakeSun: 10n, dueInMs: -HOUR_MS },
    ];
    const wallet = { freeSun: 1000n, usedSun: 0n, loans };
    expect(forecastWallet(wallet, 0)).toMatchObject({ returnedSun: 10n, mostSun: 1010n, leastSun: 1000n });
    expect(forecastWallet(wallet, HOUR_MS)).toMatchObject({ returnedSun: 110n, mostSun: 1110n });
  });

  it('lets used energy recover evenly over a day after it is back', () => {
    const wallet = { freeSun: 0n, usedSun: 0n, loans: [{ stakeSun: 2400n, dueInMs: HOUR_MS }] };
    expect([1, 2, 13, 25, 48].map((hours) => forecastWallet(wallet, hours * HOUR_MS).leastSun)).toEqual([
      0n,
      100n,
      1200n,
      2400n,
      2400n,
    ]);
  });

  it('lets what was used before recover too', () => {
    const wallet = { freeSun: 5n, usedSun: 240n, loans: [] };
    expect(forecastWallet(wallet, 12 * HOUR_MS)).toEqual({ returnedSun: 0n, leastSun: 125n, mostSun: 125n });
  });

  it('gives nothing back before the energy recovers that stake used which was unfrozen since', () => {
    const wallet = { freeSun: 0n, usedSun: 240n, overusedSun: 240n, loans: [{ stakeSun: 100n, dueInMs: 6 * HOUR_MS }] };
    const at = (hours: number) => forecastWallet(wallet, hours * HOUR_MS);
    expect(at(5)).toEqual({ returnedSun: 0n, leastSun: 0n, mostSun: 0n });
    expect(at(6)).toEqual({ returnedSun: 100n, leastSun: 0n, mostSun: 0n });
    expect(at(12)).toEqual({ returnedSun: 100n, leastSun: 25n, mostSun: 100n });
    expect(at(24)).toMatchObject({ leastSun: 240n + 75n, mostSun: 340n });
  });
});
