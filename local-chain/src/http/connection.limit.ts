import { createServer, type Server, type Socket } from 'node:net';

/** As Jetty: a connection on which no request begins for so long is closed. */
export const IDLE_MS = 30_000;

/**
 * Serves at most so many connections at a time, idle ones included; those that come after them hang until one is closed, as behind
 * java-tron's `node.maxHttpConnectNumber`. What a caller had sent before it gave up waiting is carried out all the same. 0: no limit.
 */
export class ConnectionLimit {
  readonly listener: Server;
  private readonly served = new Set<Socket>();
  private readonly waiting: Socket[] = [];

  constructor(
    private readonly most: number,
    private readonly serve: (socket: Socket) => void,
  ) {
    const options = { allowHalfOpen: true, noDelay: true, pauseOnConnect: true };
    this.listener = createServer(options, (socket) => {
      // A waiting connection is not read yet: its errors show when it is served.
      socket.on('error', () => socket.destroy());
      this.waiting.push(socket);
      this.serveNext();
    });
  }

  closeAll(): void {
    for (const socket of [...this.waiting.splice(0), ...this.served]) socket.destroy();
  }

  private serveNext(): void {
    while (this.most === 0 || this.served.size < this.most) {
      const socket = this.waiting.shift();
      if (!socket) return;
      this.served.add(socket);
      socket.once('close', () => {
        this.served.delete(socket);
        this.serveNext();
      });
      socket.setTimeout(IDLE_MS);
      this.serve(socket);
      socket.resume();
    }
  }
}
