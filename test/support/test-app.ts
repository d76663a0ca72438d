import { MikroORM } from '@mikro-orm/postgresql';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import type { Configuration } from '../../config/configuration';
import { loadConfiguration } from '../../config/load-configuration';
import { AppModule } from '../../src/app.module';
import { APP_OPTIONS, configureApp } from '../../src/bootstrap/configure-app';
import { drain } from '../../src/bootstrap/drain-http-server';
import { Sql } from '../../src/database/sql';
import { checkAnswersOf } from './answer-recorder';
import { createTestDatabase } from './test-database';

/** A port that nothing listens on: a test that needs a node starts a local chain. */
const NO_NODE = 'http://127.0.0.1:1';

export interface TestAppOptions {
  /** Settings as in the environment, over the tests' own. */
  env?: Record<string, string>;
  /** An existing database, to run several instances on one; without it the app gets one of its own. */
  databaseUrl?: string;
  /** Whether block follower and sweeper run; true as in the service. */
  backgroundWork?: boolean;
  /** Beside the service's own: controllers that only a test needs. */
  modules?: Type[];
  /** Replaces parts: `(builder) => builder.overrideProvider(Clock).useValue(clock)`. */
  overrides?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
}

export interface TestApp {
  readonly app: NestExpressApplication;
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly databaseUrl: string;
  readonly configuration: Configuration;
  readonly sql: Sql;
  readonly orm: MikroORM;
  /** Closes the app, and drops its database if it made one. */
  close(): Promise<void>;
}

/** The real application on a real database and a free port. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.databaseUrl === undefined ? await createTestDatabase() : null;
  const databaseUrl = options.databaseUrl ?? database!.url;
  const configuration = loadConfiguration({
    LOG_LEVEL: 'silent',
    PORT: '0',
    DATABASE_URL: databaseUrl,
    TRON_FULL_NODE_URLS: NO_NODE,
    ...options.env,
  });
  const { fullNodeUrls, solidityNodeUrls } = configuration.nodes;
  const infrastructure = { configuration, databaseUrl, nodes: { fullNodeUrls, solidityNodeUrls } };
  const service = AppModule.with(infrastructure, options.backgroundWork ?? true);
  const builder = Test.createTestingModule({ imports: [service, ...(options.modules ?? [])] });
  const module = await (options.overrides?.(builder) ?? builder).compile();
  const app = module.createNestApplication<NestExpressApplication>(APP_OPTIONS);
  configureApp(app);
  checkAnswersOf(app.getHttpServer(), configuration.billing.answersCarryCost ? 'B' : 'A');
  await app.listen(0, '127.0.0.1');
  return {
    app,
    url: await app.getUrl(),
    databaseUrl,
    configuration,
    sql: app.get(Sql),
    orm: app.get(MikroORM),
    async close() {
      // As the service does: a connection that was busy just now would otherwise hold the close up.
      await drain(app.getHttpServer());
      await app.close();
      await database?.drop();
    },
  };
}
