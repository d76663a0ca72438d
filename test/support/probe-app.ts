import { Body, Controller, Get, Global, HttpCode, Module, Param, Post, type Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { CommonModule } from '../../src/common/common.module';
import { convert } from '../../src/common/convert';
import { trxNumber } from '../../src/common/money/json-number';
import { DelegateRequest, DelegateRequestDto } from '../../src/delegation/dto/delegate-request.dto';
import { checkRawAnswersOf } from './answer-recorder';

/** Answers with what it was asked for, in place of the delegation. */
@Controller('api/chain')
export class ProbeController {
  @Post('delegate-resource')
  @HttpCode(200)
  delegate(@Body() body: DelegateRequestDto) {
    const request = convert(DelegateRequest, body);
    return {
      success: true,
      receiver: request.receiver,
      transactions: request.transactions.toString(),
      rentalMinutes: request.rentalMinutes,
      activate: request.activate,
      maxCostSun: request.maxCostSun?.toString() ?? null,
    };
  }

  @Get('delegations/:id')
  find(@Param('id') id: string) {
    return { id, cost: trxNumber(2_999_999_900_000_001n) };
  }
}

/** The HTTP edge alone: real Nest and express on a real socket; no database, no guards unless a test brings them. */
export async function startProbeApp({
  variant = 'A',
  controllers = [ProbeController],
}: { variant?: 'A' | 'B'; controllers?: Type[] } = {}): Promise<NestExpressApplication> {
  const configuration = {
    http: { trustProxy: false },
    billing: { answersCarryCost: variant === 'B' },
  } as unknown as Configuration;
  @Global()
  @Module({ providers: [{ provide: CONFIGURATION, useValue: configuration }], exports: [CONFIGURATION] })
  class ProbeConfigurationModule {}

  const moduleRef = await Test.createTestingModule({
    imports: [ProbeConfigurationModule, CommonModule],
    controllers,
  }).compile();
  const app = moduleRef.createNestApplication<NestExpressApplication>({ bodyParser: false });
  checkRawAnswersOf(app.getHttpServer());
  await app.listen(0, '127.0.0.1');
  return app;
}
