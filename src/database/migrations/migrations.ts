import { FirstTables } from './0001-first-tables.migration';
import { RateLimitWindows } from './0002-rate-limit-windows.migration';
import { PanelTables } from './0003-panel-tables.migration';
import { FindingsAndOrderSwitch } from './0004-findings-and-order-switch.migration';
import { Reservations } from './0005-reservations.migration';
import { ReconcilerInBatches } from './0006-reconciler-in-batches.migration';
import { AuditActorsAndPages } from './0007-audit-actors-and-pages.migration';
import { SignIn } from './0008-sign-in.migration';
import { WalletsResume } from './0010-wallets-resume.migration';

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
];
