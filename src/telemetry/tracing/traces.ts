import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { NextFunction, Request, Response } from 'express';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { BACKGROUND_WORK } from '../../common/background-job';
import { loggedPath } from '../../common/http/logged-path';
import { provideTrace } from '../../common/telemetry-channels';
import { traceNodeCalls } from './node.spans';
import { type OpenTracer, openTracer } from './open-tracer';
import { OrderTraceRepository } from './order-trace.repository';
import { traceFinalOrders } from './final.spans';
import { formatTraceparent, parseTraceparent } from './traceparent';

/** A trace for each request, up to its order's final block, sent to the collector that the OTEL_* settings name. */
@Injectable()
export class Traces implements OnApplicationShutdown {
  private open: OpenTracer | null = null;
  private readonly endings: (() => void)[] = [];

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(BACKGROUND_WORK) private readonly enabled: boolean,
    private readonly orders: OrderTraceRepository,
  ) {}

  /** False when no collector is set. */
  async start(): Promise<boolean> {
    const { traces } = this.configuration;
    if (!traces || !this.enabled) return false;
    this.open = await openTracer(traces);
    const { tracer } = this.open;
    provideTrace(() => this.traceparent());
    this.endings.push(
      traceNodeCalls(tracer, () => this.active()),
      traceFinalOrders(tracer, this.orders),
      () => provideTrace(() => ({})),
    );
    return true;
  }

  async onApplicationShutdown(): Promise<void> {
    for (const end of this.endings.splice(0)) end();
    await this.open?.close();
  }

  readonly observe = (request: Request, response: Response, next: NextFunction): void => {
    const { tracer, contexts } = this.open!;
    const caller = parseTraceparent(request.headers.traceparent, true);
    const parent = caller ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT;
    const attributes = { 'http.request.method': request.method, 'url.path': loggedPath(request.originalUrl) };
    const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER, attributes }, parent);
    response.once('close', () => {
      // Named by the route, of which there are few: anybody may ask for any path.
      const route = (request.route as { path?: unknown } | undefined)?.path;
      if (typeof route === 'string') span.updateName(`${request.method} ${route}`);
      span.setAttribute('http.response.status_code', response.statusCode);
      for (const header of ['X-Request-Id', 'X-Delegation-Id', 'X-Error-Code']) {
        const value = response.getHeader(header);
        if (typeof value === 'string') span.setAttribute(header.slice(2).toLowerCase().replace('-', '.'), value);
      }
      if (response.statusCode >= 500 && response.statusCode !== 501) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    contexts.with(trace.setSpan(parent, span), next);
  };

  private active(): Context | null {
    const context = this.open?.contexts.active();
    return context && trace.getSpan(context) ? context : null;
  }

  private traceparent(): { traceparent?: string } {
    const context = this.active();
    return context ? { traceparent: formatTraceparent(trace.getSpanContext(context)!) } : {};
  }
}
