import type { whyRefused as English } from '../en/why-refused';

export const whyRefused: typeof English = {
  node: '服务暂时无法读取链上数据',
  restored: '数据库是恢复或复制的，运营人员确认之前（restore:confirm），服务不签署任何交易',
  switch: '“接受新订单”开关已关闭',
  noWallet: '没有委托能量的钱包（请在“钱包”页面或用 pool:add 添加）',
  noneActive: '所有委托能量的钱包均已暂停或停用中',
  unread: '能量可能足够的钱包无法从链上读取',
  stake: '所有启用的钱包剩余能量都不足一笔交易',
  fees: '有能量的钱包没有足够的带宽或 TRX 支付订单及其回收',
  key: '钱包密钥无法读取，或不属于该钱包，或权限过大（见 doctor）',
  signer: '钱包的签名程序无法连接，或拒绝签名（见“异常”页面）',
  rests: '网络最近拒绝了所有有能量的钱包的交易，这些钱包暂停接单（见“异常”页面）',
  other: '暂时没有钱包接单（见日志）',
};
