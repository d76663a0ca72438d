import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express } from 'express';
import { ChainModule } from '../chain/chain.module';
import { FreeActivationRepository } from '../delegation/placing/free-activation.repository';
import { MailModule } from '../mail/mail.module';
import { DepositsModule } from '../deposits/deposits.module';
import { StakeCareModule } from '../stake-care/stake-care.module';
import { DepositMetrics } from './metrics/deposit.metrics';
import { FollowerMetrics } from './metrics/follower.metrics';
import { MailMetrics } from './metrics/mail.metrics';
import { MetricsEndpoint } from './metrics/metrics.endpoint';
import { MetricsRegistry } from './metrics/metrics.registry';
import { MetricsRepository } from './metrics/metrics.repository';
import { NodeMetrics } from './metrics/node.metrics';
import { OrderMetrics } from './metrics/order.metrics';
import { PoolMetrics } from './metrics/pool.metrics';
import { RequestMetrics } from './metrics/request.metrics';
import { SignerMetrics } from './metrics/signer.metrics';
import { StakeMetrics } from './metrics/stake.metrics';
import { WebhookMetrics } from './metrics/webhook.metrics';
import { OrderTraceRepository } from './tracing/order-trace.repository';
import { Traces } from './tracing/traces';

/** Metrics and traces, both off unless configured. */
@Module({
  imports: [ChainModule, MailModule, StakeCareModule, DepositsModule],
  providers: [
    MetricsRegistry,
    MetricsRepository,
    RequestMetrics,
    NodeMetrics,
    FreeActivationRepository,
    OrderMetrics,
    PoolMetrics,
    StakeMetrics,
    SignerMetrics,
    DepositMetrics,
    FollowerMetrics,
    WebhookMetrics,
    MailMetrics,
    MetricsEndpoint,
    OrderTraceRepository,
    Traces,
  ],
  exports: [MetricsEndpoint, MetricsRegistry],
})
export class TelemetryModule implements NestModule {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly endpoint: MetricsEndpoint,
    private readonly registry: MetricsRegistry,
    private readonly requests: RequestMetrics,
    private readonly nodes: NodeMetrics,
    private readonly webhooks: WebhookMetrics,
    private readonly mails: MailMetrics,
    private readonly traces: Traces,
  ) {}

  /** Runs before any route is registered, because this module is imported first: it measures the whole of each request. */
  async configure(_consumer: MiddlewareConsumer): Promise<void> {
    const express = this.adapterHost.httpAdapter.getInstance<Express>();
    if (this.endpoint.wanted) {
      this.registry.start();
      this.nodes.start();
      this.webhooks.start();
      this.mails.start();
      express.use(this.endpoint.onApiPort, this.requests.observe);
    }
    if (await this.traces.start()) express.use(this.traces.observe);
  }
}
