import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { closeSync, constants, mkdtempSync, openSync, open as openFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HashingQueue, TooManyPasswordsError } from '../../../src/auth/passwords/hashing-queue';
import { PasswordService } from '../../../src/auth/passwords/password.service';
import { ApiTokenService } from '../../../src/auth/tokens/api-token.service';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const PIPE = join(mkdtempSync(join(tmpdir(), 'hashing-')), 'pipe');
let isHeld = false;
let begun = 0;

const { argon2, scrypt } = crypto;

/** A hash that takes a thread of the process's pool, as argon2 does, and keeps it until the test writes to the pipe. */
const holdable: typeof argon2 = (algorithm, parameters, callback) => {
  if (!isHeld) return argon2(algorithm, parameters, callback);
  begun += 1;
  openFile(PIPE, 'r', (_, descriptor) => {
    closeSync(descriptor);
    argon2(algorithm, parameters, callback);
  });
};

describe('a flood of sign-ins from many networks', () => {
  let service: TestApp;

  beforeAll(async () => {
    execFileSync('mkfifo', [PIPE]);
    jest.spyOn(crypto, 'argon2').mockImplementation(holdable);
    service = await createTestApp({ backgroundWork: false, env: { TRUST_PROXY: 'loopback' } });
  });
  afterAll(() => service.close());

  const from = (n: number) => new PanelClient(service.url, { 'X-Forwarded-For': `10.3.${n >> 8}.${n & 255}` });

  it('leaves threads to everybody else, answers who is too many with a page, and lets in a known browser first', async () => {
    const user = await insertPanelUser(service);
    const { token } = await service.app
      .get(ApiTokenService)
      .create({ userId: user.id, name: 'x', permissions: ['balance'] });
    const known = from(900);
    await known.signIn(user.email, user.password);
    known.cookies.delete('panel_session');
    isHeld = true;
    const flood = Array.from({ length: 60 }, async (_, n) => (await from(n).signIn(`u${n}@example.com`, 'x')).status);
    let refused = 0;
    for (const one of flood) void one.then((status) => (refused += status === 503 ? 1 : 0));
    await until('the share is taken and the queue full', () => Promise.resolve(refused === 19 && begun === 1));
    // Each of these needs a thread of the pool.
    const [address, text] = await Promise.all([
      lookup('localhost'),
      readFile(__filename, 'utf8'),
      promisify<string, string, number, unknown>(scrypt)('a', 'b', 16),
    ]);
    expect([address.address !== '', text !== '']).toEqual([true, true]);
    const api = await fetch(`${service.url}/api/user/balance`, { headers: { Authorization: `Bearer ${token}` } });
    expect(api.status).toBe(200);
    const busy = await from(901).signIn('late@example.com', 'x');
    expect(busy.status).toBe(503);
    expect(busy.headers.get('retry-after')).toBe('5');
    expect(busy.text).toContain('Too many sign-ins at this moment');
    const order: string[] = [];
    const own = known.signIn(user.email, user.password).then(({ status }) => order.push(`known ${status}`));
    for (const one of flood) void one.then((status) => status === 401 && order.push('stranger'));
    await until('the known one waits', () => Promise.resolve(service.app.get(HashingQueue).waitingOf('known') === 1));
    isHeld = false;
    // Whoever opens it for writing lets the held one go.
    closeSync(openSync(PIPE, constants.O_WRONLY));
    await Promise.all([...flood, own]);
    // Second in the queue; its answer takes a session, meanwhile a stranger or two are answered.
    expect(order[0]).toBe('stranger');
    expect(order.slice(0, 6)).toContain('known 303');
    expect(order).toHaveLength(42);
  });

  it('of one user takes ten places, and leaves the others to everybody else', async () => {
    const [greedy, other] = [await insertPanelUser(service), await insertPanelUser(service)];
    const waitingOf = () => service.app.get(HashingQueue).waitingOf('known');
    const passwords = service.app.get(PasswordService);
    const before = begun;
    isHeld = true;
    const looks = Array.from({ length: 40 }, () => passwords.verify(greedy.id, greedy.password));
    const verdicts = Promise.allSettled(looks);
    let refused = 0;
    const countRefused = (tries: readonly Promise<unknown>[]) =>
      tries.forEach((one) => void one.catch(() => (refused += 1)));
    countRefused(looks);
    await until('one is looked at, nine wait', () => Promise.resolve(begun === before + 1 && waitingOf() === 9));
    // One that came only after the first were looked at would find a place.
    await until('the other thirty are refused', () => Promise.resolve(refused === 30));
    // Chosen passwords, and those typed by strangers, are counted for their user as well.
    await expect(passwords.hash('four words are enough', greedy.id, [])).rejects.toThrow(TooManyPasswordsError);
    const sameStranger = Array.from({ length: 12 }, () => passwords.findUser(greedy.email, 'x'));
    const strangers = Promise.allSettled(sameStranger);
    countRefused(sameStranger);
    await until('ten strangers wait', () =>
      Promise.resolve(service.app.get(HashingQueue).waitingOf('stranger') === 10),
    );
    await until('two are refused', () => Promise.resolve(refused === 32));
    const own = passwords.verify(other.id, other.password);
    await until('the other one waits', () => Promise.resolve(waitingOf() === 10));
    isHeld = false;
    closeSync(openSync(PIPE, constants.O_WRONLY));
    expect(await own).toMatchObject({ userId: other.id });
    const done = (await verdicts).filter(({ status }) => status === 'fulfilled');
    expect(done).toHaveLength(10);
    expect((await strangers).filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    // The places are free again.
    for (let n = 0; n < 11; n++) expect(await passwords.verify(greedy.id, greedy.password)).not.toBeNull();
  });

  it('takes nobody’s attempts away: who was not looked at has all five left', async () => {
    const queue = service.app.get(HashingQueue);
    const run = jest.spyOn(queue, 'run').mockRejectedValue(new TooManyPasswordsError());
    const user = await insertPanelUser(service);
    for (let n = 0; n < 6; n++) expect((await from(950).signIn(user.email, user.password)).status).toBe(503);
    run.mockRestore();
    expect((await from(950).signIn(user.email, user.password)).status).toBe(303);
  });
});
