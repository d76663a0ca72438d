import type { switches as English } from '../../en/panel/switches';
import { filled } from '../../filled';

export const switches: typeof English = {
  longReason: '原因最多 300 个字符。',
  publicReason: '所有人都能在状态页上看到此内容。',
  orders: {
    title: '新订单总开关',
    on: '已开启：新订单不受其限制。',
    off: (since, reason) => filled`已关闭：所有实例均不接受新订单，回收继续进行。开始于 ${since} ${reason}`,
    pause: '暂停所有新订单',
    confirmation: '暂停所有新订单？',
    text: '恢复之前，所有实例拒绝所有用户的新订单。回收继续进行。',
    resume: '恢复接受新订单',
    switched: '开关已设置，下一个订单起生效。',
  },
  reclaims: {
    title: '回收总开关',
    on: '已开启：到期的质押会被收回。',
    off: (since, reason) => filled`已关闭：所有实例均不收回质押，仍接受新订单。开始于 ${since} ${reason}`,
    pause: '暂停所有回收',
    confirmation: '暂停所有回收？',
    text: '恢复之前，所有实例均不收回质押。接收地址会一直保留能量，新订单可用的质押随之减少，但仍接受新订单。',
    resume: '恢复收回质押',
    switched: '开关已设置，下一次回收起生效。',
  },
};
