import { join } from 'node:path';
import { ensureBuild } from '../support/build';
import { Child } from '../support/child';
import { freePort } from '../support/free-port';
import { OrderWorld } from '../support/order-world';
import { until } from '../support/until';

/** More lines than a pipe, its reader and the service's own bound take. */
const LOOKS = 3_000;
const AT_ONCE = 20;

describe('a service whose log', () => {
  let world: OrderWorld;
  const children: Child[] = [];
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 200, backgroundWork: false });
  });
  afterAll(async () => {
    await Promise.all(children.map((child) => child.interrupt()));
    await world.close();
  });

  it('is not read any more answers, and says how many lines are missing once it is read again', async () => {
    const service = await world.startProcess({ LOG_LEVEL: 'info' });
    const { token } = await world.caller();
    service.process.stdout!.pause();
    const look = async () => {
      const answer = await fetch(`${service.url}/api/user/token`, { headers: { authorization: `Bearer ${token}` } });
      await answer.arrayBuffer();
      return answer.status;
    };
    const looks = Array.from({ length: AT_ONCE }, async () => {
      for (let done = 0; done < LOOKS / AT_ONCE; done++) expect(await look()).toBe(200);
    });
    await Promise.all(looks);
    service.process.stdout!.resume();
    const [, missing] = await until('the log says so', async () => {
      await look();
      return /"count":(\d+),"msg":"log lines left out"/.exec(service.stdout);
    });
    const lines = service.stdout.trim().split('\n');
    const written = lines.filter((line) => line.includes('"path":"/api/user/token"')).length;
    expect(written).toBeGreaterThan(1_000);
    expect(written + Number(missing)).toBeGreaterThanOrEqual(LOOKS);
    for (const line of lines.filter((one) => one.startsWith('{'))) JSON.parse(line);
    expect((await service.stop('SIGTERM')).code).toBe(0);
  });

  it.each(['| true', '2>&1 | true', '>/dev/full', '>&- 2>&-'])(
    'goes where nothing takes it (%s) starts and answers',
    async (where) => {
      const port = await freePort();
      const script = `"$0" "$1" ${where}`;
      const main = join(ensureBuild(), 'src/main.js');
      const settings = { DATABASE_URL: world.database.url, TRON_FULL_NODE_URLS: world.chain.url, PORT: String(port) };
      const child = new Child(['-c', script, process.execPath, main], settings, undefined, { program: 'bash' });
      children.push(child);
      const answers = async () => (await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => null))?.ok;
      await until(`an answer (${where})`, answers);
      await until('another one', answers);
      expect(child.process.exitCode).toBeNull();
    },
  );
});
