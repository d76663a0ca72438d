import { spawnSync } from 'node:child_process';

/** Null without git, or outside a repository of it. */
function git(root, ...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** The commit that a result belongs to; with a `+` when something but documents was changed and is not committed. */
export function commitOf(root) {
  const commit = git(root, 'rev-parse', '--short', 'HEAD');
  if (commit === null) return 'unknown+';
  return git(root, 'status', '--porcelain', '--', '.', ':!docs') === '' ? commit : `${commit}+`;
}

/** Are these files as they were at that commit? */
export function areUnchanged(root, commit, paths) {
  if (commit.endsWith('+')) return false;
  return git(root, 'diff', '--quiet', commit, '--', ...paths) !== null;
}
