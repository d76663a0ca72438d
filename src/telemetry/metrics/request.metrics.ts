import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Counter, Histogram } from 'prom-client';
import { MetricsRegistry } from './metrics.registry';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** Durations and error codes of requests. */
@Injectable()
export class RequestMetrics {
  private readonly durations: Histogram<'route' | 'method' | 'status'>;
  private readonly failures: Counter<'route' | 'code'>;

  constructor(registry: MetricsRegistry) {
    this.durations = new Histogram({
      name: 'energy_http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last byte of its answer; status "cut" if the connection ended before.',
      labelNames: ['route', 'method', 'status'],
      buckets: SECONDS,
      registers: [registry],
    });
    this.failures = new Counter({
      name: 'energy_http_failures_total',
      help: 'Refused and failed requests by X-Error-Code.',
      labelNames: ['route', 'code'],
      registers: [registry],
    });
  }

  readonly observe = (request: Request, response: Response, next: NextFunction): void => {
    const startedMs = performance.now();
    response.once('close', () => {
      // The route's pattern, not the path: callers must not be able to create labels.
      const route = (request.route as { path?: string } | undefined)?.path ?? 'none';
      const status = response.writableFinished ? response.statusCode : 'cut';
      this.durations.observe({ route, method: request.method, status }, (performance.now() - startedMs) / 1000);
      const code = response.getHeader('X-Error-Code');
      if (typeof code === 'string') this.failures.inc({ route, code });
    });
    next();
  };
}
