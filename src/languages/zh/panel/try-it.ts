import type { tryIt as English } from '../../en/panel/try-it';

export const tryIt: typeof English = {
  title: '试用 API',
  text: '填写订单，复制对应的 API 调用，或直接在此下单。在此下的订单都是真实订单，会扣费。',
  receiver: '接收地址',
  amount: '笔数',
  amountHint: '至少 1 笔，每笔 65\u202f000 能量。',
  time: '租用时长',
  minutes: (minutes) => `${minutes} 分钟`,
  activate: '激活接收地址（activate_address）',
  activateHint: '如果接收地址尚未激活，服务会先激活，另收 1.5 TRX。',
  tokenHint: '仅用于在此下单。服务不会保存令牌，也不会再次显示。',
  show: '显示调用命令',
  send: '下单',
  call: '调用命令',
  callText: '请将令牌放入变量 TOKEN。使用相同的 Idempotency-Key 重发，不会产生第二笔订单。',
  answer: '应答',
  tokenNeeded: '请粘贴令牌，然后在此下单。令牌可在“API 令牌”中创建。',
  tokenElsewhere: '该令牌不允许从您所在的网段使用。',
  noAnswer: '服务未及时应答。请在“订单”中查看结果。',
  order: '查看订单',
};
