import type { step as English } from '../../en/panel/step';
import { filled } from '../../filled';

export const step: typeof English = {
  progress: '订单进度',
  steps: {
    ordered: '下单',
    included: '上链',
    charged: '最终确认并扣费',
    back: '能量回收',
    failed: '失败，未扣费',
  },
  activating: '正在激活接收地址',
  underWay: '进行中',
  due: (at) => filled`计划 ${at}`,
  quotaAnd: (trx) => `套餐，${trx} TRX`,
};
