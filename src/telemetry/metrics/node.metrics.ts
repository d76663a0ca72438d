import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import {
  nodeCalls,
  nodeFaults,
  nodeRefusals,
  type NodeCall,
  type NodeFault,
  type NodeRefusal,
} from '../../common/telemetry-channels';
import { MetricsRegistry } from './metrics.registry';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];

type Timed = NodeCall & { startedMs?: number };

/** Calls to nodes, their durations, and faults. */
@Injectable()
export class NodeMetrics implements OnModuleDestroy {
  private readonly durations: Histogram<'node' | 'kind' | 'route'>;
  private readonly calls: Counter<'node' | 'kind' | 'route'>;
  private readonly faults: Counter<'node' | 'kind'>;
  private readonly refusals: Counter<'node'>;

  constructor(registry: MetricsRegistry) {
    const registers = [registry];
    this.calls = new Counter({
      name: 'energy_node_calls_total',
      help: 'Calls to nodes, including those of the block follower.',
      labelNames: ['node', 'kind', 'route'],
      registers,
    });
    this.durations = new Histogram({
      name: 'energy_node_call_duration_seconds',
      help: 'How long nodes take to answer, including time-outs.',
      labelNames: ['node', 'kind', 'route'],
      buckets: SECONDS,
      registers,
    });
    this.faults = new Counter({
      name: 'energy_node_faults_total',
      help: 'Times a node was set aside (no answer, no JSON, too much of it, an exception, another chain, an open broadcast) or showed impossible blocks.',
      labelNames: ['node', 'kind'],
      registers,
    });
    this.refusals = new Counter({
      name: 'energy_node_rate_refusals_total',
      help: 'Calls that a node refused because there were too many; the service makes them later, and the node counts as sound.',
      labelNames: ['node'],
      registers,
    });
  }

  start(): void {
    nodeCalls.start.subscribe(this.began);
    nodeCalls.asyncEnd.subscribe(this.ended);
    nodeFaults.subscribe(this.failed);
    nodeRefusals.subscribe(this.refused);
  }

  onModuleDestroy(): void {
    nodeCalls.start.unsubscribe(this.began);
    nodeCalls.asyncEnd.unsubscribe(this.ended);
    nodeFaults.unsubscribe(this.failed);
    nodeRefusals.unsubscribe(this.refused);
  }

  private readonly began = (message: unknown): void => {
    (message as Timed).startedMs = performance.now();
  };

  private readonly ended = (message: unknown): void => {
    const { node, kind, route, startedMs } = message as Timed;
    this.calls.inc({ node, kind, route });
    if (startedMs !== undefined) this.durations.observe({ node, kind, route }, (performance.now() - startedMs) / 1000);
  };

  private readonly failed = (message: unknown): void => {
    const { node, kind } = message as NodeFault;
    this.faults.inc({ node, kind });
  };

  private readonly refused = (message: unknown): void => {
    this.refusals.inc({ node: (message as NodeRefusal).node });
  };
}
