import { spawnSync } from 'node:child_process';

/** The commit that a result belongs to; with a `+` when something of it was changed and is not committed. */
export function commitOf(root) {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim();
  const isChanged = git('status', '--porcelain', '--', 'src', 'config', 'test') !== '';
  return git('rev-parse', '--short', 'HEAD') + (isChanged ? '+' : '');
}
