import type { NodeClient } from '../../../../src/chain/tron/node/node-client';
import { WitnessReader } from '../../../../src/chain/verified-chain/witnesses/witness-reader';
import { MovableClock } from '../../../support/movable-clock';

const MINUTE_MS = 60_000;
const address = (n: number) => `41${String(n).padStart(40, '0')}`;

describe('a reading of witnesses that was broken off', () => {
  it.each([
    ['goes on where it was, some minutes later', 6, address(100)],
    ['begins anew once the keys that it has read may be others', 16, address(200)],
  ])('%s', async (_, minutes, expected) => {
    const clock = new MovableClock();
    let key = address(100);
    let over = new AbortController();
    let breaksOff = true;
    const answers = {
      ask: (_kind: string, route: string, body: { address?: string }, understand: (answer: object) => unknown) => {
        if (route === 'wallet/listwitnesses' || route === 'listwitnesses')
          return Promise.resolve(understand({ witnesses: [1, 2].map((n) => ({ address: address(n), isJobs: true })) }));
        if (breaksOff && body.address === address(2)) {
          over.abort();
          return Promise.reject(new Error('nobody waits any more'));
        }
        return Promise.resolve(understand({ address: body.address, witness_permission: { keys: [{ address: key }] } }));
      },
    };
    const reader = new WitnessReader(answers as unknown as NodeClient, clock);
    await expect(reader.read('http://node', over.signal)).rejects.toThrow('nobody waits');
    clock.advance(minutes * MINUTE_MS);
    [key, over, breaksOff] = [address(200), new AbortController(), false];
    expect(await reader.read('http://node', over.signal)).toEqual([
      { address: address(1), signing_address: expected },
      { address: address(2), signing_address: address(200) },
    ]);
  });
});
