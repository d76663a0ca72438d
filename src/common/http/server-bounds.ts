import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { LoggerService } from '@nestjs/common';
import { networkOf } from './client-ip';
import { descriptorLimit } from './descriptor-limit';
import { LogSampler } from './log-sampler';
import { limitPipelines } from './pipeline';
import { watchUntakenAnswers } from './untaken-answers';

export interface Bounds {
  readonly connections: number;
  /** In which a request has to arrive, its body included. */
  readonly requestMs: number;
  readonly keepAliveMs: number;
  /** After which a connection is cut whose caller takes nothing of a written answer. */
  readonly untakenMs: number;
}

const BOUNDS: Omit<Bounds, 'connections'> = { requestMs: 30_000, keepAliveMs: 75_000, untakenMs: 30_000 };
/** With half a request each they take some 250 MB, idle ones 80. */
const MOST_CONNECTIONS = 8_000;
const CHECKS_EACH_TIMEOUT = 6;

/** Half of the descriptors: database, nodes, webhooks and files need the others. */
export function mostConnections(descriptors = descriptorLimit()): number {
  return Math.min(MOST_CONNECTIONS, Math.floor(descriptors / 2));
}

/**
 * Bounds what strangers can make an HTTP server hold. Every server of this process is given here, once its own listener of requests is
 * there and before it listens on its port.
 */
export function boundServer(server: Server, logger: LoggerService, given: Partial<Bounds> = {}): void {
  const bounds = { ...BOUNDS, connections: mostConnections(), ...given };
  const note = noteEnds(server, logger);
  server.maxConnections = bounds.connections;
  server.on('drop', (connection) => note(connection?.remoteAddress, 'too many connections'));
  server.keepAliveTimeout = bounds.keepAliveMs;
  server.requestTimeout = bounds.requestMs;
  // Were this one longer, Node would exchange the two, and bodies had the longer time.
  server.headersTimeout = bounds.requestMs;
  // How often Node looks: its own 30 s would double the time. It reads this when the server begins to listen.
  Object.assign(server, { connectionsCheckingInterval: bounds.requestMs / CHECKS_EACH_TIMEOUT });
  limitPipelines(server, ({ remoteAddress }) => note(remoteAddress, 'too many requests before their answers'));
  watchUntakenAnswers(server, bounds.untakenMs, (socket: Socket) => {
    note(socket.remoteAddress, 'answer not taken');
    socket.destroy();
  });
}

/** A sample of the connections that these bounds end, and how many others there were. */
function noteEnds(server: Server, logger: LoggerService) {
  const sample = new LogSampler((leftOut) => logger.warn({ ...leftOut, msg: 'closed connections not logged' }));
  server.once('close', () => sample.close());
  return (address: string | undefined, reason: string): void => {
    const from = networkOf(address ?? '');
    if (sample.admits(from, reason)) logger.warn({ from, reason, msg: 'connection closed' });
  };
}
