import type { BlockHeader } from '../../../src/chain/proof/block-header';
import { HeaderChain } from '../../../src/chain/proof/header-chain';
import { type Judge, NodeJudge, SignatureJudge } from '../../../src/chain/proof/judge';

const HOUR_MS = 3_600_000;
const NOW_MS = 1_800_000_000_000;
const names = (n: number) => Array.from({ length: n }, (_, at) => `w${String(at).padStart(2, '0')}`);
const signatures = (n: number) =>
  new SignatureJudge(names(n).map((address) => ({ address, signing_address: `k-${address}` })));
/** Says of the second block that it is solid, whatever comes later: a view that stands still. */
function nodes(): Judge {
  const judge = new NodeJudge();
  judge.solid = { number: 2, id: 'b2' } as NodeJudge['solid'];
  return judge;
}

/** From genesis on, in the witnesses' turn, by the milliseconds between blocks. */
class Made {
  readonly chain: HeaderChain;

  constructor(
    private readonly n: number,
    judge: Judge,
  ) {
    this.chain = new HeaderChain(this.header(0, 0, null), judge);
  }

  make(count: number, intervalMs = 3_000, maker?: string): this {
    for (let made = 0; made < count; made++) {
      const { number, timeMs } = this.chain.head;
      const by = maker ?? names(this.n)[number % this.n]!;
      this.chain.extend([this.header(number + 1, (timeMs || NOW_MS) + intervalMs, by)]);
    }
    return this;
  }

  private header(number: number, timeMs: number, witness: string | null): BlockHeader {
    const signer = witness && `k-${witness}`;
    return { number, id: `b${number}`, parentId: `b${number - 1}`, timeMs, root: '', witness, signer, signed: null };
  }
}

describe.each([
  ['signatures', signatures],
  ['nodes', nodes],
])('the time that is followed, by %s', (_, judgeOf) => {
  it.each([1, 2, 3, 4, 27])('is the head’s where blocks come in their time: %d witnesses, three seconds', (n) => {
    const { chain } = new Made(n, judgeOf(n)).make(3 * n);
    expect(chain.headTimeMs).toBe(chain.head.timeMs);
  });

  it('is the head’s where 27 witnesses make a block in ten seconds, with the final one more than three minutes back', () => {
    const { chain } = new Made(27, judgeOf(27)).make(81, 10_000);
    expect(chain.head.timeMs - chain.final!.timeMs).toBeGreaterThan(180_000);
    expect(chain.headTimeMs).toBe(chain.head.timeMs);
  });

  it.each([
    [2, 1],
    [3, 1],
    [4, 1],
    [27, 8],
  ])('%d witnesses: an hour ahead, it follows once one more than %d have built there', (n, fewer) => {
    const { chain } = new Made(n, judgeOf(n)).make(3 * n);
    const before = chain.head.timeMs;
    const made = new Made(n, judgeOf(n)).make(3 * n).make(1, HOUR_MS);
    expect(made.chain.headTimeMs).toBeLessThanOrEqual(before + 120_000);
    made.make(fewer - 1);
    expect(made.chain.headTimeMs).toBeLessThanOrEqual(before + 120_000);
    made.make(1);
    expect(made.chain.headTimeMs).toBe(made.chain.head.timeMs);
  });

  it('one witness alone moves nothing, however many blocks it makes', () => {
    const made = new Made(27, judgeOf(27)).make(81);
    const before = made.chain.head.timeMs;
    made.make(1, HOUR_MS, 'w00').make(60, 3_000, 'w00');
    expect(made.chain.headTimeMs).toBeLessThanOrEqual(before + 120_000);
  });

  it('is the head’s while a chain is so young that no witness vouches for anything', () => {
    const { chain } = new Made(27, judgeOf(27)).make(1);
    expect(chain.headTimeMs).toBe(chain.head.timeMs);
  });
});
