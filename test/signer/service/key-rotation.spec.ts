import { PoolAdminService } from '../../../src/admin/pool-admin.service';
import { CARING_AND_UNFREEZING, LENDING, setActives } from '../../support/restricted-key';
import { describeWith } from '../backends';
import { KmsBackend } from '../key-backends';
import { ANN, SignerWorld } from './signer-world';

/** The steps of docs/operations.md. */
describeWith('moto', 'a key in AWS KMS', (program) => {
  let signed: SignerWorld;
  beforeAll(async () => {
    signed = await SignerWorld.open({ backend: () => KmsBackend.open(program) });
  });
  afterAll(() => signed.close());

  async function lend(): Promise<string> {
    const { world } = signed;
    const answer = await world.delegate(await world.caller(), { receiver_address: await world.receiver(), amount: 1 });
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([200, null]);
    const id = answer.headers.get('x-delegation-id')!;
    await world.untilState(id, 'delegated');
    return id;
  }

  async function takeBack(id: string): Promise<void> {
    const due = `update delegations set reclaim_due_at = now() - interval '1 hour' where id = $1 returning 1`;
    await signed.world.query(due, [id]);
    await signed.world.untilReclaimed(id);
  }

  it('is replaced by another one, and what the old one has lent comes back by the new one', async () => {
    const { world, signer, keys } = signed;
    const permit = (pool: string | readonly string[]) =>
      setActives(world, [
        { operations: LENDING, key: pool },
        { operations: CARING_AND_UNFREEZING, key: keys.care.address },
      ]);
    const before = await lend();
    const next = await signed.backend.make('pool-2');
    const entry = { address: signed.address('pool'), permission_id: 2, role: 'delegate', source: next.source };
    signed.configure({}, {}, [{ id: 'pool-2', ...entry }]);
    await signer.stop();
    expect(await signed.startSigner()).toContain(
      `key pool-2: delegate for ${entry.address}, permission 2, signs as ${next.address}`,
    );
    await signed.look();
    await permit([keys.pool.address, next.address]);
    const between = await lend();
    await world.app.app
      .get(PoolAdminService)
      .updateWallet(ANN, 'pool', { keySource: 'signer:pool-2', permissionId: 2 });
    await permit(next.address);
    const after = await lend();
    for (const id of [before, between, after]) await takeBack(id);
    expect(signer.lines().map(({ key, kind }) => `${key} ${kind}`)).toEqual([
      'pool DelegateResourceContract',
      'pool DelegateResourceContract',
      'pool-2 DelegateResourceContract',
      'pool-2 UnDelegateResourceContract',
      'pool-2 UnDelegateResourceContract',
      'pool-2 UnDelegateResourceContract',
    ]);
  });
});
