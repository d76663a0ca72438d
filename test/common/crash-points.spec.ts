import { CrashPoints } from '../../src/common/crash-points';
import { beforeCommit, committed } from '../../src/database/commit.crash-points';

describe('a batch that settles a charge and a reclaim', () => {
  const ran = ['outbox_mark_final', 'billing_take', 'delegation_taken_back'];

  it.each(['CP9', 'CP14'] as const)('is before its commit at %s', (crashAt) => {
    expect(new CrashPoints({ crashAt }).isSet(beforeCommit(ran))).toBe(true);
  });

  it('is at no point of another batch', () => {
    expect(beforeCommit(ran)).toEqual(['CP9', 'CP14']);
    expect(committed(ran)).toEqual(['CP10']);
    expect(new CrashPoints({ crashAt: 'CP15' }).isSet(beforeCommit(ran))).toBe(false);
    expect(new CrashPoints({ crashAt: undefined }).isSet(beforeCommit(ran))).toBe(false);
  });
});
