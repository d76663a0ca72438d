import { FirstTables } from './0001-first-tables.migration';
import { RateLimitWindows } from './0002-rate-limit-windows.migration';
import { PanelTables } from './0003-panel-tables.migration';
import { FindingsAndOrderSwitch } from './0004-findings-and-order-switch.migration';
import { Reservations } from './0005-reservations.migration';
import { ReconcilerInBatches } from './0006-reconciler-in-batches.migration';
import { AuditActorsAndPages } from './0007-audit-actors-and-pages.migration';
import { SignIn } from './0008-sign-in.migration';
import { WalletsResume } from './0010-wallets-resume.migration';
import { FindingsSeen } from './0011-findings-seen.migration';
import { FreeBandwidth } from './0012-free-bandwidth.migration';
import { WalletsRestAndLeave } from './0013-wallets-rest-and-leave.migration';
import { ClaimsAndClosedPairs } from './0014-claims-and-closed-pairs.migration';
import { FreeActivations } from './0015-free-activations.migration';
import { WholeCheckTable } from './0017-whole-check.migration';
import { WalletsRemoved } from './0019-wallets-removed.migration';
import { FindingsInColumns } from './0020-findings-in-columns.migration';
import { FindingsCarried } from './0021-findings-carried.migration';
import { BelievedChain } from './0022-believed-chain.migration';
import { ReconcilerSucceeded } from './0024-reconciler-succeeded.migration';
import { Webhooks } from './0030-webhooks.migration';

/** In the order they are applied; a migration that was released is never changed. */
export const MIGRATIONS = [
  { name: '0001-first-tables', class: FirstTables },
  { name: '0002-rate-limit-windows', class: RateLimitWindows },
  { name: '0003-panel-tables', class: PanelTables },
  { name: '0004-findings-and-order-switch', class: FindingsAndOrderSwitch },
  { name: '0005-reservations', class: Reservations },
  { name: '0006-reconciler-in-batches', class: ReconcilerInBatches },
  { name: '0007-audit-actors-and-pages', class: AuditActorsAndPages },
  { name: '0008-sign-in', class: SignIn },
  { name: '0010-wallets-resume', class: WalletsResume },
  { name: '0011-findings-seen', class: FindingsSeen },
  { name: '0012-free-bandwidth', class: FreeBandwidth },
  { name: '0013-wallets-rest-and-leave', class: WalletsRestAndLeave },
  { name: '0014-claims-and-closed-pairs', class: ClaimsAndClosedPairs },
  { name: '0015-free-activations', class: FreeActivations },
  { name: '0017-whole-check', class: WholeCheckTable },
  { name: '0019-wallets-removed', class: WalletsRemoved },
  { name: '0020-findings-in-columns', class: FindingsInColumns },
  { name: '0021-findings-carried', class: FindingsCarried },
  { name: '0022-believed-chain', class: BelievedChain },
  { name: '0024-reconciler-succeeded', class: ReconcilerSucceeded },
  { name: '0030-webhooks', class: Webhooks },
];
