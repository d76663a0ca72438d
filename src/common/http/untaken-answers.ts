import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const LOOK_EVERY_MS = 1_000;

/** A large answer is one write: `writableLength` stays the same until all of it is out, these counters of the system's side move. */
type WithHandle = Socket & {
  readonly _handle?: { readonly bytesWritten: number; readonly writeQueueSize: number } | null;
};

/** How many bytes a caller has taken, and since when it has taken no more. */
interface Standing {
  readonly taken: number;
  readonly sinceMs: number;
}

/**
 * Calls back for each socket with a written answer of which the caller has taken nothing for so long. The time in which a caller waits for
 * an answer of ours does not count: it may be an order's.
 */
export function watchUntakenAnswers(server: Server, untakenMs: number, onUntaken: (socket: Socket) => void): void {
  const standings = new Map<Socket, Standing | null>();
  server.on('connection', (socket) => {
    standings.set(socket, null);
    socket.once('close', () => standings.delete(socket));
  });
  const look = () => {
    const nowMs = performance.now();
    for (const [socket, before] of standings) {
      const { bytesWritten = 0, writeQueueSize = 0 } = (socket as WithHandle)._handle ?? {};
      const taken = bytesWritten - writeQueueSize;
      if (writeQueueSize === 0) standings.set(socket, null);
      else if (before?.taken !== taken) standings.set(socket, { taken, sinceMs: nowMs });
      else if (nowMs - before.sinceMs >= untakenMs) onUntaken(socket);
    }
  };
  const timer = setInterval(look, Math.min(LOOK_EVERY_MS, untakenMs)).unref();
  server.once('close', () => clearInterval(timer));
}
