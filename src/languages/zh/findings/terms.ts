/** States of an order; the panel's pages of orders have them too. */
export const ORDER_STATE_TERMS = {
  pending: '待发送',
  activating: '激活中',
  sent: '已发送',
  included: '已上链',
  delegated: '已委托',
  reclaiming: '回收中',
  reclaimed: '已回收',
  failed: '失败',
  taking_back: '失败后回收中',
  taken_back: '失败后已回收',
} as const;

/** What stands in a reason as the rows have it. */
export const CHINESE_TERMS: Readonly<Record<string, string>> = {
  ...ORDER_STATE_TERMS,
  none: '未应答',
  success: '成功',
  failure: '失败',
  held: '冻结中',
  taken: '已收取',
  released: '已解除',
  missing: '缺失',
  saved: '已保存',
  final: '已最终确认',
  dead: '已失效',
  activation: '激活',
  delegation: '委托',
  reclaim: '回收',
  vote: '投票',
  claim: '领取奖励',
  freeze_energy: '质押能量',
  freeze_bandwidth: '质押带宽',
  unfreeze_energy: '解除能量质押',
  unfreeze_bandwidth: '解除带宽质押',
  withdrawal: '提取',
  cancel_unfreeze: '取消解除质押',
  subscription: '套餐',
  balance: '余额',
  credit: '入账',
  debit: '扣减',
  charge: '扣费',
  deposit: '充值',
};

/** A word of a newer version stays as it is. */
export function termInChinese(word: string): string {
  return Object.hasOwn(CHINESE_TERMS, word) ? CHINESE_TERMS[word]! : word;
}
