import type { Client } from 'pg';
import type { DatabaseDiagnosis } from './diagnose-database';

interface Role {
  readonly name: string;
  readonly is_superuser: boolean;
  readonly owns_tables: boolean;
}

const NEXT_STEP =
  'Let another role own the tables (DATABASE_MIGRATION_URL), and name one in DATABASE_URL that owns nothing (docs/operations.md, Database).';

/** Whether the service could change its own ledger and audit log: triggers refuse that, but their owner and a superuser can drop triggers. */
export async function diagnoseRole(client: Pick<Client, 'query'>, subject: string): Promise<DatabaseDiagnosis[]> {
  const { rows } = await client.query<Role>(
    `select current_user as name, r.rolsuper as is_superuser,
            pg_has_role(c.relowner, 'member') as owns_tables
       from pg_roles r, pg_class c where r.rolname = current_user and c.oid = to_regclass('ledger_entries')`,
  );
  const [role] = rows;
  if (role?.is_superuser) {
    const reason = `the service's role ${role.name} is a superuser: it can change the ledger and the audit log`;
    return [{ kind: 'role_superuser', subject, reason, next_step: NEXT_STEP }];
  }
  if (!role?.owns_tables) return [];
  const reason = `the service's role ${role.name} owns the tables: it can change the ledger and the audit log`;
  return [{ kind: 'role_owns_tables', subject, reason, next_step: NEXT_STEP }];
}
