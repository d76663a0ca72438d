import { Module } from '@nestjs/common';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { ChainModule } from '../chain/chain.module';
import { ReportingModule } from '../reporting/reporting.module';
import { AwaitOperation } from './await-operation';
import { CareTurns } from './care-turns';
import { CareRepository } from './care.repository';
import { CarryOut } from './carry-out';
import { DiagnoseCareKeys } from './diagnose-care-keys';
import { EveryKey } from './every-key';
import { LookAtStake } from './look-at-stake';
import { OperationRepository } from './operation.repository';
import { PlanOperation } from './plan-operation';
import { PoolEarnings } from './pool-earnings';
import { ReadingRepository } from './readings/reading.repository';
import { WitnessReadings } from './readings/witness-readings';
import { WitnessRepository } from './readings/witness.repository';
import { ReceivedAmounts } from './received-amounts';
import { SettleOperation } from './settle-operation';
import { StakeCare } from './stake-care';
import { StakeCareSchedule } from './stake-care.schedule';
import { StakeOverview } from './stake-overview';

/** Has the pool's stake vote, claims what it earns, and changes it as operators ask. It lends nothing and takes nothing back. */
@Module({
  imports: [AuditLogModule, ChainModule, ReportingModule],
  providers: [
    CareRepository,
    OperationRepository,
    ReadingRepository,
    WitnessRepository,
    WitnessReadings,
    CareTurns,
    PlanOperation,
    CarryOut,
    SettleOperation,
    AwaitOperation,
    LookAtStake,
    ReceivedAmounts,
    StakeCare,
    StakeCareSchedule,
    StakeOverview,
    PoolEarnings,
    DiagnoseCareKeys,
    EveryKey,
  ],
  exports: [
    CareRepository,
    ReadingRepository,
    WitnessRepository,
    OperationRepository,
    PlanOperation,
    CarryOut,
    AwaitOperation,
    StakeCare,
    StakeOverview,
    PoolEarnings,
    DiagnoseCareKeys,
    EveryKey,
  ],
})
export class StakeCareModule {}
