import type { NestApplicationOptions } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import { Logger } from 'nestjs-pino';

/** Bodies are read where the contract's rules for them are known (src/common). */
export const APP_OPTIONS: NestApplicationOptions = { bodyParser: false, bufferLogs: true, abortOnError: false };

/** What cannot be said in a module: the same for the service and for tests. */
export function configureApp(app: NestExpressApplication): void {
  app.useLogger(app.get(Logger));
  app.use(helmet());
}
