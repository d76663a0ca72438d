import { Module } from '@nestjs/common';
import { AuditLogModule } from '../../audit-log/audit-log.module';
import { ChainModule } from '../../chain/chain.module';
import { DelegationModule } from '../../delegation/delegation.module';
import { DepositsModule } from '../deposits.module';
import { ExpireSweeps } from './expire-sweeps';
import { Holdings } from './holdings';
import { JudgeSweeps } from './judge-sweeps';
import { OwnOrders } from './own-orders';
import { PlanSweeps } from './plan-sweeps';
import { SendSweeps } from './send-sweeps';
import { SettleSweep } from './settle-sweep';
import { SweepEnergy } from './sweep-energy';
import { Sweeps } from './sweeps';
import { SweepsSchedule } from './sweeps.schedule';
import { TakeSigned } from './take-signed';

/** What customers have paid goes on to the treasury, by transactions that are signed where no service is. */
@Module({
  imports: [AuditLogModule, ChainModule, DelegationModule, DepositsModule],
  providers: [
    Holdings,
    ExpireSweeps,
    PlanSweeps,
    TakeSigned,
    SendSweeps,
    SettleSweep,
    OwnOrders,
    SweepEnergy,
    JudgeSweeps,
    Sweeps,
    SweepsSchedule,
  ],
  exports: [PlanSweeps, TakeSigned, SendSweeps, Sweeps],
})
export class SweepsModule {}
