import type { Client } from 'pg';
import { type Weakness, weakness } from '../common/weakness';

interface Role {
  readonly name: string;
  readonly is_superuser: boolean;
  readonly owns_tables: boolean;
}

/** Whether the service could change its own ledger and audit log: triggers refuse that, but their owner and a superuser can drop triggers. */
export async function diagnoseRole(client: Pick<Client, 'query'>, subject: string): Promise<Weakness[]> {
  const { rows } = await client.query<Role>(
    `select current_user as name, r.rolsuper as is_superuser,
            pg_has_role(c.relowner, 'member') as owns_tables
       from pg_roles r, pg_class c where r.rolname = current_user and c.oid = to_regclass('ledger_entries')`,
  );
  const [role] = rows;
  if (role?.is_superuser) return [weakness('role_superuser', subject, { role: role.name })];
  return role?.owns_tables ? [weakness('role_owns_tables', subject, { role: role.name })] : [];
}
