import { tightestFit } from '../../../../src/chain/pool/wallets/choose-wallet';
import type { WalletRow } from '../../../../src/chain/pool/wallets/wallet-row';

const wallet = (name: string, delegableSun: bigint, reservedSun = 0n) =>
  ({ name, delegable_sun: delegableSun, reserved_sun: reservedSun }) as WalletRow;
const idle = () => 0;
const busy =
  (...names: string[]) =>
  ({ name }: WalletRow) =>
    names.filter((other) => other === name).length;

describe('the wallet of an order', () => {
  const pool = [wallet('large', 100n), wallet('small', 10n), wallet('middle', 80n, 30n)];

  it('has the least free stake that is enough', () => {
    expect(tightestFit(pool, idle)?.name).toBe('small');
    expect(tightestFit([wallet('large', 100n), wallet('middle', 80n, 30n)], idle)?.name).toBe('middle');
  });

  it('is another one while the tightest fit is busy', () => {
    expect(tightestFit(pool, busy('small'))?.name).toBe('middle');
    expect(tightestFit(pool, busy('small', 'small', 'middle'))?.name).toBe('middle');
  });

  it('is never the one that decides the largest order possible, as long as another one is enough', () => {
    expect(tightestFit(pool, busy('small', 'middle'))?.name).toBe('small');
    expect(tightestFit([wallet('large', 100n), wallet('small', 10n)], busy('small'))?.name).toBe('small');
  });

  it('is the only one that is enough, busy or not', () => {
    expect(tightestFit([wallet('large', 100n)], busy('large'))?.name).toBe('large');
    expect(tightestFit([], idle)).toBeNull();
  });
});
