import './bootstrap/node-version';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { readEnvironment } from '../config/environment';
import { loadConfiguration } from '../config/load-configuration';
import { AppModule } from './app.module';
import { InvitationService } from './auth/invitations/invitation.service';
import { APP_OPTIONS, configureApp } from './bootstrap/configure-app';
import { drain } from './bootstrap/drain-http-server';
import { LogOutput } from './bootstrap/log-output';
import { awaitShutdownSignal } from './bootstrap/shutdown-signal';
import { startForService, type StartedInfrastructure } from './bootstrap/start-infrastructure';
import { findFirstOperator, writeStartupBanner } from './bootstrap/startup-banner';
import { KeyPower } from './chain/pool/doctor/key-power';
import { describeError } from './common/errors/describe-error';
import { Shutdown } from './common/shutdown';
import { TermsSchedule } from './reconciliation/terms/terms.schedule';
import { DemoSeeder } from './seed/demo-seeder';
import { DemoToken } from './seed/demo-token';
import { WeakSettings } from './weak-settings/weak-settings';

async function main(): Promise<void> {
  LogOutput.outlive();
  const stopped = awaitShutdownSignal();
  const infrastructure = await startForService(loadConfiguration(readEnvironment()));
  try {
    await serve(infrastructure, stopped);
  } finally {
    await infrastructure.close();
  }
}

async function serve(infrastructure: StartedInfrastructure, stopped: Promise<void>): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(infrastructure), APP_OPTIONS);
  try {
    configureApp(app);
    const { localChain, production, http } = infrastructure.configuration;
    const demoSeeder = localChain.enabled && !production ? app.get(DemoSeeder) : null;
    await app.get(KeyPower).refuseIfAsked();
    await app.get(TermsSchedule).begin();
    await app.get(WeakSettings).warn();
    const seededDemo = (await demoSeeder?.prepare(infrastructure.chainAccounts)) ?? null;
    await app.listen(http.port, http.host);
    if (seededDemo) app.get(DemoToken).keepAddress(await app.getUrl());
    // A link is a credential: where a log may be kept for good, none is made.
    const seenByPeople = process.stdout.isTTY || seededDemo !== null;
    const firstOperator = await findFirstOperator(app.get(InvitationService), seenByPeople);
    writeStartupBanner(infrastructure, await app.getUrl(), seededDemo, firstOperator);
    void app.get(KeyPower).warnIfAsked();
    await stopped;
    app.get(Shutdown).begin();
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
