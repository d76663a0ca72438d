import { RememberedFinal } from '../../../src/chain/verified-chain/remembered-final';
import { ChainIdentityRepository } from '../../../src/chain/tron/node/chain-identity.repository';
import { HeaderChain } from '../../../src/chain/proof/header-chain';
import type { BlockHeader } from '../../../src/chain/proof/block-header';
import { NodeJudge } from '../../../src/chain/proof/judge';
import { DatabaseIdentity } from '../../../src/database/identity/database-identity';
import { MovableClock } from '../../support/movable-clock';
import { createTestApp, type TestApp } from '../../support/test-app';

const WAIT_MS = 90_000;
const MINUTE_MS = 60_000;

function idOf(number: number): string {
  return number.toString(16).padStart(16, '0') + 'ab'.repeat(24);
}
/** A chain that stood still for a while: its blocks up to `last` are of before that. */
function chainTo(final: number, pause: { readonly last: number; readonly ms: number }): HeaderChain {
  const judge = new NodeJudge();
  const now = Date.now();
  const header = (number: number) =>
    ({
      number,
      id: idOf(number),
      parentId: idOf(number - 1),
      timeMs: now - (final + 20 - number) * 3_000 - (number <= pause.last ? pause.ms : 0),
    }) as BlockHeader;
  const chain = new HeaderChain(header(1), judge);
  judge.solid = { number: final, id: idOf(final), timeMs: 0 };
  chain.extend(Array.from({ length: final + 19 }, (_, at) => header(at + 2)));
  return chain;
}

describe('a comparison with the chain that has begun', () => {
  let app: TestApp;
  let identity: DatabaseIdentity;
  let memory: ChainIdentityRepository;
  const clock = new MovableClock();
  const pause = { last: 40, ms: 10 * MINUTE_MS };
  beforeAll(async () => {
    app = await createTestApp({ backgroundWork: false });
    [identity, memory] = [app.app.get(DatabaseIdentity), app.app.get(ChainIdentityRepository)];
    await memory.claim(idOf(0));
  });
  afterAll(() => app.close());

  async function forget(): Promise<void> {
    const noFinal = 'update chain_identity set final_number = null, final_id = null, final_at = null';
    await app.sql.execute({ name: 'test_forget', text: noFinal });
    const none = `update database_identity set compared_from = null, compared_block = null,
      timeline = left(pg_walfile_name(pg_current_wal_lsn()), 8)`;
    await app.sql.execute({ name: 'test_none', text: none });
  }

  /** A start after the pause, when the chain has gone on and none of its later blocks is final yet; what was lent is compared. */
  async function begun(): Promise<RememberedFinal> {
    await forget();
    const remembered = new RememberedFinal(memory, identity, clock);
    const chain = chainTo(30, pause);
    await memory.rememberFinal(chain.at(20)!, null);
    await remembered.keep(chain);
    expect(await identity.needsComparing()).toBe(true);
    expect(await identity.beginComparing({ number: chain.head.number, timeMs: Date.now() }, WAIT_MS)).toBe(true);
    return remembered;
  }

  it('begins once, although the next final block is of after a pause that it began behind', async () => {
    const remembered = await begun();
    expect(await remembered.keep(chainTo(55, pause))).toBe(true);
    expect(await identity.needsComparing()).toBe(false);
  });

  it('begins again after a pause that came after it', async () => {
    const remembered = await begun();
    const ago = "update database_identity set compared_from = compared_from - interval '5 minutes'";
    await app.sql.execute({ name: 'test_ago', text: ago });
    clock.advance(4 * MINUTE_MS);
    expect(await remembered.keep(chainTo(55, pause))).toBe(true);
    expect(await identity.needsComparing()).toBe(true);
  });

  describe("while the database's clock is ten minutes ahead", () => {
    const calm = { last: 0, ms: 0 };
    /** As that clock shows it. */
    const aged: Pick<ChainIdentityRepository, 'findFinal' | 'rememberFinal'> = {
      findFinal: async () => {
        const stored = await memory.findFinal();
        return stored && { ...stored, ageMs: (stored.ageMs ?? 0) + 10 * MINUTE_MS };
      },
      rememberFinal: (final, seen) => memory.rememberFinal(final, seen),
    };
    const started = () => new RememberedFinal(aged as ChainIdentityRepository, identity, clock);
    beforeEach(forget);

    it('is not begun by a process that has kept blocks all the time', async () => {
      const remembered = started();
      for (const final of [30, 55, 80]) expect(await remembered.keep(chainTo(final, calm))).toBe(true);
      expect(await identity.needsComparing()).toBe(false);
    });

    it('is not begun by one that starts with a head of now, a minute after another has kept a block', async () => {
      await memory.rememberFinal(chainTo(55, calm).at(35)!, null);
      expect(await started().keep(chainTo(55, calm))).toBe(true);
      expect(await identity.needsComparing()).toBe(false);
    });

    it('is begun by one that starts where the chain, too, is long past the block that was kept', async () => {
      await memory.rememberFinal(chainTo(200, calm).at(100)!, null);
      expect(await started().keep(chainTo(200, calm))).toBe(true);
      expect(await identity.needsComparing()).toBe(true);
    });

    it('is begun by one that starts on a chain which its own clock, too, shows to be behind', async () => {
      const behind = { last: 1_000, ms: 10 * MINUTE_MS };
      await memory.rememberFinal(chainTo(55, behind).at(35)!, null);
      expect(await started().keep(chainTo(55, behind))).toBe(true);
      expect(await identity.needsComparing()).toBe(true);
    });
  });
});

describe('the final block in the database', () => {
  let app: TestApp;
  beforeAll(async () => (app = await createTestApp({ backgroundWork: false })));
  afterAll(() => app.close());

  it('is replaced by a newer one alone, and only while it is the one that was seen: no decision in between is undone', async () => {
    const memory = app.app.get(ChainIdentityRepository);
    await memory.claim(idOf(0));
    const block = (number: number) => ({ number, id: idOf(number) });
    const ofAnotherBranch = { number: 30, id: idOf(31) };
    expect(await memory.rememberFinal(block(30), null)).toBe(true);
    expect(await memory.rememberFinal(block(50), null)).toBe(false);
    expect(await memory.rememberFinal(block(50), ofAnotherBranch)).toBe(false);
    expect(await memory.rememberFinal(block(20), block(30))).toBe(false);
    expect(await memory.rememberFinal(block(40), block(30))).toBe(true);
    const accept = app.sql.transaction((tx) => memory.acceptFinal(ofAnotherBranch, block(30), tx));
    expect(await accept).toBe(false);
    expect(await memory.findFinal()).toMatchObject(block(40));
  });
});
