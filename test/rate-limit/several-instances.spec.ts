import { OrderWorld } from '../support/order-world';
import type { ServiceChild } from '../support/service-child';
import { until } from '../support/until';

const LIMIT = 600;
const CALLERS = 60;

describe('a limit of 600 a minute that three instances share', () => {
  let world: OrderWorld;
  let instances: ServiceChild[];
  let token: string;
  let end: () => Promise<unknown>;
  beforeAll(async () => {
    const env = { RATE_LIMIT_STORE: 'postgres', RATE_LIMIT_PER_MINUTE: String(LIMIT) };
    world = await OrderWorld.open({ env, backgroundWork: false });
    instances = await Promise.all([world.startProcess(), world.startProcess(), world.startProcess()]);
  });
  beforeEach(async () => {
    token = (await world.caller({ balance: 1 })).token;
  });
  afterEach(() => end());
  afterAll(() => world.close());

  const call = (at: number) =>
    fetch(`${instances[at % 3]!.url}/api/chain/delegations?limit=1`, { headers: { authorization: `Bearer ${token}` } });

  /** So many callers at once who ask again as soon as they are answered, until told to stop. */
  function load() {
    const answers = { let: 0, refused: 0, other: 0, stop: false };
    const callers = Array.from({ length: CALLERS }, async (_, caller) => {
      for (let at = caller; !answers.stop; at++) {
        const response = await call(at);
        await response.arrayBuffer();
        if (response.status === 200) answers.let += 1;
        else if (response.status === 429) answers.refused += 1;
        else answers.other += 1;
      }
    });
    end = () => ((answers.stop = true), Promise.all(callers));
    return answers;
  }

  it('lets exactly 600 calls through, whichever instance gets them', async () => {
    const answers = load();
    await until('calls are refused', async () => answers.refused > 500);
    await end();
    expect(answers).toMatchObject({ let: LIMIT, other: 0 });
  });

  it('lets exactly 600 more through after each minute, though refused calls are under way when it ends', async () => {
    const answers = load();
    for (let minute = 1; minute <= 4; minute++) {
      const refused = answers.refused;
      await until('calls are refused', async () => answers.refused > refused + 300);
      expect(answers.let).toBe(minute * LIMIT);
      // The minute is over in the middle of the load.
      await world.query(
        `update rate_limit_windows set ends_at = clock_timestamp() + interval '20 milliseconds' returning 1`,
      );
      await until('the next minute', async () => answers.let > minute * LIMIT);
    }
    await end();
    expect(answers.other).toBe(0);
  });
});
