import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A mail server on loopback that greets, then answers the first command with one more line, and one more, and never the last. */
export class TricklingServer {
  /** Lines that were said without an end. */
  said = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      const end = () => {
        socket.destroy();
        this.sockets.delete(socket);
      };
      socket.on('close', end).on('end', end).on('error', end);
      socket.once('data', () => this.trickle(socket));
      socket.write('220 slow\r\n');
    });
  }

  static async open(): Promise<TricklingServer> {
    const slow = new TricklingServer();
    await once(slow.server.listen(0, '127.0.0.1'), 'listening');
    return slow;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** How many are connected. */
  get open(): number {
    return this.sockets.size;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private trickle(socket: Socket): void {
    if (socket.destroyed) return;
    this.said += 1;
    socket.write('250-wait\r\n', () => setTimeout(() => this.trickle(socket), 5));
  }
}
