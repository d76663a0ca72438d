import { toHexAddress } from '../../../../src/chain/tron/addresses';
import { findMissing, findPower } from '../../../../src/chain/pool/doctor/key-findings';
import type { WalletRow } from '../../../../src/chain/pool/wallets/wallet-row';
import type { OutcomeListener } from '../../../../src/chain/transactions/kinds/transaction-kind';
import { TransactionKinds } from '../../../../src/chain/transactions/kinds/transaction-kinds';
import { ACTIVATION, DELEGATION, RECLAIM } from '../../../../src/delegation/transaction-kinds';
import { BROAD, LENDING, TRANSFER_ALONE } from '../../../support/restricted-key';

const OWN = 'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9';
const HOT = 'TLyqzVGLV1srkB7dToTAEqgDSfPtXRJZYH';

interface Given {
  readonly id: number;
  readonly operations: string;
  readonly keys: Readonly<Record<string, number>>;
  readonly threshold?: number;
}

describe('the power of a key', () => {
  const kinds = new TransactionKinds();
  kinds.register({} as OutcomeListener, DELEGATION, RECLAIM, ACTIVATION);
  const keysOf = (keys: Given['keys']) =>
    Object.entries(keys).map(([address, weight]) => ({ address: toHexAddress(address), weight }));
  const account = (actives: readonly Given[], others: Record<string, unknown> = {}) => ({
    address: toHexAddress(OWN),
    owner_permission: { permission_name: 'owner', threshold: 1, keys: keysOf({ [OWN]: 1 }) },
    active_permission: actives.map(({ keys, threshold = 1, ...given }) => ({
      ...given,
      threshold,
      keys: keysOf(keys),
    })),
    ...others,
  });
  const wallet = (permission_id = 2, role = 'delegate') =>
    ({ name: 'main', address: OWN, role, permission_id }) as WalletRow;
  const judged = (keyAddress: string, shown: Record<string, unknown>, of = wallet()) => ({
    wallet: of,
    keyAddress,
    needed: kinds.operationsOf(of.role),
    allowed: kinds.optionalOperationsOf(of.role),
    account: shown,
  });
  const powerOf = (keyAddress: string, shown: Record<string, unknown>, of = wallet()) =>
    findPower(judged(keyAddress, shown, of), false).map(({ kind, reason }) => `${kind}: ${reason}`);
  const lending = { id: 2, operations: LENDING };

  it('is what it needs, and no more, in a permission of its own', () => {
    const shown = account([{ ...lending, keys: { [HOT]: 1 } }]);
    expect(powerOf(HOT, shown)).toEqual([]);
    expect(findMissing(judged(HOT, shown))).toEqual([]);
  });

  it('is the owner’s, whichever permission the wallet names, and also of an account that shows none', () => {
    const isOwner = ['too_powerful_key: it is the owner key, which can move everything'];
    const shown = account([{ ...lending, keys: { [OWN]: 1 } }]);
    expect(powerOf(OWN, shown)).toEqual(isOwner);
    expect(powerOf(OWN, account([]), wallet(0))).toEqual(isOwner);
    expect(powerOf(OWN, { ...shown, owner_permission: undefined })).toEqual(isOwner);
    expect(powerOf(OWN, { address: toHexAddress(OWN) }, wallet(0, 'activate'))).toEqual(isOwner);
    // A key of the local chain.
    expect(findPower(judged(OWN, shown), true)).toEqual([]);
  });

  it('is of every permission that the key is in', () => {
    const broad = { id: 3, operations: BROAD, keys: { [HOT]: 1 } };
    expect(powerOf(HOT, account([{ ...lending, keys: { [HOT]: 1 } }, broad]))).toEqual([
      expect.stringContaining('too_powerful_key: permission 3, where the key is too, also allows operation 0, 1, '),
    ]);
    const owner = { owner_permission: { threshold: 2, keys: keysOf({ [OWN]: 1, [HOT]: 2 }) } };
    expect(powerOf(HOT, account([{ ...lending, keys: { [HOT]: 1 } }], owner))).toEqual([
      expect.stringContaining('the owner key'),
    ]);
  });

  it('is not of a permission that it does not reach alone, nor of a witness permission', () => {
    const broad = { id: 3, operations: BROAD, threshold: 2, keys: { [HOT]: 1, [OWN]: 1 } };
    const owner = { owner_permission: { threshold: 3, keys: keysOf({ [OWN]: 2, [HOT]: 2 }) } };
    const witness = { witness_permission: { id: 1, threshold: 1, keys: keysOf({ [HOT]: 1 }) } };
    expect(powerOf(HOT, account([{ ...lending, keys: { [HOT]: 1 } }, broad], { ...owner, ...witness }))).toEqual([]);
  });

  it('of an activation wallet is one transfer, and lending is more', () => {
    const transfer = { id: 2, operations: TRANSFER_ALONE, keys: { [HOT]: 1 } };
    expect(powerOf(HOT, account([transfer]), wallet(2, 'activate'))).toEqual([]);
    expect(powerOf(HOT, account([transfer, { ...lending, id: 3, keys: { [HOT]: 1 } }]), wallet(2, 'activate'))).toEqual(
      ['too_powerful_key: permission 3, where the key is too, also allows operation 57, 58'],
    );
    expect(powerOf(HOT, account([transfer]))).toEqual(['too_powerful_key: permission 2 also allows operation 1']);
  });

  it('is none beyond what any room of the service has signed by it', () => {
    const vote = { ...RECLAIM, name: 'vote', contract: { type: 4n, name: 'VoteWitnessContract', fields: {} } };
    const shown = account([{ id: 2, operations: BROAD, keys: { [HOT]: 1 } }]);
    const [before] = powerOf(HOT, shown);
    kinds.register({} as OutcomeListener, vote);
    const [after] = powerOf(HOT, shown);
    expect([before, after]).toEqual([expect.stringMatching(/ 4,/), expect.not.stringMatching(/ 4,/)]);
  });

  it('is found although the permission that the wallet names is not there, or not the key’s', () => {
    const shown = account([{ id: 3, operations: BROAD, keys: { [HOT]: 1 } }]);
    expect(powerOf(HOT, shown)).toEqual([expect.stringContaining('permission 3, where the key is too')]);
    expect(findMissing(judged(HOT, shown))).toMatchObject([{ kind: 'missing_permission' }]);
  });
});
