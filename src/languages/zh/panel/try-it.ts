import type { tryIt as English } from '../../en/panel/try-it';

export const tryIt: typeof English = {
  title: '试用接口',
  text: '填写订单即可看到对应的调用命令，也可以直接从这里发送。发送后即为真实订单，与其他订单一样消耗套餐或余额。',
  receiver: '接收地址',
  amount: '笔数',
  amountHint: '至少 1 笔，每笔 65,000 能量。',
  time: '租用时长',
  minutes: (minutes) => `${minutes} 分钟`,
  activate: '激活接收地址（activate_address）',
  activateHint: '如接收地址未激活则先激活；确需激活时收取 1.5 TRX。',
  tokenHint: '仅用于从这里下单，不会保存，也不会再次显示。',
  show: '显示调用命令',
  send: '下单',
  call: '调用命令',
  callText: '令牌放在变量 TOKEN 中。使用相同的 Idempotency-Key 重复发送不会产生第二个订单。',
  answer: '应答',
  tokenNeeded: '从这里下单需要粘贴令牌。请在“API 令牌”中创建。',
  tokenElsewhere: '该令牌不允许从您所在的网络使用：其限制只列出了其他网络。',
  noAnswer: '服务未及时应答。请在“订单”中查看结果。',
  order: '查看订单',
};
