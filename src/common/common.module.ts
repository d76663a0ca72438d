import type { Server } from 'node:http';
import { Inject, Logger, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, HttpAdapterHost } from '@nestjs/core';
import type { Express } from 'express';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { Clock } from './clock';
import { ApiExceptionFilter } from './http/api-exception.filter';
import { BodyMiddleware } from './http/body.middleware';
import { handleClientErrors } from './http/client-error.handler';
import { LateRequests } from './http/late-requests';
import { PanelAddress } from './http/panel-address';
import { parseQuery } from './http/query.guard';
import { entering, ignoreConditions, receive } from './http/request-context.middleware';
import { boundServer } from './http/server-bounds';
import { LaravelValidationPipe } from './validation/laravel-validation.pipe';

/** All that stands between the socket and the guards, registered once, so that the application under test is the application. */
@Module({
  providers: [
    Clock,
    LateRequests,
    PanelAddress,
    { provide: APP_FILTER, useClass: ApiExceptionFilter },
    { provide: APP_PIPE, useClass: LaravelValidationPipe },
  ],
  exports: [Clock, LateRequests, PanelAddress],
})
export class CommonModule implements NestModule {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly clock: Clock,
  ) {}

  /** Called before any route is registered, and only where there is HTTP: the command line builds the same modules. */
  configure(consumer: MiddlewareConsumer): void {
    const adapter = this.adapterHost.httpAdapter;
    const express = adapter.getInstance<Express>();
    const server = adapter.getHttpServer() as Server;
    boundServer(server, new Logger('Connections'), { keepAliveMs: this.configuration.http.keepAliveMs });
    receive(server);
    ignoreConditions(express);
    express.disable('x-powered-by');
    express.disable('etag');
    express.set('query parser', parseQuery);
    express.set('trust proxy', this.configuration.http.trustProxy);
    // Not as Nest middleware: express would undo its change of the path.
    express.use(entering(this.clock));
    consumer.apply(BodyMiddleware).forRoutes('api/{*path}');
    handleClientErrors(server, this.configuration.billing.answersCarryCost);
  }
}
