import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { loadConfiguration } from '../config/load-configuration';
import { AppModule } from './app.module';

/** The routes as the modules declare them. Nothing is started for it: no database, no node. */
export async function describeRoutes(): Promise<OpenAPIObject> {
  const configuration = loadConfiguration({ LOG_LEVEL: 'silent' });
  const nodes = { fullNodeUrls: [], solidityNodeUrls: [] };
  const surroundings = { configuration, databaseUrl: 'postgresql://nobody@127.0.0.1:1/none', nodes };
  const app = await NestFactory.create(AppModule.with(surroundings, false), { preview: true, logger: false });
  const about = new DocumentBuilder()
    .setTitle('Energy delegation service')
    .setDescription('Delegates TRON energy and charges for it. Failures carry their reason in X-Error-Code.')
    .setVersion('1')
    .addBearerAuth({ type: 'http', bearerFormat: 'API token' })
    .build();
  return SwaggerModule.createDocument(app, about);
}
