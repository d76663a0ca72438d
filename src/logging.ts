import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Params } from 'nestjs-pino';
import type { Configuration } from '../config/configuration';
import { assignRequestId } from './common/http/request-id';

/** Nest's own account of its start: for those who debug it. */
const FRAMEWORK = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);
const DEBUG = 20;
const INFO = 30;

/** JSON lines on stdout, each with its request's id. Headers, query strings and bodies stay out: they carry tokens. */
export function loggingOptions({ logLevel }: Configuration): Params {
  return {
    pinoHttp: {
      level: logLevel,
      quietReqLogger: true,
      genReqId: assignRequestId,
      serializers: { req: describeRequest, res: (response: ServerResponse) => ({ status: response.statusCode }) },
      redact: ['*.authorization', '*.headers.authorization', '*.password', '*.privateKey'],
      hooks: {
        logMethod(entry, log, level) {
          const context = (entry[0] as { context?: string } | undefined)?.context;
          const quiet = level === INFO && context !== undefined && FRAMEWORK.has(context);
          if (!quiet || this.levelVal <= DEBUG) log.apply(this, entry);
        },
      },
    },
  };
}

function describeRequest(request: IncomingMessage & { id?: unknown }) {
  return { method: request.method, path: request.url?.split('?', 1)[0] };
}
