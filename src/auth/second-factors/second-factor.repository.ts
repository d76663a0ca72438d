import { Injectable } from '@nestjs/common';
import { type Queryable, Sql, type SqlTransaction } from '../../database/sql';
import { statement } from '../../database/statement';

export interface SecondFactorView {
  readonly createdAt: Date;
  readonly recoveryCodes: number;
}

const FIND = statement<[userId: string], SecondFactorView>(
  'second_factor_find',
  `select f.created_at as "createdAt",
          (select count(*)::integer from recovery_codes r where r.user_id = f.user_id) as "recoveryCodes"
     from second_factors f where f.user_id = $1`,
);
const FIND_SECRET = statement<[userId: string], { secret: string }>(
  'second_factor_secret',
  'select secret from second_factors where user_id = $1',
);
const COUNT_SECRETS = statement<[], { key: string | null; factors: number }>(
  'second_factor_count_secrets',
  `select case when secret like 'gcm.%' then split_part(secret, '.', 2) end as key, count(*)::integer as factors
     from second_factors group by 1 order by 1`,
);
const PUT = statement<[userId: string, secret: string, step: bigint]>(
  'second_factor_put',
  `insert into second_factors (user_id, secret, last_step) values ($1, $2, $3)
       on conflict (user_id) do update
          set secret = excluded.secret, last_step = excluded.last_step, created_at = excluded.created_at`,
);
/** When two requests give the same code, on whichever instances, one changes the row. The secret: it may have been replaced meanwhile. */
const USE_STEP = statement<[userId: string, secret: string, step: bigint]>(
  'second_factor_use_step',
  'update second_factors set last_step = $3 where user_id = $1 and secret = $2 and last_step < $3',
);
const REMOVE = statement<[userId: string]>('second_factor_remove', 'delete from second_factors where user_id = $1');
const REMOVE_CODES = statement<[userId: string]>(
  'recovery_codes_remove',
  'delete from recovery_codes where user_id = $1',
);
const ADD_CODES = statement<[userId: string, hashes: readonly string[]]>(
  'recovery_codes_add',
  'insert into recovery_codes (user_id, code_hash) select $1, unnest($2::text[])',
);
const USE_CODE = statement<[userId: string, hash: string]>(
  'recovery_code_use',
  `delete from recovery_codes r
    where r.user_id = $1 and r.code_hash = $2 and exists (select from second_factors f where f.user_id = r.user_id)`,
);

/** Tables `second_factors` and `recovery_codes`. */
@Injectable()
export class SecondFactorRepository {
  constructor(private readonly sql: Sql) {}

  find(userId: string, db: Queryable = this.sql): Promise<SecondFactorView | null> {
    return db.row(FIND, [userId]);
  }

  /** As it is kept; null without a second factor. */
  async findSecret(userId: string): Promise<string | null> {
    return (await this.sql.row(FIND_SECRET, [userId]))?.secret ?? null;
  }

  /** How their secrets are kept: by the id of the key, null for those that are not encrypted. */
  countSecrets(): Promise<{ key: string | null; factors: number }[]> {
    return this.sql.rows(COUNT_SECRETS);
  }

  async put(userId: string, secret: string, step: bigint, tx: SqlTransaction): Promise<void> {
    await tx.execute(PUT, [userId, secret, step]);
  }

  /** False when a code of this step or a later one was taken before. */
  async useStep(userId: string, secret: string, step: bigint): Promise<boolean> {
    return (await this.sql.execute(USE_STEP, [userId, secret, step])) > 0;
  }

  async useRecoveryCode(userId: string, hash: string): Promise<boolean> {
    return (await this.sql.execute(USE_CODE, [userId, hash])) > 0;
  }

  /** In place of those there were. */
  async replaceRecoveryCodes(userId: string, hashes: readonly string[], tx: SqlTransaction): Promise<void> {
    await tx.execute(REMOVE_CODES, [userId]);
    await tx.execute(ADD_CODES, [userId, hashes]);
  }

  /** With its recovery codes; false when there was none. */
  async remove(userId: string, tx: SqlTransaction): Promise<boolean> {
    await tx.execute(REMOVE_CODES, [userId]);
    return (await tx.execute(REMOVE, [userId])) > 0;
  }
}
