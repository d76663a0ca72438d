import { EntityManager } from '@mikro-orm/postgresql';
import { BlockExplorer } from '../../../src/panel/orders/block-explorer';
import { createTestApp, type TestApp } from '../../support/test-app';

const MAINNET = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc';
const NILE = '0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc';
const SHASTA = '0000000000000000de1aa88295e1fcf982742f773e0419c5a9c134c994a9059e';
const OTHER = '00000000000000000000000000000000000000000000000000000000000000aa';

describe('the block explorer', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
  });
  afterAll(() => service.close());

  const linkOn = async (genesis: string | null, node: string) => {
    await service.sql.execute({ name: '', text: 'delete from chain_identity' });
    const text = `insert into chain_identity (id, genesis_block_id) values (1, '${genesis}')`;
    if (genesis !== null) await service.sql.execute({ name: '', text });
    const nodes = { fullNodeUrls: [node], solidityNodeUrls: [node] };
    return new BlockExplorer(service.app.get(EntityManager), nodes).transactionUrl();
  };

  it.each([
    ['mainnet', MAINNET, 'https://tronscan.org/#/transaction/'],
    ['Nile', NILE, 'https://nile.tronscan.org/#/transaction/'],
    ['Shasta', SHASTA, 'https://shasta.tronscan.org/#/transaction/'],
  ])('of %s is known by the genesis block, wherever the node is', async (_, genesis, url) => {
    expect(await linkOn(genesis, 'https://node.example')).toBe(url);
    expect(await linkOn(genesis, 'http://127.0.0.1:8090')).toBe(url);
  });

  it('of a chain on this machine is its node, and of any other chain there is none', async () => {
    const own = 'http://127.0.0.1:9090/wallet/gettransactionbyid?value=';
    expect(await linkOn(OTHER, 'http://127.0.0.1:9090')).toBe(own);
    expect(await linkOn(OTHER, 'http://me:secret@127.0.0.1:9090/key?token=1')).toBe(own);
    expect(await linkOn(OTHER, 'https://node.example')).toBeNull();
    expect(await linkOn(null, 'http://127.0.0.1:9090')).toBeNull();
  });
});
