import type { whyRefused as English } from '../en/why-refused';

export const whyRefused: typeof English = {
  node: '一段时间以来无法读取链上数据',
  restored: '数据库被恢复或复制，在运营人员确认由其继续之前（restore:confirm）不签署任何交易',
  switch: '总开关已关闭',
  noWallet: '没有可借出能量的钱包（请在“钱包”页面或用 pool:add 添加）',
  noneActive: '所有可借出能量的钱包均已暂停或正在停用收回',
  unread: '可能有足够质押的钱包无法从链上读取',
  stake: '没有启用的钱包剩余足够一笔交易的质押',
  fees: '有质押的钱包没有足够的带宽或 TRX 支付订单及其回收',
  key: '此处无法读取钱包密钥，或密钥不属于该钱包，或其权限过大（见 doctor）',
  signer: '钱包的签名程序无法连接，或拒绝签名（见核对结果）',
  rests: '有质押的钱包最近的交易均被网络拒绝，暂停接单（见核对结果）',
  other: '暂时没有钱包接单（见日志）',
};
