import type { ConfiguredNodes } from '../../../../src/chain/tron/node/configured-nodes';
import { HedgedCalls } from '../../../../src/chain/tron/node/hedged-calls';
import { NodeClient } from '../../../../src/chain/tron/node/node-client';
import type { HttpReply } from '../../../../src/chain/tron/node/node-http';
import type { NodePool, NodeState } from '../../../../src/chain/tron/node/node-pool';
import { NodeTimes } from '../../../../src/chain/tron/node/node-times';
import type { SignedTransaction } from '../../../../src/chain/tron/node/signed-transaction';
import { Clock } from '../../../../src/common/clock';

const REFUSES = { code: 'SIGERROR', message: '' };
const TAKES = { result: true };
const HANGS_MS = 5_000;

describe('bytes that go to the next node because one is late', () => {
  const transaction = { txId: '0'.repeat(64), json: {} } as unknown as SignedTransaction;
  /** By node, what it answers and after how long. */
  async function broadcast(nodes: [answer: object, afterMs: number][], sending = {}) {
    const states = nodes.map((_, at) => ({ url: `http://node${at}:1` }) as NodeState);
    const over = new AbortController();
    const clock = new Clock();
    const pool = {
      candidates: () => [...states],
      resting: () => new Set(),
      isPaused: () => false,
      isLeft: () => false,
      mayHaveMore: () => true,
      post: async (node: NodeState): Promise<HttpReply> => {
        const [value, afterMs] = nodes[states.indexOf(node)]!;
        await clock.sleep(afterMs, over.signal);
        return { kind: 'json', value };
      },
    } as unknown as NodePool;
    const configured = {
      pool: () => pool,
      refusal: async () => null,
      failed: () => undefined,
      allUrls: () => states.map(({ url }) => url),
    } as unknown as ConfiguredNodes;
    const client = new NodeClient(configured, new HedgedCalls(new NodeTimes(clock), clock), clock);
    const beganMs = performance.now();
    const said = await client.broadcast(transaction, sending);
    over.abort();
    return { tookMs: performance.now() - beganMs, said: said.map(({ node, outcome }) => [node, outcome.code]) };
  }

  it('and which that one refuses are taken by a third, before the late one answers', async () => {
    const { tookMs, said } = await broadcast([
      [TAKES, HANGS_MS],
      [REFUSES, 0],
      [TAKES, 0],
    ]);
    expect(said).toEqual([
      ['node0:1', 'NO_ANSWER'],
      ['node1:1', 'SIGERROR'],
      ['node2:1', 'SUCCESS'],
    ]);
    expect(tookMs).toBeLessThan(1_500);
  });

  it('and which that one refuses stay open after two seconds: the late one may have taken them', async () => {
    const { tookMs, said } = await broadcast([
      [TAKES, HANGS_MS],
      [REFUSES, 0],
    ]);
    expect(said).toEqual([
      ['node0:1', 'NO_ANSWER'],
      ['node1:1', 'SIGERROR'],
    ]);
    expect(tookMs).toBeLessThan(3_500);
  });

  it('go to no node and keep no caller waiting after the time at which the caller is answered', async () => {
    const answerByMs = performance.now() + 600;
    const { tookMs, said } = await broadcast(
      [
        [REFUSES, 500],
        [TAKES, HANGS_MS],
      ],
      { answerByMs },
    );
    expect(said).toEqual([
      ['node1:1', 'NO_ANSWER'],
      ['node0:1', 'SIGERROR'],
    ]);
    expect(tookMs).toBeLessThan(2_000);
  });

  it('are refused after all that had them before the refusal came: it may be because of those', async () => {
    const { said } = await broadcast(
      [
        [REFUSES, 500],
        [TAKES, 700],
      ],
      { isDoubted: ({ kind }: { kind: string }) => kind === 'refused' },
    );
    expect(said).toEqual([
      ['node1:1', 'SUCCESS'],
      ['node0:1', 'SIGERROR'],
    ]);
  });
});
