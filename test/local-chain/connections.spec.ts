import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { startLocalChain, type LocalChain } from '../../local-chain/src/local-chain';

const REQUEST = 'POST /wallet/getnodeinfo HTTP/1.1\r\nhost: node\r\ncontent-length: 2\r\n\r\n{}';

/** One connection to the chain that stays open between its requests. */
class Client {
  readonly socket: Socket;
  answers = 0;
  head = '';

  constructor(url: string) {
    this.socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
    this.socket.on('data', (text: string) => {
      this.head ||= text.slice(0, text.indexOf('\r\n\r\n'));
      this.answers += text.split('HTTP/1.1 200').length - 1;
    });
  }

  send(): void {
    this.socket.write(REQUEST);
  }

  async ask(): Promise<void> {
    const before = this.answers;
    this.send();
    while (this.answers === before) await once(this.socket, 'data');
  }
}

describe('connections to the local chain', () => {
  let chain: LocalChain;
  const clients: Client[] = [];
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.destroy();
    await chain.close();
  });
  const open = (count: number): Client[] => {
    const opened = Array.from({ length: count }, () => new Client(chain.url));
    clients.push(...opened);
    return opened;
  };

  it('are served fifty at a time, idle ones included; the next hangs until one of them is closed', async () => {
    chain = await startLocalChain({ block: 'manual' });
    const served = open(50);
    for (const client of served) await client.ask();
    const [waiting, gone, last] = open(3) as [Client, Client, Client];
    for (const client of [waiting, gone, last]) client.send();
    for (let turn = 0; turn < 20; turn++) await served[turn]!.ask();
    expect(waiting.answers + gone.answers + last.answers).toBe(0);
    served[0]!.socket.destroy();
    await once(waiting.socket, 'data');
    expect(gone.answers + last.answers).toBe(0);
    // A caller who gave up waiting takes no place away from the others.
    gone.socket.destroy();
    served[1]!.socket.destroy();
    await once(last.socket, 'data');
  });

  it('are as many as asked for, without limit for 0, and no client is invited to keep them', async () => {
    chain = await startLocalChain({ block: 'manual', connections: 0 });
    const served = open(80);
    for (const client of served) await client.ask();
    expect(served[0]!.head).not.toMatch(/keep-alive|connection:/i);
  });
});
