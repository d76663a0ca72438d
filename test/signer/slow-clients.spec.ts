import { once } from 'node:events';
import { connect } from 'node:net';
import { delegation } from './raw-data';
import { makeWallet, TestSigner } from './signer.fixture';

const pool = makeWallet();

describe('clients of the signer that send or read slowly', () => {
  const signer = new TestSigner();
  beforeAll(() => signer.configure([signer.key('pool', pool)]).start());
  afterAll(() => signer.remove());

  it.each([
    ['half a head', 'POST /v1/sign HTTP/1.1\r\nHost: '],
    ['half a body', 'POST /v1/sign HTTP/1.1\r\nHost: signer\r\nContent-Length: 100\r\n\r\n{'],
    ['nothing', ''],
  ])('are cut off after %s, while others are served', async (_what, bytes) => {
    const client = connect(signer.socket);
    client.on('error', () => undefined).resume();
    await once(client, 'connect');
    client.write(bytes);
    const closed = new Promise((resolve) => client.once('close', resolve));
    const rawData = delegation({ owner: pool.address, receiver: makeWallet().address });
    expect(await signer.sign('pool', rawData)).toHaveProperty('signature');
    await closed;
  });
});
