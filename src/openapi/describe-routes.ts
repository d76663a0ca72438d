import { NestFactory } from '@nestjs/core';
import type { DynamicModule } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { describeAll } from '../common/http/described';
import { packageVersion } from '../common/package-version';
import { ErrorSchema } from './error.schema';
import { ANYWHERE, failuresOf } from './failures';
import { forGenerators } from './for-generators';
import { always, errorCodeHeader, HEADERS, limitHeaders, PARAMETERS } from './headers';
import type { Operation } from './operation';
import { OPERATIONS } from './operations';
import { WEBHOOK_BODIES, WEBHOOKS } from './webhooks';

/** For people in a browser: no part of the API. */
const PAGES = /^\/(?:(?:panel|docs|site|r|openapi\.json)(?:\/|$)|$)/;
type Described = NonNullable<OpenAPIObject['paths'][string]['get']>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * The routes of the service as its modules declare them, with what `operations.ts` says of them. Nothing is started for it: no database, no
 * node. A route that it leaves out and an entry without a route both fail, so that neither can be forgotten.
 */
export async function describeRoutes(service: DynamicModule): Promise<OpenAPIObject> {
  const document = await readRoutes(service);
  for (const path of Object.keys(document.paths)) if (PAGES.test(path)) delete document.paths[path];
  const unused = new Set(Object.keys(OPERATIONS));
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS.filter((name) => item[name] !== undefined)) {
      const route = `${method.toUpperCase()} ${path}`;
      const operation = OPERATIONS[route];
      if (!operation) throw new Error(`${route} is not described in operations.ts`);
      item[method] = complete(path, item[method]!, operation);
      unused.delete(route);
    }
  }
  if (unused.size > 0) throw new Error(`operations.ts describes routes that do not exist: ${[...unused].join(', ')}`);
  const { schemas, securitySchemes } = document.components!;
  return forGenerators({
    ...document,
    webhooks: WEBHOOKS as unknown as OpenAPIObject['webhooks'],
    components: { securitySchemes, schemas, headers: HEADERS, parameters: PARAMETERS, responses: ANYWHERE },
  });
}

function complete(path: string, described: Described, operation: Operation): Described {
  const { operationId, tags, summary, description, security, parameters = [] } = operation;
  return {
    operationId,
    tags: [...tags],
    summary,
    ...(description !== undefined && { description }),
    // Said of each: where nothing is said, generated clients and scanners take it that a token is needed, or forgotten.
    security: security ?? [],
    parameters: [...(described.parameters ?? []), ...parameters],
    ...(described.requestBody && { requestBody: described.requestBody }),
    responses: { ...answersOf(described, operation), ...failuresOf(path, operation) } as Described['responses'],
  };
}

/** What the route's own types say, with the headers that go with it. */
function answersOf({ responses }: Described, { security, headers, reasons }: Operation): object {
  return Object.fromEntries(
    Object.entries(responses).map(([status, answer]) => {
      const failed = Number(status) >= 400;
      const shown = {
        ...always('X-Request-Id'),
        ...(failed ? errorCodeHeader(reasons ?? []) : headers),
        ...limitHeaders(Number(status), security !== undefined),
      };
      return [status, { ...answer, headers: shown }];
    }),
  );
}

async function readRoutes(service: DynamicModule): Promise<OpenAPIObject> {
  describeAll();
  const app = await NestFactory.create(service, { preview: true, logger: false });
  const about = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Energy delegation service')
    .setDescription(
      [
        'Delegates TRON energy and charges for it. The segment `chain` of a path may also read `tron`. Amounts of money are in TRX, as',
        'exact decimals. A query field that is empty, repeated or an array is answered 400 VALIDATION_FAILED; the look-up routes and the quote refuse an unknown field, too;',
        'the balance route ignores its query. Every answer has X-Request-Id, and every failure has its error code in X-Error-Code. Besides the answers',
        'of its route, a request can get those of `components.responses`: for an unknown path, for a method that the path does not support,',
        'and for bytes that are not HTTP. The service may add fields and error codes; callers ignore those that they do not know.',
      ].join(' '),
    )
    .setVersion(packageVersion() ?? '')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/')
    .addTag('Energy', 'Orders and what they cost')
    .addTag('Account', 'The caller')
    .addTag('Health', 'For load balancers')
    .addTag('Webhooks', 'What the service sends to your server')
    .addBearerAuth({ type: 'http', bearerFormat: 'API token', description: 'An API token, created in the panel' })
    .build();
  return SwaggerModule.createDocument(app, about, { extraModels: [ErrorSchema, ...WEBHOOK_BODIES] });
}
