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
  due: 'due',
};
