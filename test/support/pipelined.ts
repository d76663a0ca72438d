import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** Requests behind one another on one connection, sent before the first answer. */
export class PipelinedClient {
  text = '';
  readonly closed: Promise<unknown>;

  private constructor(readonly socket: Socket) {
    // A connection that is reset has ended, too.
    socket.on('error', () => undefined);
    this.closed = once(socket, 'close');
  }

  static to(port: number): PipelinedClient {
    const client = new PipelinedClient(connect(port, '127.0.0.1'));
    client.socket.on('data', (data) => (client.text += data.toString('latin1')));
    return client;
  }

  /** Never reads a byte. */
  static deaf(port: number): PipelinedClient {
    const client = new PipelinedClient(connect(port, '127.0.0.1'));
    client.socket.pause();
    return client;
  }

  send(...paths: string[]): this {
    return this.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''));
  }

  write(bytes: string): this {
    this.socket.write(bytes);
    return this;
  }
}

export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
