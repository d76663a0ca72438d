import type { ComponentChildren } from 'preact';
import { filled } from '../../filled';

export const step = {
  progress: 'Progress of the order',
  steps: {
    ordered: 'Ordered',
    included: 'In a block',
    charged: 'Final and charged',
    back: 'Energy back',
    failed: 'Failed, not charged',
  },
  activating: 'the receiver is being activated',
  underWay: 'under way',
  due: (at: ComponentChildren) => filled`due ${at}`,
  quotaAnd: (trx: string) => `quota, ${trx} TRX`,
};
