import { AuditCommand } from './audit.command';
import { DelegationListCommand } from './delegation-list.command';
import { DelegationShowCommand } from './delegation-show.command';
import { DoctorCommand } from './doctor.command';
import { PoolAddCommand } from './pool-add.command';
import { PoolListCommand } from './pool-list.command';
import { PoolDrainCommand, PoolPauseCommand, PoolResumeCommand } from './pool-state.command';
import { ReclaimRunCommand } from './reclaim-run.command';

export const POOL_AND_ORDER_COMMANDS = [
  PoolAddCommand,
  PoolListCommand,
  PoolPauseCommand,
  PoolResumeCommand,
  PoolDrainCommand,
  DelegationListCommand,
  DelegationShowCommand,
  ReclaimRunCommand,
  AuditCommand,
  DoctorCommand,
];
