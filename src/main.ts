import './bootstrap/node-version';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { doubtfulSettings } from '../config/configuration-warnings';
import { readEnvironment } from '../config/environment';
import { loadConfiguration } from '../config/load-configuration';
import { AppModule } from './app.module';
import { InvitationService } from './auth/invitations/invitation.service';
import { describeError } from './common/errors/describe-error';
import { Ending } from './common/shutdown';
import { APP_OPTIONS, configureApp } from './bootstrap/configure-app';
import { Demonstration } from './seed/demo-seeder';
import { drain } from './bootstrap/drain-http-server';
import { openForService, type OpenSurroundings } from './bootstrap/start-infrastructure';
import { findFirstOperator, writeSummary } from './bootstrap/startup-banner';
import { awaitStopSignal } from './bootstrap/shutdown-signal';

async function main(): Promise<void> {
  const stopped = awaitStopSignal();
  const surroundings = await openForService(loadConfiguration(readEnvironment()));
  try {
    await serve(surroundings, stopped);
  } finally {
    await surroundings.close();
  }
}

async function serve(surroundings: OpenSurroundings, stopped: Promise<void>): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(surroundings), APP_OPTIONS);
  try {
    configureApp(app);
    for (const { reason, next_step } of doubtfulSettings(surroundings.configuration)) {
      new Logger('Settings').warn(`${reason}: ${next_step}`);
    }
    const { localChain, production, http } = surroundings.configuration;
    const demonstration = localChain.enabled && !production ? app.get(Demonstration) : null;
    const demonstrated = (await demonstration?.prepare(surroundings.chainAccounts)) ?? null;
    await app.listen(http.port, http.host);
    // A link is a credential: where a log may be kept for good, none is made.
    const seenByPeople = process.stdout.isTTY || demonstrated !== null;
    const firstOperator = await findFirstOperator(app.get(InvitationService), seenByPeople);
    writeSummary(surroundings, await app.getUrl(), demonstrated, firstOperator);
    await stopped;
    app.get(Ending).begin();
    // Before any part stops: requests in flight still need the database and the block follower.
    await drain(app.getHttpServer());
  } finally {
    await app.close();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${describeError(error)}\n`);
    process.exit(1);
  },
);
