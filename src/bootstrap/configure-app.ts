import type { Server } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import helmet from 'helmet';
import { Logger } from 'nestjs-pino';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { networkOf } from '../common/http/client-ip';
import { logRequests, type Sender } from '../common/http/request-log';
import type { AuthenticatedRequest } from '../users/request-user';

/** Bodies are read where the contract's rules for them are known (src/common). */
export const APP_OPTIONS: NestApplicationOptions = { bodyParser: false, bufferLogs: true, abortOnError: false };

const LOGS_REQUESTS = new Set<Configuration['logLevel']>(['info', 'debug', 'trace']);

/** What no module can configure, the same for the service and for tests. */
export function configureApp(app: NestExpressApplication): void {
  const logger = app.get(Logger);
  const { logLevel, http } = app.get<Configuration>(CONFIGURATION);
  app.useLogger(logger);
  const server: Server = app.getHttpServer();
  if (LOGS_REQUESTS.has(logLevel)) {
    const requests = logRequests(logger, senderOf);
    app.use(requests.observe);
    server.once('close', requests.close);
  }
  // For a year, and for this host alone unless the owner of the others says so: they may have no HTTPS.
  app.use(helmet({ strictTransportSecurity: { includeSubDomains: http.hstsSubdomains } }));
}

function senderOf(request: Request, address: string): Sender {
  const { user, session } = request as Partial<AuthenticatedRequest> & { session?: { userId?: string } };
  return { userId: user?.id ?? session?.userId ?? null, network: networkOf(address) };
}
