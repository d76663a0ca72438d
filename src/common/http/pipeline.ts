import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Requests of one connection whose answers are not out. Libraries and proxies send the next one after the answer. */
const MOST_IN_FLIGHT = 10;

/** Node's parser gives each request of a packet to `onIncoming`. After a 2, as for an upgrade, it leaves the rest of the packet unread. */
type WithParser = Socket & { readonly parser?: { onIncoming: (request: IncomingMessage) => number } | null };
const READ_NO_MORE = () => 2;

const pipelines = new WeakMap<Duplex, Pipeline>();
/** Open connections of a server whose pipelines are bounded. */
const connections = new WeakMap<Server, Set<Socket>>();

/** The requests of one connection that wait for their answers, in their order. */
export class Pipeline {
  private readonly inFlight = new Set<ServerResponse>();
  private isClosing = false;

  static of(socket: Duplex): Pipeline {
    const known = pipelines.get(socket);
    if (known) return known;
    const pipeline = new Pipeline();
    pipelines.set(socket, pipeline);
    return pipeline;
  }

  get newest(): ServerResponse | undefined {
    return [...this.inFlight].at(-1);
  }

  admits(response: ServerResponse): boolean {
    if (this.isClosing || this.inFlight.size >= MOST_IN_FLIGHT) return false;
    this.inFlight.add(response);
    response.once('close', () => this.inFlight.delete(response));
    return true;
  }

  /** Admits no more requests; the answers that are due still go out, in their order. False when none is due: nothing is done then. */
  closeAfterAnswers(socket: Duplex): boolean {
    if (this.isClosing) return true;
    // The body of the newest request may still be on its way: its answer is not due.
    const last = [...this.inFlight].findLast(({ req }) => req.complete);
    if (!last) return false;
    this.isClosing = true;
    // The answer says so, unless its head is out already.
    last.shouldKeepAlive = false;
    last.once('finish', () => (socket as Socket).destroySoon());
    return true;
  }
}

/**
 * Has each connection with an answer under way end with it, and the answer say so: a client that sends the next request on a connection which
 * is about to be closed would get no answer to it.
 */
export function closeAnswered(server: Server): void {
  for (const socket of connections.get(server) ?? []) Pipeline.of(socket).closeAfterAnswers(socket);
}

/**
 * `server.close` closes idle connections, too, and counts one as idle from the `end` of its answer on: it would cut what is still on its way
 * to a slow reader, and the answers due after it. Node alone knows where half a request has come, so its own list is used, without those.
 */
function spareAnswers(server: Server, open: ReadonlySet<Socket>): void {
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    const answering = [...open].filter((socket) => Pipeline.of(socket).newest);
    for (const socket of answering) socket.destroy = () => socket;
    closeIdle();
    for (const socket of answering) Reflect.deleteProperty(socket, 'destroy');
  };
}

/**
 * Bounds the requests of each connection. Node hands out every request that it finds in a packet, thousands of them, before the first
 * answer leaves; even to make and drop those of 40 packets kept other callers waiting for a second. The listeners that the server has
 * by now get admitted requests alone.
 */
export function limitPipelines(server: Server, onDrop: (socket: Socket) => void): void {
  const open = new Set<Socket>();
  connections.set(server, open);
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  spareAnswers(server, open);
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const pipeline = Pipeline.of(socket);
    if (pipeline.admits(response)) {
      for (const listener of listeners) Reflect.apply(listener, server, [request, response]);
      return;
    }
    const { parser } = socket as WithParser;
    if (parser) parser.onIncoming = READ_NO_MORE;
    pipeline.closeAfterAnswers(socket);
    onDrop(socket);
  });
}
