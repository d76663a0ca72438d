import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { ConnectionQueue } from './connection-queue';
import { keptConnections, type KeptConnections } from './node-http';

/**
 * Limits this process's connections to each host and port, whichever URLs name it. java-tron serves 50 connections, idle ones
 * included, and lets further ones hang.
 */
@Injectable()
export class NodeConnections {
  readonly agents: KeptConnections;
  private readonly most: number;
  private readonly queues = new Map<string, ConnectionQueue>();

  constructor(@Inject(CONFIGURATION) configuration: Configuration) {
    this.most = configuration.nodes.connections;
    // The agents' own limit counts too: a socket is released only after its call has ended, and until then the next call would open one too many.
    this.agents = keptConnections(this.most);
  }

  queue(url: string): ConnectionQueue {
    const { origin } = new URL(url);
    const found = this.queues.get(origin) ?? new ConnectionQueue(this.most);
    this.queues.set(origin, found);
    return found;
  }
}
