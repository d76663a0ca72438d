import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { Response } from 'express';
import { loadConfiguration } from '../../../config/load-configuration';
import type { Operator } from '../../../src/audit-log/audit-log';
import { ServiceError } from '../../../src/common/errors/service.error';
import { DelegationController } from '../../../src/delegation/delegation.controller';
import type { DelegateRequestDto } from '../../../src/delegation/dto/delegate-request.dto';
import { AnswerLostError } from '../../../src/delegation/placing/answer-lost.error';
import { CarryOut } from '../../../src/stake-care/carry-out';
import { PlanOperation, type WantedOperation } from '../../../src/stake-care/plan-operation';
import type { RequestUser } from '../../../src/users/request-user';
import { CronTime } from '../kernel/cron-times';
import type { Kernel } from '../kernel/kernel';
import { SimProcess } from '../kernel/sim-process';
import { SimModule } from './sim.module';

/** In place of each second, as in production: that would be a tenth of what a history costs. */
const DELIVERIES_AT = '*/3 * * * * *';

const OPERATOR: Operator = { id: null, address: 'simulated operator' };

/** What a caller is told; null: the line was cut. */
export type Told = {
  readonly id: string | null;
  /** `OK`, or that of the error. */
  readonly code: string;
  readonly txId: string | null;
  readonly state: string | null;
  /** In TRX, as it is written. */
  readonly cost: string | null;
} | null;

export interface SimOrder {
  readonly user: RequestUser;
  readonly body: DelegateRequestDto;
  readonly key: string | null;
}

/** One instance: the service's own modules in a process of the kernel's. */
export class Instance {
  readonly process: SimProcess;
  /** It did not come up, and has ended. */
  failed: () => unknown = () => undefined;
  private context: INestApplicationContext | null = null;

  constructor(
    private readonly kernel: Kernel,
    name: string,
    clockOffMs: number,
    private readonly log: (line: string) => void,
    private readonly violated: (what: string) => void,
  ) {
    this.process = new SimProcess(name, clockOffMs);
  }

  get isUp(): boolean {
    return this.context !== null && !this.process.dead;
  }

  start(settings: Record<string, string>, databaseUrl: string): void {
    const logger: LoggerService = {
      log: () => undefined,
      warn: (...words: unknown[]) => this.log(`${this.process.name} warns ${text(words)}`),
      error: (...words: unknown[]) => {
        this.log(`${this.process.name} errs ${text(words)}`);
        const wrong = words.map(errorOf).find(isOfTheProgram);
        if (wrong) this.violated(`the service has failed as a program: ${wrong.stack}`);
      },
    };
    this.kernel.after(0, this.process, () => {
      const module = SimModule.with(loadConfiguration(settings), databaseUrl);
      void NestFactory.createApplicationContext(module, { logger, abortOnError: false }).then(
        (context) => {
          this.context = context;
          const deliveries = context.get(SchedulerRegistry).getCronJob('webhook-deliveries');
          deliveries.setTime(new CronTime(DELIVERIES_AT));
          this.kernel.log(`${this.process.name} is up`);
        },
        (error: unknown) => {
          this.kernel.log(`${this.process.name} does not start: ${String(error)}`);
          this.process.dead = true;
          this.kernel.after(0, null, () => this.failed());
        },
      );
    });
  }

  /** Calls back in the world, not in the process; never when the instance ends before. */
  delegate({ user, body, key }: SimOrder, told: (told: Told) => void): void {
    this.kernel.after(0, this.process, () => {
      const headers = new Map<string, string>();
      const response = {
        setHeader: (name: string, value: string) => void headers.set(name, value),
        destroy: () => undefined,
      } as unknown as Response;
      const answer = (value: Told) =>
        void this.kernel.after(0, this.process, () => this.kernel.after(1, null, () => told(value)));
      this.context!.get(DelegationController)
        .delegate(user, body, key, response)
        .then(
          ({ txid, cost }) =>
            answer({
              id: headers.get('X-Delegation-Id')!,
              code: 'OK',
              txId: txid,
              state: headers.get('X-Delegation-State')!,
              cost: cost === undefined ? null : JSON.stringify(cost),
            }),
          (error: unknown) => {
            if (isOfTheProgram(error)) this.violated(`an order has failed as a program: ${error.stack}`);
            answer(toldOf(error));
          },
        );
    });
  }

  /** As a command does. What the service refuses is an answer too. */
  operate(wanted: WantedOperation): void {
    if (!this.isUp) return;
    this.kernel.after(0, this.process, () => {
      const planned = this.get(PlanOperation).plan(OPERATOR, wanted);
      planned
        .then((operation) => this.get(CarryOut).carryOutHere(operation))
        .catch((error: unknown) => {
          if (isOfTheProgram(error)) this.violated(`an operation has failed as a program: ${error.stack}`);
          this.log(`${this.process.name} does not ${wanted.kind}: ${String(error)}`);
        });
    });
  }

  get<T>(type: new (...values: never[]) => T): T {
    return this.context!.get(type, { strict: false });
  }
}

function toldOf(error: unknown): Told {
  if (error instanceof AnswerLostError) return null;
  if (error instanceof ServiceError)
    return { id: error.delegationId ?? null, code: error.code, txId: null, state: null, cost: null };
  return {
    id: null,
    code: `INTERNAL ${String(error)}`,
    txId: null,
    state: null,
    cost: null,
  };
}

/** No outage looks like this: what it passes for would hide a fault. */
function isOfTheProgram(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
}

function errorOf(word: unknown): unknown {
  return typeof word === 'object' && word !== null && 'err' in word ? word.err : word;
}

function text(words: readonly unknown[]): string {
  return words
    .map((word) => (word instanceof Error ? word.message : typeof word === 'object' ? brief(word) : (word as string)))
    .join(' ');
}

function brief(word: unknown): string {
  const { err, ...rest } = word as { err?: Error };
  return `${err ? `${err.message} ` : ''}${JSON.stringify(rest)}`;
}
