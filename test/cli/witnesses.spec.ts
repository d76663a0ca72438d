import { OrderWorld } from '../support/order-world';
import { SharedCommandLine } from '../support/shared-command-line';
import { until } from '../support/until';

interface Listed {
  readonly address: string;
  readonly signing_address: string;
  readonly used: boolean;
  readonly offered: boolean | null;
  readonly digest: string | null;
}

describe('what an operator accepts of the chain', () => {
  let world: OrderWorld;
  let cli: SharedCommandLine;
  beforeAll(async () => {
    world = await OrderWorld.open();
    cli = SharedCommandLine.on(world.database.url, { TRON_FULL_NODE_URLS: world.chain.url });
    await until('the set read', async () => (await list()).length === 4);
  });
  afterAll(() => Promise.all([cli.close(), world.close()]));

  const list = () => cli.json<Listed[]>('witnesses:list');
  const stranger = { address: `41${'1'.repeat(40)}`, signing_address: `41${'2'.repeat(40)}` };
  /** As nodes do that disagree, all but the first and a stranger. */
  async function offer(): Promise<void> {
    const offered = [...(await list()).filter(({ used }) => used).slice(1), stranger];
    const set = offered.map(({ address, signing_address }) => ({ address, signing_address }));
    await world.query(`update witness_set set offered = $1, offered_at = now() returning id`, [JSON.stringify(set)]);
  }

  it('is a set only by the digest with which witnesses:list shows it', async () => {
    expect((await list()).every(({ digest, offered }) => digest === null && offered === null)).toBe(true);
    expect(await cli.run('witnesses:accept')).toMatchObject({ exitCode: 2 });
    expect(await cli.run('witnesses:accept', 'ab')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no other set'),
    });
    await offer();
    const shown = await list();
    const [{ digest } = { digest: null }] = shown;
    expect(digest).toMatch(/^[0-9a-f]{32}$/);
    expect(shown.every((one) => one.digest === digest)).toBe(true);
    for (const other of ['ab', `${digest!.slice(0, -1)}x`, `${digest}0`]) {
      const refused = await cli.run('witnesses:accept', other);
      expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining(digest!)]);
    }
    // The same witnesses with another key of one of them.
    await world.query(
      `update witness_set set offered = jsonb_set(offered, '{0,signing_address}', to_jsonb($1::text)) returning id`,
      [stranger.signing_address],
    );
    expect((await cli.run('witnesses:accept', digest!)).exitCode).toBe(1);
    expect((await list()).filter(({ used }) => used)).not.toContainEqual(expect.objectContaining(stranger));
    const [now] = await list();
    expect(now!.digest).not.toBe(digest);
    expect(await cli.json('witnesses:accept', now!.digest!)).toMatchObject({ witnesses: 4 });
    expect((await list()).filter(({ used }) => used)).toContainEqual(expect.objectContaining(stranger));
  });

  it('is a branch only by a block of it', async () => {
    expect(await cli.run('chain:accept-branch')).toMatchObject({ exitCode: 2 });
    expect((await cli.run('chain:accept-branch', 'ab'.repeat(32))).exitCode).toBe(1);
  });

  it('is a block only where its transactions cannot be proved', async () => {
    for (const height of [[], ['x'], ['0'], ['1', '2']])
      expect(await cli.run('chain:accept-block', ...height)).toMatchObject({ exitCode: 2 });
    const { exitCode, stderr } = await cli.run('chain:accept-block', '1');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('can be proved')]);
  });
});
