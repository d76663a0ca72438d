import { StakeAdminService } from '../../../src/admin/stake-admin.service';
import { OperationRepository } from '../../../src/stake-care/operation.repository';
import { ensureBuild } from '../../support/build';
import { findInMemory, formsOf } from '../../support/process-memory';
import type { ServiceChild } from '../../support/service-child';
import { until } from '../../support/until';
import { ANN, SignerWorld } from './signer-world';

describe.each(['socket', 'tls'] as const)('the memory of a service that reaches its signer by %s', (listens) => {
  let signed: SignerWorld;
  beforeAll(async () => {
    ensureBuild();
    signed = await SignerWorld.open({ backgroundWork: false, listens });
    await signed.careForStake();
  });
  afterAll(() => signed.close());

  /** The owners' keys too, by which nothing is signed any more. */
  function needles(): Record<string, Buffer> {
    const own = Object.entries(signed.keys).map(([id, { privateKey }]) => formsOf(id, privateKey!));
    const owners = signed.world.chain.accounts.map(({ role, private_key: key }) => formsOf(`owner of ${role}`, key));
    return Object.assign({}, ...own, ...owners) as Record<string, Buffer>;
  }

  async function work(service: ServiceChild): Promise<void> {
    const { world } = signed;
    await until('ready to sign', async () => (await fetch(`${service.url}/health/ready`)).status === 200);
    for (const active of [true, false]) {
      const receiver_address = await world.receiver(active);
      const body = { receiver_address, amount: 1, activate_address: !active };
      const answer = await world.delegate(await world.caller(), body, {}, service);
      expect([answer.status, answer.headers.get('x-error-code')]).toEqual([200, null]);
      const id = answer.headers.get('x-delegation-id')!;
      await world.untilState(id, 'delegated');
      const due = `update delegations set reclaim_due_at = now() - interval '1 hour' where id = $1 returning 1`;
      await world.query(due, [id]);
      await world.untilReclaimed(id);
    }
  }

  async function vote(): Promise<void> {
    const { app } = signed.world.app;
    // The wallet's own care may have voted just now: that is as good.
    await app
      .get(StakeAdminService)
      .vote(ANN, 'pool')
      .catch((error: unknown) => expect(String(error)).toContain('is under way'));
    await until('a final vote', async () => {
      const found = await app.get(OperationRepository).list(null, null);
      return found.some(({ kind, state }) => kind === 'vote' && state === 'final');
    });
  }

  it('holds none of the keys when the signer has all of them, whatever it has signed', async () => {
    const service = await signed.world.startProcess();
    await work(service);
    await vote();
    expect(findInMemory(service.process.pid!, needles())).toEqual([]);
    await service.stop('SIGTERM');
  });

  it('holds the key of a wallet that signs by a file, which is found', async () => {
    const { address, private_key: key } = signed.world.chain.accounts.find(({ role }) => role === 'pool')!;
    await signed.world.query(
      `update pool_wallets set key_source = $1, permission_id = 0 where address = $2 returning id`,
      [`file:${signed.world.keyFile('pool')}`, address],
    );
    const service = await signed.world.startProcess();
    await work(service);
    expect(findInMemory(service.process.pid!, formsOf('pool', key))).toContain('pool as hex');
    await service.stop('SIGTERM');
  });
});
