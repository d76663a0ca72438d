import { randomUUID } from 'node:crypto';
import { ApiTokenService } from '../../src/auth/tokens/api-token.service';
import { TokenListRepository } from '../../src/auth/tokens/token-list.repository';
import { DomainError } from '../../src/common/errors/domain.error';
import { UserService } from '../../src/users/user.service';
import { createTestApp, type TestApp } from '../support/test-app';

describe('users and their tokens', () => {
  let service: TestApp;
  let users: UserService;
  let tokens: ApiTokenService;

  beforeAll(async () => {
    service = await createTestApp();
    users = service.app.get(UserService);
    tokens = service.app.get(ApiTokenService);
  });
  afterAll(() => service.close());

  it.each(['', 'nobody', 'a@b', 'a b@example.com', 'a@example.com, b@example.com'])(
    'refuses %j as an e-mail address',
    async (email) => {
      await expect(users.create(email, { name: 'A' })).rejects.toThrow(DomainError);
    },
  );

  // An accent as a letter of its own; a mark that turns the line round, a blank without width, a bell.
  const [apart, together] = ['Jose\u0301', 'Jos\u00e9'];
  const unseen = ['\u202e', '\u200b', '\u0007', '\u00ad', '\ufeff'];

  it('takes addresses and names in one spelling of their accents, and finds them by each', async () => {
    const made = await users.create(`${apart}@example.com`, { name: ` ${apart} ` });
    expect(made).toMatchObject({ email: `${together.toLowerCase()}@example.com`, name: together });
    for (const typed of [apart, together])
      expect(await users.get(`${typed}@example.com`)).toMatchObject({ id: made.id });
    await expect(users.create(`${together}@example.com`, { name: 'B' })).rejects.toThrow('already a user');
    const { row } = await tokens.create({ userId: made.id, name: apart, permissions: ['balance'] });
    expect(row.name).toBe(together);
  });

  it.each(unseen)('refuses %j, which no reader sees, in an address and in names', async (character) => {
    const { id: userId, email } = await users.create(`${randomUUID()}@example.com`, { name: 'A' });
    await expect(users.create(`a${character}b@example.com`, { name: 'A' })).rejects.toThrow('not an e-mail address');
    await expect(users.create('seen@example.com', { name: `A${character}B` })).rejects.toThrow('control or format');
    await expect(users.update(email, { name: `A${character}B` })).rejects.toThrow('control or format');
    const token = { userId, name: `A${character}B`, permissions: ['balance'] };
    await expect(tokens.create(token)).rejects.toThrow('control or format');
  });

  it('refuses a second user of the same address in other letters', async () => {
    await users.create('Twice@Example.com', { name: 'A' });
    await expect(users.create(' twice@example.COM ', { name: 'B' })).rejects.toThrow('already a user');
  });

  it.each([1_999_999n, 2_500_001n, 0n, -2_000_000n])(
    'refuses a unit price of %s sun, and makes no user either',
    async (unitPriceSun) => {
      const email = `price${unitPriceSun}@example.com`;
      await expect(users.create(email, { name: 'A', unitPriceSun })).rejects.toThrow('2 to 2.5 native units');
      await expect(users.get(email)).rejects.toThrow('unknown user');
    },
  );

  it.each([0, -1, 1.5, Number.NaN, 2 ** 31])('refuses a rate limit of %d', async (rateLimitPerMinute) => {
    await expect(users.create(`${randomUUID()}@example.com`, { name: 'A', rateLimitPerMinute })).rejects.toThrow(
      'a rate limit must be',
    );
  });

  it('creates a user with the account that will pay', async () => {
    const email = 'all@example.com';
    const settings = { name: ' All ', operator: true, unitPriceSun: 2_250_000n, rateLimitPerMinute: 120 };
    const user = await users.create(email, settings);
    expect(user).toMatchObject({ ...settings, name: 'All', email, disabledAt: null, balanceSun: 0n });
    expect(await users.list()).toContainEqual(user);
  });

  it('changes only what is given', async () => {
    const email = 'changes@example.com';
    await users.create(email, { name: 'A', unitPriceSun: 2_000_000n, rateLimitPerMinute: 5 });
    await users.update(email, { name: 'B' });
    expect(await users.get(email)).toMatchObject({ name: 'B', unitPriceSun: 2_000_000n, rateLimitPerMinute: 5 });
    await users.update(email, { unitPriceSun: null, rateLimitPerMinute: null });
    expect(await users.get(email)).toMatchObject({ unitPriceSun: null, rateLimitPerMinute: null });
    await expect(users.update('nobody@example.com', {})).rejects.toThrow('unknown user');
  });

  it.each([[[]], [['delegate', 'admin']], [['Delegate']]])(
    'refuses a token with permissions %j',
    async (permissions) => {
      const { id: userId } = await users.create(`${randomUUID()}@example.com`, { name: 'A' });
      await expect(tokens.create({ userId, name: 'x', permissions })).rejects.toThrow('permissions must be');
    },
  );

  it('lists, renames and revokes tokens of their owner only', async () => {
    const owner = await users.create('owner@example.com', { name: 'A' });
    const { row } = await tokens.create({ userId: owner.id, name: 'first', permissions: ['balance', 'delegate'] });
    for (const id of [row.id, randomUUID(), 'no uuid']) {
      await expect(tokens.revoke(id, id === row.id ? randomUUID() : undefined)).rejects.toThrow('unknown token');
    }
    await tokens.rename(row.id, 'second', owner.id);
    const { revokedAt } = await tokens.revoke(row.id, owner.id);
    await tokens.revoke(row.id);
    expect(await service.app.get(TokenListRepository).page(owner.id)).toMatchObject([
      { id: row.id, name: 'second', prefix: row.prefix, permissions: ['delegate', 'balance'], revokedAt },
    ]);
  });
});
