import { CrashPoints } from '../../src/common/crash-points';
import { beforeCommit, committed } from '../../src/database/commit.crash-points';

describe('a batch that settles a charge and a reclaim', () => {
  const ran = ['outbox_mark_final', 'billing_take', 'delegation_taken_back'];

  it.each(['before-charge-commit', 'before-reclaim-final-commit'] as const)('is before its commit at %s', (crashAt) => {
    expect(new CrashPoints({ crashAt }).isSet(beforeCommit(ran))).toBe(true);
  });

  it('is at no point of another batch', () => {
    expect(beforeCommit(ran)).toEqual(['before-charge-commit', 'before-reclaim-final-commit']);
    expect(committed(ran)).toEqual(['after-charge-commit']);
    expect(new CrashPoints({ crashAt: 'before-release-commit' }).isSet(beforeCommit(ran))).toBe(false);
    expect(new CrashPoints({ crashAt: undefined }).isSet(beforeCommit(ran))).toBe(false);
  });
});
