import { StakeAdminService } from '../../../src/admin/stake-admin.service';
import { OperationRepository } from '../../../src/stake-care/operation.repository';
import { until } from '../../support/until';
import { ANN, SignerWorld } from './signer-world';

const codeOf = ({ headers }: { headers: Headers }) => headers.get('x-error-code');

/** What the service does with keys: orders are placed, settled, taken back, receivers activated, stake is cared for. */
export function ordersConform(options: Parameters<typeof SignerWorld.open>[0]): void {
  let signed: SignerWorld;
  beforeAll(async () => {
    signed = await SignerWorld.open(options);
  });
  afterAll(() => signed.close());

  async function place(active: boolean): Promise<string> {
    const { world } = signed;
    const receiver_address = await world.receiver(active);
    const body = { receiver_address, amount: 1, activate_address: !active };
    const answer = await world.delegate(await world.caller(), body);
    expect([answer.status, codeOf(answer)]).toEqual([200, null]);
    return answer.headers.get('x-delegation-id')!;
  }

  it('places an order, settles it and takes it back', async () => {
    const { world } = signed;
    const id = await place(true);
    await world.untilState(id, 'delegated');
    await world.query(`update delegations set reclaim_due_at = now() - interval '1 hour' where id = $1 returning 1`, [
      id,
    ]);
    await world.untilReclaimed(id);
    const kinds = signed.signer.lines().map(({ key, kind }) => `${key} ${kind}`);
    expect(kinds).toEqual(['pool DelegateResourceContract', 'pool UnDelegateResourceContract']);
  });

  it('places orders of the same moment', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => place(true)));
    for (const id of ids) await signed.world.untilState(id, 'delegated');
  });

  it('activates a receiver first', async () => {
    const id = await place(false);
    await signed.world.untilState(id, 'delegated');
    expect(signed.signer.lines().filter(({ key }) => key === 'activate')).toHaveLength(1);
  });

  it('cares for the stake: a vote, and an unfreezing', async () => {
    const { app } = signed.world.app;
    await signed.careForStake();
    const admin = app.get(StakeAdminService);
    await admin.vote(ANN, 'pool');
    await admin.unfreeze(ANN, 'pool', 1_000_000n, 'energy');
    const all = await until('both carried out', async () => {
      const found = await app.get(OperationRepository).list(null, null);
      return found.every(({ state }) => ['final', 'failed'].includes(state)) && found;
    });
    expect(all.map(({ kind, state }) => `${kind} ${state}`).toSorted()).toEqual(['unfreeze final', 'vote final']);
    const kinds = signed.signer.lines().filter(({ key }) => key === 'care');
    expect(kinds.map(({ kind }) => kind)).toEqual(['VoteWitnessContract', 'UnfreezeBalanceV2Contract']);
  });

  it('leaves chain, orders and money in agreement', async () => {
    const { findings } = await signed.world.audit();
    // The keys got their permissions by hand.
    const found = findings.filter(({ parameters }) => parameters['act'] !== 'permission_change');
    expect(found).toEqual([]);
  });
}
