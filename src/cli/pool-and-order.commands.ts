import { AuditCommand } from './audit.command';
import { DelegationListCommand } from './delegation-list.command';
import { DelegationShowCommand } from './delegation-show.command';
import { DoctorCommand } from './doctor.command';
import { FindingAcknowledgeCommand, FindingListCommand } from './finding.commands';
import { OrdersPauseCommand, OrdersResumeCommand, OrdersStateCommand } from './orders-switch.commands';
import { PoolAddCommand } from './pool-add.command';
import { PoolForecastCommand } from './pool-forecast.command';
import { PoolListCommand } from './pool-list.command';
import { PoolRemoveCommand } from './pool-remove.command';
import { PoolDrainCommand, PoolPauseCommand, PoolResumeCommand } from './pool-state.command';
import { PoolUpdateCommand } from './pool-update.command';
import { ReclaimRunCommand } from './reclaim-run.command';
import { ReconcileCommand } from './reconcile.command';

export const POOL_AND_ORDER_COMMANDS = [
  PoolAddCommand,
  PoolUpdateCommand,
  PoolRemoveCommand,
  PoolListCommand,
  PoolForecastCommand,
  PoolPauseCommand,
  PoolResumeCommand,
  PoolDrainCommand,
  DelegationListCommand,
  DelegationShowCommand,
  ReclaimRunCommand,
  OrdersPauseCommand,
  OrdersResumeCommand,
  OrdersStateCommand,
  FindingListCommand,
  FindingAcknowledgeCommand,
  ReconcileCommand,
  AuditCommand,
  DoctorCommand,
];
