import { execFile, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** PostgreSQL refuses to run as root, so root starts it as somebody else; everybody else starts it as themselves: `{}`. */
export interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
}

/** The owner of an existing data directory, else the system user `postgres`, made when it is missing. */
export async function chooseRunAs(dataDirectory: string): Promise<RunAs> {
  if (process.getuid?.() !== 0) return {};
  const owner = statSync(dataDirectory, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return (await findPostgresUser()) ?? (await createPostgresUser());
}

/** Directories of 0700 on the way (`mktemp -d`, /root) keep the other user out even where the files themselves are readable. */
export function canReach(path: string, { uid, gid }: RunAs): boolean {
  return uid === undefined || spawnSync('test', ['-x', path], { uid, gid, cwd: '/' }).status === 0;
}

async function findPostgresUser(): Promise<RunAs | null> {
  try {
    const ids = await Promise.all([execute('id', ['-u', 'postgres']), execute('id', ['-g', 'postgres'])]);
    return { uid: Number(ids[0].stdout), gid: Number(ids[1].stdout) };
  } catch {
    return null;
  }
}

async function createPostgresUser(): Promise<RunAs> {
  // Another first start may make them at the same moment: only the user found afterwards counts.
  const outcomes = [
    await execute('groupadd', ['--system', 'postgres']).catch(String),
    await execute('useradd', ['--system', '-g', 'postgres', '-M', 'postgres']).catch(String),
  ];
  const user = await findPostgresUser();
  if (user) return user;
  throw new Error(
    'PostgreSQL does not run as root, and no system user "postgres" could be made. ' +
      `Create one, start as another user, or set DATABASE_URL. (${outcomes.filter((o) => typeof o === 'string').join('; ')})`,
  );
}
