import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { loadConfiguration } from '../../config/load-configuration';
import { AppModule } from '../app.module';
import { OPERATIONS } from './operations';

/** For people in a browser: no part of the API. */
const PANEL = /^\/panel(?:\/|$)/;
type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * The routes as the modules declare them, with what `operations.ts` says of them. Nothing is started for it: no database, no node.
 * A route that it leaves out and one that is no route both fail, so that neither can be forgotten.
 */
export async function describeRoutes(): Promise<OpenAPIObject> {
  const document = await readRoutes();
  for (const path of Object.keys(document.paths)) if (PANEL.test(path)) delete document.paths[path];
  const unused = new Set(Object.keys(OPERATIONS));
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS.filter((name) => item[name] !== undefined)) {
      const route = `${method.toUpperCase()} ${path}`;
      const operation = OPERATIONS[route];
      if (!operation) throw new Error(`${route} is not described in operations.ts`);
      item[method] = complete(item[method]!, operation);
      unused.delete(route);
    }
  }
  if (unused.size > 0) throw new Error(`operations.ts describes what is no route: ${[...unused].join(', ')}`);
  return document;
}

function complete(
  described: Operation,
  { failures, parameters = [], ...said }: (typeof OPERATIONS)[string],
): Operation {
  return {
    ...said,
    parameters: [...parameters, ...(described.parameters ?? [])],
    requestBody: described.requestBody,
    responses: { ...described.responses, ...failures } as Operation['responses'],
  };
}

async function readRoutes(): Promise<OpenAPIObject> {
  const configuration = loadConfiguration({ LOG_LEVEL: 'silent' });
  const nodes = { fullNodeUrls: [], solidityNodeUrls: [] };
  const infrastructure = { configuration, databaseUrl: 'postgresql://nobody@127.0.0.1:1/none', nodes };
  const app = await NestFactory.create(AppModule.with(infrastructure, false), { preview: true, logger: false });
  const about = new DocumentBuilder()
    .setTitle('Energy delegation service')
    .setDescription(
      'Delegates TRON energy and charges for it. The segment `chain` of a path may also read `tron`. ' +
        'Every answer has X-Request-Id; every failure has its reason in X-Error-Code.',
    )
    .setVersion('1')
    .addBearerAuth({ type: 'http', bearerFormat: 'API token' })
    .build();
  return SwaggerModule.createDocument(app, about);
}
