// The measure of everything else: a Nest application with one route and nothing around it.
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

class BareController {
  show() {
    return { success: true, data: { balance: 1.5, updated_at: '2026-01-01T00:00:00.000000Z' } };
  }
}
Get('bare')(BareController.prototype, 'show', Object.getOwnPropertyDescriptor(BareController.prototype, 'show'));
Controller('api')(BareController);

class BareModule {}
Module({ controllers: [BareController] })(BareModule);

const app = await NestFactory.create(BareModule, { logger: false, bodyParser: false });
app.getHttpAdapter().getInstance().disable('etag').disable('x-powered-by');
await app.listen(0, '127.0.0.1');
process.stdout.write(`${await app.getUrl()}\n`);
process.on('SIGTERM', () => process.exit(0));
