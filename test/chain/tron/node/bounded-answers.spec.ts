import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { boundOf } from '../../../../src/chain/tron/node/answer-bounds';
import { postJson } from '../../../../src/chain/tron/node/node-http';
import { recordedBlocks } from '../../../support/recorded-blocks';

const MB = 1024 * 1024;

describe('an answer that is more than it may be', () => {
  let server: Server;
  let answer: RequestListener;
  beforeAll(async () => {
    server = createServer((request, response) => answer(request, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const call = (route: string, body: unknown = {}) => {
    const { port } = server.address() as AddressInfo;
    return postJson(`http://127.0.0.1:${port}/wallet/${route}`, body, undefined, 20_000);
  };
  const saying = (text: string): RequestListener => {
    const zipped = gzipSync(text);
    return (_, response) => response.writeHead(200, { 'content-encoding': 'gzip', connection: 'close' }).end(zipped);
  };

  it.each<[string, () => string, string, string]>([
    ['64 MB of empty objects', () => `[${'{},'.repeat(22 * MB)}{}]`, 'getblockbylimitnext', 'parts'],
    ['64 MB of one text', () => `"${'a'.repeat(64 * MB)}"`, 'getblock', 'bytes'],
    ['a million empty objects', () => `{"block":[${'{},'.repeat(1_100_000)}{}]}`, 'getblockbylimitnext', 'parts'],
    ['a million members', () => `{${'"k":1,'.repeat(1_100_000)}"k":1}`, 'getblockbylimitnext', 'parts'],
    ['a hundred thousand levels', () => '['.repeat(100_000) + ']'.repeat(100_000), 'getblock', 'nested'],
    ['a number of a million digits', () => `{"balance":${'9'.repeat(1_000_000)}}`, 'getaccount', 'digits'],
    ['a megabyte of a maximum', () => `{"max_size":1,"x":"${'a'.repeat(MB)}"}`, 'getcandelegatedmaxsize', 'bytes'],
    ['a megabyte of an unknown route', () => `{"x":"${'a'.repeat(MB)}"}`, 'getsomething', 'bytes'],
  ])('is given up before it is parsed: %s', async (_, text, route, why) => {
    answer = saying(text());
    const reply = await call(route, { detail: true });
    expect(reply).toEqual({ kind: 'unknown', reason: expect.stringContaining(why) });
  });

  it('has its connection closed as soon as it is too long', async () => {
    let sent = 0;
    let closed: Promise<unknown> = Promise.resolve();
    answer = (_, response) => {
      closed = once(response, 'close');
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384, 'a'))) sent += 16_384;
      };
      response.on('drain', more);
      more();
    };
    expect(await call('getnextmaintenancetime')).toMatchObject({ kind: 'unknown' });
    await closed;
    // What lies in the buffers of two sockets comes on top of the 64 KB.
    expect(sent).toBeLessThan(16 * MB);
  });

  it('is none when an honest node gives it', async () => {
    const full = recordedBlocks().toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)[0]!;
    const transactions = full['transactions'] as { raw_data_hex: string; signature: string[] }[];
    // As many as fit into the 2 MB of a block.
    const bytes = transactions.reduce((sum, one) => sum + one.raw_data_hex.length / 2 + 80, 0) / transactions.length;
    const many = Array.from(
      { length: Math.ceil(2_000_000 / bytes) },
      (_, at) => transactions[at % transactions.length],
    );
    const address = `41${'ab'.repeat(20)}`;
    const tokens = Array.from({ length: 10_000 }, (_, at) => ({ key: String(1_000_000 + at), value: 10 ** 15 + at }));
    const account = {
      address,
      assetV2: tokens,
      free_asset_net_usageV2: tokens,
      asset: tokens,
      latest_asset_operation_timeV2: tokens,
    };
    const witnesses = Array.from({ length: 1_000 }, (_, at) => ({
      address,
      voteCount: 10 ** 9 + at,
      url: 'https://'.padEnd(256, 'x'),
      totalProduced: at,
      latestBlockNum: at,
      isJobs: true,
    }));
    const honest: [string, unknown][] = [
      ['getblock', { ...full, transactions: many }],
      ['getblockbynum', { ...full, transactions: many }],
      [
        'getblockbylimitnext',
        { block: Array.from({ length: 20 }, () => ({ ...full, transactions: many.slice(0, 1_000) })) },
      ],
      ['getaccount', account],
      ['getaccountresource', { assetNetUsed: tokens, assetNetLimit: tokens }],
      ['listwitnesses', { witnesses }],
      [
        'getdelegatedresourceaccountindexv2',
        { account: address, toAccounts: Array.from({ length: 100_000 }, () => address) },
      ],
      [
        'getchainparameters',
        { chainParameter: Array.from({ length: 200 }, () => ({ key: 'getEnergyFee'.padEnd(60), value: 1 })) },
      ],
    ];
    for (const [route, value] of honest) {
      const text = JSON.stringify(value);
      answer = saying(text);
      const reply = await call(route, { detail: true });
      expect([route, 'reason' in reply ? reply.reason : '']).toEqual([route, '']);
      expect([route, JSON.stringify('value' in reply && reply.value) === text]).toEqual([route, true]);
    }
  });

  it('is shorter where headers alone are asked for', () => {
    expect(boundOf('getblock', { detail: false }).bytes).toBeLessThan(
      boundOf('getblock', { detail: true }).bytes / 100,
    );
    expect(boundOf('getblock', {})).toBe(boundOf('getblock', { detail: true }));
  });
});
