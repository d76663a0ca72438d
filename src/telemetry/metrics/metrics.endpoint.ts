import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { BACKGROUND_WORK } from '../../common/background-job';
import { boundServer } from '../../common/http/server-bounds';
import { MetricsRegistry } from './metrics.registry';

/** On the port of its own, where a few scrapers ask one after the other. */
const MOST_CONNECTIONS = 100;

/** `/metrics` on a port of its own, or on the API's port with the token; without either setting it is not served. */
@Injectable()
export class MetricsEndpoint implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(MetricsEndpoint.name);
  private readonly settings: Configuration['metrics'];
  private server: Server | null = null;

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(BACKGROUND_WORK) private readonly enabled: boolean,
    private readonly registry: MetricsRegistry,
  ) {
    this.settings = configuration.metrics;
  }

  get wanted(): boolean {
    return this.enabled && (this.settings.port !== undefined || this.settings.token !== undefined);
  }

  /** The address on its own port; null without one. */
  get url(): string | null {
    return this.server && `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/metrics`;
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.enabled || this.settings.port === undefined) return;
    this.server = createServer((request, response) => void this.serve(request, response));
    boundServer(this.server, this.logger, { connections: MOST_CONNECTIONS });
    this.server.listen(this.settings.port, this.configuration.http.host);
    await once(this.server, 'listening');
    this.logger.log(`Metrics at ${this.url}`);
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  /** On the API's port. Without the token, the route does not exist. */
  readonly onApiPort = (request: Request, response: Response, next: NextFunction): void => {
    const served = this.settings.port === undefined && this.settings.token !== undefined;
    if (!served || request.path !== '/metrics' || !this.mayRead(request)) return next();
    void this.write(response);
  };

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('Cache-Control', 'no-store');
    const known = request.url?.split('?', 1)[0] === '/metrics';
    if (known && this.mayRead(request)) return this.write(response);
    response.writeHead(known ? 401 : 404).end();
  }

  private mayRead({ headers }: IncomingMessage): boolean {
    const { token } = this.settings;
    if (token === undefined) return true;
    return timingSafeEqual(digest(`Bearer ${token}`), digest(headers.authorization ?? ''));
  }

  private async write(response: ServerResponse): Promise<void> {
    try {
      const text = await this.registry.metrics();
      response.writeHead(200, { 'Content-Type': this.registry.contentType }).end(text);
    } catch (error) {
      this.logger.error({ err: error }, 'The metrics could not be read');
      response.writeHead(500).end();
    }
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
