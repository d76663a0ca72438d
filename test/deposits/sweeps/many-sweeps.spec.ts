import { ReferenceBlocks } from '../../../src/chain/verified-chain/reference-blocks';
import { HeldLock } from '../../support/held-lock';
import { NodeProxy } from '../../support/node-proxy';
import { stopTurns } from '../../support/scheduled-turns';
import { until } from '../../support/until';
import { SweepWorld } from './sweep-world';

const HOUR_MS = 3_600_000;
/** Four are asked about at once, and each is given up after three seconds: 75 seconds. */
const MANY = 100;

/** One that was not sent is due again a minute later, long before a slow node has been asked about the last one. */
describe('while more sweeps wait than a slow node is asked about in a minute', () => {
  let sweeps: SweepWorld;
  let node: NodeProxy;
  beforeAll(async () => {
    sweeps = await SweepWorld.open({
      time: 'virtual',
      nodeUrl: (url) => {
        node = new NodeProxy(url);
        return node.open();
      },
    });
    await stopTurns(sweeps.world.app.app);
  });
  afterEach(async () => {
    node.before = () => undefined;
    await sweeps.world.query(`update deposit_sweeps set state = 'expired' where state = 'signed' returning 1`);
  });
  afterAll(async () => {
    await sweeps.close();
    await node.close();
  });

  const headTimeMs = () => sweeps.world.app.app.get(ReferenceBlocks).lastTimeMs()!;
  /** Whether those that wait were looked at, in the order of their ids. */
  const looked = async () =>
    (
      await sweeps.world.query(
        `select waits_until is not null as looked, error from deposit_sweeps where state = 'signed' order by id`,
      )
    ).map((row) => row['looked'] === true && row['error'] !== null);
  const asksForResources = (route: string) => route === 'wallet/getaccountresource';

  it('a run of sending ends: what it has deferred is left to the next one', async () => {
    await sweeps.unknown(MANY, 8_000, { state: 'signed', expirationMs: headTimeMs() + 12 * HOUR_MS });
    node.before = ({ route }) => (asksForResources(route) ? NodeProxy.HANG() : undefined);
    await sweeps.sendWithBlocks();
    expect(await looked()).toEqual(Array.from({ length: MANY }, () => true));
    const again = `select 1 from deposit_sweeps where state = 'signed' and waits_until < clock_timestamp()`;
    expect((await sweeps.world.query(again)).length).toBeGreaterThan(0);
  });

  it('a run looks at four hundred, and judging has its turn before the others', async () => {
    await sweeps.unknown(410, 9_000, { state: 'signed', expirationMs: headTimeMs() + 12 * HOUR_MS });
    await sweeps.sendWithBlocks();
    expect(await looked()).toEqual(Array.from({ length: 410 }, (_, at) => at < 400));
  });

  it('none is claimed that has expired since the run began', async () => {
    await sweeps.unknown(40, 10_000, { state: 'signed', expirationMs: headTimeMs() + 12 * HOUR_MS });
    const expiresAtMs = headTimeMs() + HOUR_MS;
    await sweeps.unknown(5, 11_000, { state: 'signed', expirationMs: expiresAtMs });
    // What the first claim has is not deferred until the time is past.
    let held: Promise<HeldLock> | undefined;
    const claimed = `select 1 from deposit_sweeps where state = 'signed' and waits_until is not null for update`;
    node.before = async ({ route }) => {
      if (asksForResources(route)) await (held ??= HeldLock.take(sweeps.world.database.url, claimed));
    };
    const sending = sweeps.send();
    const lock = await until('the first claim', async () => held);
    await sweeps.later(2 * HOUR_MS);
    await until('its expiration past', async () => headTimeMs() > expiresAtMs);
    await lock.release();
    await sending;
    expect(await looked()).toEqual(Array.from({ length: 45 }, (_, at) => at < 40));
  });
});
