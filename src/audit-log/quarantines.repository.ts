import { Injectable } from '@nestjs/common';
import { type Queryable, Sql } from '../database/sql';
import { statement } from '../database/statement';

/** A name may have been another wallet's before: what was found of that one does not concern this one. */
const QUARANTINED = statement<[subject: string], { quarantined: boolean }>(
  'audit_log_quarantined',
  `select exists (select from audit_log q
                   where q.subject = $1 and q.outcome = 'done' and q.action = 'wallet.state' and q.service = 'reconciler'
                     and q.after->>'state' <> 'active'
                     and q.id > coalesce((select max(a.id) from audit_log a
                                           where a.subject = $1 and a.outcome = 'done'
                                             and (a.action = 'wallet.add' or a.action = 'wallet.state' and a.after->>'state' = 'active')), 0)
                 ) as quarantined`,
);

/** Which wallets the reconciler has paused, whatever state an operator has given them since, until they take orders again. */
@Injectable()
export class QuarantinesRepository {
  constructor(private readonly sql: Sql) {}

  async has(wallet: string, db: Queryable = this.sql): Promise<boolean> {
    return (await db.row(QUARANTINED, [`wallet ${wallet}`]))!.quarantined;
  }
}
