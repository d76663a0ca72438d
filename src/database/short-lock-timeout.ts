import type { Statement } from './sql';

/** For the rest of a transaction: who is refused a lock comes back for it, and keeps nobody waiting meanwhile. */
export const SHORT_LOCK_TIMEOUT: Statement = {
  name: 'short_patience',
  text: `select set_config('lock_timeout', '500ms', true)`,
};
