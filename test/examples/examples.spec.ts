import { createHmac, randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMPLE_PROGRAMS, type ExampleLanguage, languagesMissing } from '../../scripts/example-programs.mjs';
import { LossyLine } from '../support/lossy-line';
import { type Caller, OrderWorld } from '../support/order-world';
import type { Scripted } from '../support/scripted-service';
import { packPackage } from '../support/packed-package';
import { type ProgramResult, runProgram } from '../support/program';

type Command = readonly [string, ...string[]];
interface Example {
  readonly firstDelegation: Command;
  readonly verifyWebhook: Command;
  readonly cwd?: string;
  remove?(): void;
}

const EXAMPLES = join(__dirname, '..', '..', 'examples');

const prepare: Record<ExampleLanguage | 'typescript', () => Promise<Example>> = {
  curl: async () => ({
    firstDelegation: ['bash', join(EXAMPLES, 'curl', 'first-delegation.sh')],
    verifyWebhook: ['bash', join(EXAMPLES, 'curl', 'verify-webhook.sh')],
  }),
  python: async () => ({
    firstDelegation: ['python3', join(EXAMPLES, 'python', 'first_delegation.py')],
    verifyWebhook: ['python3', join(EXAMPLES, 'python', 'verify_webhook.py')],
  }),
  php: async () => ({
    firstDelegation: ['php', join(EXAMPLES, 'php', 'first-delegation.php')],
    verifyWebhook: ['php', join(EXAMPLES, 'php', 'verify-webhook.php')],
  }),
  async go() {
    const directory = mkdtempSync(join(tmpdir(), 'go-'));
    const env = { GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod' };
    const built = await runProgram(['go', 'build', '-o', `${directory}/`, './...'], { cwd: join(EXAMPLES, 'go'), env });
    expect(built).toEqual({ code: 0, stdout: '', stderr: '' });
    return {
      firstDelegation: [join(directory, 'first-delegation')],
      verifyWebhook: [join(directory, 'verify-webhook')],
      remove: () => rmSync(directory, { recursive: true }),
    };
  },
  async typescript() {
    const { directory, remove } = await packPackage('clients/typescript');
    for (const name of ['first-delegation.ts', 'verify-webhook.ts'])
      copyFileSync(join(EXAMPLES, 'typescript', name), join(directory, name));
    return {
      firstDelegation: [process.execPath, 'first-delegation.ts'],
      verifyWebhook: [process.execPath, 'verify-webhook.ts'],
      cwd: directory,
      remove,
    };
  },
};

/** Left out where the language is not there and nothing installs it; scripts/test.mjs has said so. */
function describeLanguage(language: ExampleLanguage | 'typescript', tests: () => void): void {
  const isMissing = language !== 'typescript' && languagesMissing().includes(language);
  const isInstalled = language === 'typescript' || EXAMPLE_PROGRAMS[language].packages.length > 0;
  if (isMissing && !(process.env['CI'] && isInstalled)) describe.skip(`examples/${language}`, tests);
  else describe(`examples/${language}`, tests);
}

let world: OrderWorld;
let line: LossyLine;
let serviceUrl: string;
beforeAll(async () => {
  world = await OrderWorld.open();
  line = new LossyLine(world.app.url);
  serviceUrl = await line.open();
});
afterAll(async () => {
  await line.close();
  await world.close();
});

for (const language of ['curl', 'typescript', 'python', 'php', 'go'] as const) {
  describeLanguage(language, () => {
    let example: Example;
    let caller: Caller;
    beforeAll(async () => {
      example = await prepare[language]();
      caller = await world.caller();
    });
    afterAll(() => example.remove?.());

    const order = (receiver: string): Promise<ProgramResult> =>
      runProgram(example.firstDelegation, {
        cwd: example.cwd,
        env: { SERVICE_URL: serviceUrl, API_TOKEN: caller.token, RECEIVER: receiver },
      });

    it('the first delegation is ordered once and final, though its first answer is lost', async () => {
      const receiver = await world.receiver();
      line.lose = 1;
      line.keys.length = 0;
      const { code, stdout, stderr } = await order(receiver);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) as string });
      const found = await world.query('select id, state, idempotency_key from delegations where receiver = $1', [
        receiver,
      ]);
      expect(found).toHaveLength(1);
      expect(stdout.trim()).toBe(`${String(found[0]!['id'])} delegated`);
      const key = found[0]!['idempotency_key'];
      expect([typeof key, line.keys]).toEqual(['string', [key, key]]);
    });

    it('a refusal ends it with the reason, and is not repeated', async () => {
      line.keys.length = 0;
      const { code, stderr } = await order(await world.receiver(false));
      expect([code, stderr]).toEqual([1, expect.stringContaining('RECEIVER_NOT_ACTIVATED')]);
      expect(line.keys).toHaveLength(1);
    });

    const AT_ONCE = { 'retry-after': '0' };
    const PAUSED: Scripted = { status: 501, headers: { ...AT_ONCE, 'x-error-code': 'PAUSED' } };
    const GATEWAY: Scripted[] = [
      { status: 504, headers: AT_ONCE, body: '<html>504 Gateway Time-out</html>' },
      { status: 200, headers: AT_ONCE, body: '' },
      { status: 503, headers: AT_ONCE, body: { message: 'Service Unavailable' } },
      { status: 200, headers: AT_ONCE, body: { success: true } },
    ];
    const ordersTo = (receiver: string) =>
      world.query('select id, idempotency_key from delegations where receiver = $1', [receiver]);

    it('the first delegation is found through answers of a gateway, of which none is taken for the service', async () => {
      const receiver = await world.receiver();
      line.keys.length = 0;
      line.instead.splice(0, Infinity, ...GATEWAY);
      const { code, stdout } = await order(receiver);
      const found = await ordersTo(receiver);
      expect([code, stdout.trim()]).toEqual([0, `${String(found[0]!['id'])} delegated`]);
      expect([found.length, line.keys]).toEqual([1, Array(5).fill(found[0]!['idempotency_key'])]);
    });

    it('a 200 with something else than the txid of an order does not count as an answer', async () => {
      const receiver = await world.receiver();
      const data = [{ id: 'another-order', state: 'delegated' }];
      line.instead.splice(0, Infinity, { status: 200, headers: AT_ONCE, body: { success: true, data } });
      const { code, stdout } = await order(receiver);
      expect([code, stdout.trim()]).toEqual([0, `${String((await ordersTo(receiver))[0]!['id'])} delegated`]);
    });

    // Python reads no number of more digits than 4,300, PHP no longer line than 1 KB.
    it.each([
      ['as large as a header bears', '9'.repeat(language === 'python' ? 5_000 : 500)],
      ['just beyond a count of nanoseconds', '9223372037'],
    ])('is told with its key at once where Retry-After is %s', async (_, after) => {
      const receiver = await world.receiver();
      line.instead.splice(0, Infinity, { status: 504, headers: { 'retry-after': after }, body: '' });
      const { code, stderr } = await order(receiver);
      const [placed] = await ordersTo(receiver);
      expect([code, stderr]).toEqual([1, expect.stringContaining('no answer') as string]);
      expect(stderr).toContain(String(placed!['idempotency_key']));
    });

    it('waits by itself where Retry-After is negative', async () => {
      const receiver = await world.receiver();
      for (const list of [line.cameAtMs, line.insteadAtMs]) list.length = 0;
      line.instead.splice(0, Infinity, { status: 504, headers: { 'retry-after': '-100' }, body: '' });
      expect((await order(receiver)).code).toBe(0);
      expect(line.cameAtMs).toHaveLength(2);
      expect(line.cameAtMs[1]! - line.insteadAtMs[0]!).toBeGreaterThan(200);
    });

    it('an answer that is cut off is asked for again', async () => {
      const receiver = await world.receiver();
      line.keys.length = 0;
      line.instead.splice(0, Infinity, null);
      expect((await order(receiver)).code).toBe(0);
      expect([line.keys.length, new Set(line.keys).size, (await ordersTo(receiver)).length]).toEqual([2, 1, 1]);
    });

    it.each<[string, Scripted[]]>([
      ['a gateway alone answers', [...GATEWAY, { status: 403, body: '<html>Access denied</html>' }]],
      [
        'a refusal follows that says nothing of it',
        [GATEWAY[0]!, { status: 401, headers: { 'x-error-code': 'UNAUTHENTICATED' } }],
      ],
      ['refusals follow at once, before that is certain', [GATEWAY[0]!, PAUSED, PAUSED, PAUSED, PAUSED]],
    ])('is told with its key, and not as refused, where %s', async (_, answers) => {
      const receiver = await world.receiver();
      line.instead.splice(0, Infinity, ...answers);
      const { code, stdout, stderr } = await order(receiver);
      const [placed, ...more] = await ordersTo(receiver);
      expect({ code, stdout, more }).toEqual({ code: 1, stdout: '', more: [] });
      expect(stderr).toContain('no answer');
      expect(stderr).toContain(String(placed!['idempotency_key']));
      expect(stderr).not.toContain('not charged');
      expect(line.instead).toEqual([]);
    });

    // The client waits for half a minute then (test/clients/lost-attempts.spec.ts).
    if (language !== 'typescript')
      it.each([400, 501])('is asked for again where a %d follows a lost attempt', async (status) => {
        const receiver = await world.receiver();
        const refusal = { status, headers: { 'x-error-code': 'RECEIVER_NOT_ACTIVATED' } };
        line.instead.splice(0, Infinity, GATEWAY[0]!, refusal);
        const { code, stdout } = await order(receiver);
        expect([code, stdout.trim()]).toEqual([0, `${String((await ordersTo(receiver))[0]!['id'])} delegated`]);
      });

    // The others look again for two minutes, whatever is answered.
    if (language === 'typescript')
      it.each<[string, Scripted]>([
        ['refused', { status: 401, headers: { 'x-error-code': 'UNAUTHENTICATED' }, body: { error: 'x' } }],
        [
          'limited',
          { status: 429, headers: { 'x-error-code': 'RATE_LIMITED', 'retry-after': '120' }, body: { error: 'x' } },
        ],
        ['lost by a gateway', { status: 504, headers: AT_ONCE, body: '<html>504 Gateway Time-out</html>' }],
      ])('an order that was placed is not told as not charged where its look-ups are %s', async (_, look) => {
        const receiver = await world.receiver();
        line.insteadOfLooks = look;
        const { code, stdout, stderr } = await order(receiver).finally(() => (line.insteadOfLooks = undefined));
        const [placed] = await world.query('select id, idempotency_key as key from delegations where receiver = $1', [
          receiver,
        ]);
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
        expect(stderr).toContain('state not known');
        expect(stderr).not.toContain('not charged');
        expect(stderr).toContain(`order ${String(placed!['id'])} (txid `);
        expect(stderr).toContain(String(placed!['key']));
      });

    describe('the check of a webhook', () => {
      const secret = `whsec_${randomBytes(32).toString('base64')}`;
      const body = '{"type":"delegation.delegated","timestamp":"2026-11-22T08:00:00Z","data":{"名":"é"}}';
      const now = () => Math.floor(Date.now() / 1000);

      const sign = (timestamp: number, by = secret, text = body): string => {
        const key = Buffer.from(by.slice('whsec_'.length), 'base64');
        return `v1,${createHmac('sha256', key).update(`msg_1.${timestamp}.${text}`).digest('base64')}`;
      };
      const verify = (signature: string, timestamp: number | string = now(), input = body): Promise<ProgramResult> =>
        runProgram(example.verifyWebhook, {
          cwd: example.cwd,
          env: {
            WEBHOOK_SECRET: secret,
            WEBHOOK_ID: 'msg_1',
            WEBHOOK_TIMESTAMP: String(timestamp),
            WEBHOOK_SIGNATURE: signature,
          },
          input,
        });
      const refused = { code: 1, stdout: '', stderr: expect.stringContaining('webhook-') as string };

      it('takes what was signed, with one secret or, while it is rotated, with two', async () => {
        const accepted = { code: 0, stdout: 'delegation.delegated\n' };
        const timestamp = now();
        const other = sign(timestamp, `whsec_${randomBytes(32).toString('base64')}`);
        expect(await verify(sign(timestamp), timestamp)).toMatchObject(accepted);
        expect(await verify(`${other} ${sign(timestamp)}`, timestamp)).toMatchObject(accepted);
        expect(await verify(`v1a,AAAA ${sign(timestamp)} ${other}`, timestamp)).toMatchObject(accepted);
      });

      it('refuses a changed body, another secret, another version and none', async () => {
        const timestamp = now();
        expect(await verify(sign(timestamp), timestamp, body.replace('delegated', 'failed'))).toEqual(refused);
        expect(await verify(sign(timestamp), timestamp, `${body}\n`)).toEqual(refused);
        const other = `whsec_${randomBytes(32).toString('base64')}`;
        expect(await verify(sign(timestamp, other), timestamp)).toEqual(refused);
        expect(await verify(sign(timestamp).replace('v1,', 'v2,'), timestamp)).toEqual(refused);
        expect(await verify('v1,', timestamp)).toEqual(refused);
      });

      it('refuses what is older or newer than five minutes, and a time that is none', async () => {
        for (const seconds of [-330, 330])
          expect(await verify(sign(now() + seconds), now() + seconds)).toEqual(refused);
        expect(await verify(sign(now()), `${now()}\n`)).toEqual(refused);
        expect(await verify(sign(now()), 'soon')).toEqual(refused);
      });
    });
  });
}
