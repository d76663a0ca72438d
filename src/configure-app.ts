import type { Server } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import { Logger } from 'nestjs-pino';
import { CONFIGURATION, type Configuration } from '../config/configuration';
import { logRequests } from './common/http/request-log';

/** Bodies are read where the contract's rules for them are known (src/common). */
export const APP_OPTIONS: NestApplicationOptions = { bodyParser: false, bufferLogs: true, abortOnError: false };

/** Longer than proxies keep idle connections, so that it is never us who close one while they send on it. */
const KEEP_ALIVE_MS = 75_000;
const REQUEST_TIMEOUT_MS = 30_000;
const LOGS_REQUESTS = new Set<Configuration['logLevel']>(['info', 'debug', 'trace']);

/** What cannot be said in a module: the same for the service and for tests. */
export function configureApp(app: NestExpressApplication): void {
  const logger = app.get(Logger);
  app.useLogger(logger);
  if (LOGS_REQUESTS.has(app.get<Configuration>(CONFIGURATION).logLevel)) app.use(logRequests(logger));
  app.use(helmet());
  const server: Server = app.getHttpServer();
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
}
