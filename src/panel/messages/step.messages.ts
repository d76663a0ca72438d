import { bilingual } from './bilingual';

export const STEP_MESSAGES = bilingual({
  en: {
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
  },
  zh: {
    progress: '订单进度',
    steps: {
      ordered: '已下单',
      included: '已上链',
      charged: '已固化并扣费',
      back: '能量已收回',
      failed: '失败，未扣费',
    },
    activating: '正在激活接收地址',
    underWay: '进行中',
    due: '计划',
  },
});
