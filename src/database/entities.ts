import { ApiToken } from '../auth/api-token.entity';
import { AuditEntry } from '../auth/audit-log/audit-entry.entity';
import { Invitation } from '../auth/invitations/invitation.entity';
import { KnownPlace } from '../auth/known-places/known-place.entity';
import { RateLimitWindow } from '../auth/rate-limit/rate-limit-window.entity';
import { SessionSecret } from '../auth/sessions/session-secret.entity';
import { Session } from '../auth/sessions/session.entity';
import { User } from '../auth/user.entity';
import { Account } from '../balance/account.entity';
import { LedgerEntry } from '../balance/ledger-entry.entity';
import { Hold } from '../billing/hold.entity';
import { Subscription } from '../billing/subscription.entity';
import { ChainIdentity } from '../chain/chain-identity.entity';
import { ChainTransaction } from '../chain/chain-transaction.entity';
import { OrderSwitch } from '../chain/pool/order-switch.entity';
import { PoolWallet } from '../chain/pool/pool-wallet.entity';
import { DelegationEvent } from '../delegation/delegation-event.entity';
import { Delegation } from '../delegation/delegation.entity';
import { Finding } from '../delegation/reconciler/finding.entity';
import { JobRun } from '../delegation/reconciler/job-run.entity';
import { ReconcileMark } from '../delegation/reconciler/reconcile-mark.entity';
import { WholeCheck } from '../delegation/reconciler/whole-check.entity';
import { UnexplainedStake } from '../delegation/reconciler/unexplained-stake.entity';

/** Every table of the service, for the application, the command line, migrations and tests alike. */
export const ENTITIES = [
  User,
  ApiToken,
  Account,
  LedgerEntry,
  Subscription,
  Hold,
  PoolWallet,
  ChainIdentity,
  ChainTransaction,
  Delegation,
  DelegationEvent,
  RateLimitWindow,
  OrderSwitch,
  Finding,
  JobRun,
  ReconcileMark,
  WholeCheck,
  UnexplainedStake,
  Session,
  SessionSecret,
  Invitation,
  KnownPlace,
  AuditEntry,
];
