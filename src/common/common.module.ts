import type { Server } from 'node:http';
import { Inject, type MiddlewareConsumer, Module, type NestModule, type OnModuleInit } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, HttpAdapterHost } from '@nestjs/core';
import type { Express } from 'express';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { BodyMiddleware } from './http/body.middleware';
import { EntranceMiddleware } from './http/entrance.middleware';
import { EnvelopeFilter } from './http/envelope.filter';
import { answerRawHttp } from './http/raw-http';
import { LaravelValidationPipe } from './validation/laravel-validation.pipe';

/** All that stands between the socket and the guards, registered once, so that the application under test is the application. */
@Module({
  providers: [
    { provide: APP_FILTER, useClass: EnvelopeFilter },
    { provide: APP_PIPE, useClass: LaravelValidationPipe },
  ],
})
export class CommonModule implements NestModule, OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(EntranceMiddleware).forRoutes('{*path}');
    consumer.apply(BodyMiddleware).forRoutes('api/{*path}');
  }

  onModuleInit(): void {
    // The command line builds the same modules without HTTP.
    const adapter = this.adapterHost.httpAdapter;
    if (!adapter) return;
    const express = adapter.getInstance<Express>();
    express.disable('x-powered-by');
    express.disable('etag');
    express.set('trust proxy', this.configuration.http.trustProxy);
    answerRawHttp(adapter.getHttpServer() as Server);
  }
}
