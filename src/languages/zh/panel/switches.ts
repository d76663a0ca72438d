import type { switches as English } from '../../en/panel/switches';
import { filled } from '../../filled';

export const switches: typeof English = {
  longReason: '原因最多 300 个字符。',
  publicReason: '所有人都能在状态页上看到此内容。',
  orders: {
    title: '接受新订单',
    on: '已开启',
    off: (since, reason) => filled`已关闭：所有实例均不接受新订单，回收照常进行。关闭时间：${since} ${reason}`,
    pause: '暂停所有新订单',
    confirmation: '暂停所有新订单？',
    text: '恢复之前，所有实例都会拒绝所有用户的新订单。回收照常进行。',
    resume: '恢复接受新订单',
    switched: '开关已设置，自下一笔订单起生效。',
  },
  reclaims: {
    title: '回收能量',
    on: '已开启',
    off: (since, reason) => filled`已关闭：所有实例均不回收能量，仍接受新订单。关闭时间：${since} ${reason}`,
    pause: '暂停所有回收',
    confirmation: '暂停所有回收？',
    text: '恢复之前，所有实例均不回收能量。能量会一直留在接收地址，新订单可用的质押随之减少，但服务仍接受新订单。',
    resume: '恢复回收能量',
    switched: '开关已设置，自下一次回收起生效。',
  },
};
