import type { FindingSubject, RowSubjectType } from '../../../common/finding-subject';
import type { FindingMessages } from '../../finding-messages';
import { KINDS } from './kinds';
import { REASONS } from './reasons';

const ROWS: Readonly<Record<RowSubjectType, string>> = {
  delegation: '订单',
  deposit: '充值',
  deposit_address: '充值地址',
  user: '用户',
  transaction: '交易',
  ledger_entry: '账目',
  subscription: '套餐',
  token_day: '令牌单日用量',
};

function nameOfSubject(subject: FindingSubject): string {
  if (subject.type === 'wallet_transaction') return `${subject.wallet} 的交易 ${subject.id}`;
  if (subject.type === 'wallet_blocks') return `${subject.wallet} 区块 ${subject.id}`;
  if ('id' in subject) return `${ROWS[subject.type]} ${subject.id}`;
  if (subject.type === 'pool') return '钱包池';
  if (subject.type === 'chain') return '区块链';
  if (subject.type === 'database') return '数据库';
  if (subject.type === 'service') return '服务';
  return subject.type === 'wallet' ? subject.wallet : `${subject.wallet} → ${subject.receiver}`;
}

export const findings: FindingMessages = {
  kind: (kind) => KINDS[kind],
  subject: nameOfSubject,
  reasons: REASONS,
  actions: {
    hold_released: () => '已修复：冻结已释放',
    hold_taken: () => '已修复：冻结已转为扣费',
    held_corrected: () => '已修复：冻结金额已改为未结冻结的合计',
    token_used_corrected: () => '已修复：令牌用量已改为其冻结记录的合计',
    wallet_paused: (wallet) => `已暂停：${wallet} 不再接新订单`,
  },
};
