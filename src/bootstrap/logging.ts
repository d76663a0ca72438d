import type { Params } from 'nestjs-pino';
import type { Configuration } from '../../config/configuration';
import { currentRequestId } from '../common/http/request-context';
import { LogOutput } from './log-output';

/** Nest's own log of its start, for debugging it. */
const FRAMEWORK = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);
const DEBUG = 20;
const INFO = 30;

/**
 * JSON lines on stdout, each with its request's id. pino-http itself is on no route: its child loggers for each request cost
 * as much as the whole balance route (docs/performance.md); the lines of requests come from src/common/http/request-log.ts.
 */
export function loggingOptions({ logLevel }: Configuration): Params {
  return {
    forRoutes: [],
    pinoHttp: [
      {
        level: logLevel,
        mixin: () => {
          const reqId = currentRequestId();
          return reqId === undefined ? {} : { reqId };
        },
        // PostgreSQL's detail shows the row that it refused, a secret that no key encrypts included.
        redact: ['err.detail', '*.authorization', '*.headers.authorization', '*.password', '*.privateKey'],
        hooks: {
          logMethod(entry, log, level) {
            const context = (entry[0] as { context?: string } | undefined)?.context;
            const quiet = level === INFO && context !== undefined && FRAMEWORK.has(context);
            if (!quiet || this.levelVal <= DEBUG) log.apply(this, entry);
          },
        },
      },
      new LogOutput(),
    ],
  };
}
