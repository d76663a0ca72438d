import { RememberedFinal } from '../../../src/chain/verified-chain/remembered-final';
import { ChainIdentityRepository } from '../../../src/chain/tron/node/chain-identity.repository';
import { HeaderChain } from '../../../src/chain/proof/header-chain';
import type { BlockHeader } from '../../../src/chain/proof/block-header';
import { NodeJudge } from '../../../src/chain/proof/judge';
import { DatabaseIdentity } from '../../../src/database/identity/database-identity';
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
  const pause = { last: 40, ms: 10 * MINUTE_MS };
  beforeAll(async () => {
    app = await createTestApp({ backgroundWork: false });
    [identity, memory] = [app.app.get(DatabaseIdentity), app.app.get(ChainIdentityRepository)];
    await memory.claim(idOf(0));
  });
  afterAll(() => app.close());

  /** A start after the pause, when the chain has gone on and none of its later blocks is final yet; what was lent is compared. */
  async function begun(): Promise<RememberedFinal> {
    await app.sql.execute({
      name: 'test_forget',
      text: 'update chain_identity set final_number = null, final_id = null',
    });
    const none = 'update database_identity set compared_from = null, compared_block = null';
    await app.sql.execute({ name: 'test_none', text: none });
    const remembered = new RememberedFinal(memory, identity);
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
    expect(await remembered.keep(chainTo(55, pause))).toBe(true);
    expect(await identity.needsComparing()).toBe(true);
  });
});
