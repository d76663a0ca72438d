import type { NoticeState } from '../../notices/notices.entities';
import type { AnyKind, Channel } from '../../notices/notice-kinds';
import { bilingual } from './bilingual';

interface Messages {
  title: string;
  intro: string;
  channels: Record<Channel, string>;
  kinds: Record<AnyKind | 'test', string>;
  kindsOf: string;
  leadsTo: (where: string) => string;
  closed: (settings: string) => string;
  save: string;
  saved: string;
  test: (channel: string) => string;
  taken: string;
  notTaken: (code: string) => string;
  last: string;
  none: string;
  time: string;
  channel: string;
  what: string;
  state: string;
  states: Record<NoticeState, string>;
  attempts: string;
  error: string;
}

export const NOTICE_MESSAGES = bilingual<Messages>({
  en: {
    title: 'Notices',
    intro:
      'Something that is wrong is told once, again each day while it lasts, and never twice in an hour. Where notices lead is set in the settings of the service.',
    channels: { email: 'E-mail', telegram: 'Telegram', webhook: 'Webhook', customers: 'Customers, by e-mail' },
    kinds: {
      finding: 'Findings',
      quarantine: 'Wallets that were paused for a finding',
      low_stake: 'Low stake',
      low_bandwidth: 'Low bandwidth',
      low_trx: 'Low TRX',
      orders_failing: 'Orders fail, or none can be taken',
      node_set_aside: 'A node is set aside',
      webhook_disabled: 'A customer’s webhook was disabled',
      witness_changed: 'A witness of the network, or its key, has changed',
      low_balance: 'Their balance is below their own threshold',
      test: 'Test',
    },
    kindsOf: 'Tell of',
    leadsTo: (where: string) => `Leads to ${where}.`,
    closed: (settings: string) => `Not set up: ${settings}.`,
    save: 'Save',
    saved: 'The choice was saved.',
    test: (channel: string) => `Send a test by ${channel}`,
    taken: 'The test was taken.',
    notTaken: (code: string) => `The test was not taken: ${code}.`,
    last: 'The last notices',
    none: 'None were sent yet.',
    time: 'Time',
    channel: 'Way',
    what: 'What',
    state: 'State',
    states: { pending: 'waiting', sent: 'sent', failed: 'given up' },
    attempts: 'Attempts',
    error: 'Why not',
  },
  zh: {
    title: '通知',
    intro: '出现问题时通知一次，持续期间每天再通知一次，同一事项一小时内不会重复。通知的去向在服务的设置中配置。',
    channels: { email: '电子邮件', telegram: '电报（Telegram）', webhook: '推送（Webhook）', customers: '客户邮件' },
    kinds: {
      finding: '核对结果',
      quarantine: '因核对结果而暂停的钱包',
      low_stake: '质押不足',
      low_bandwidth: '带宽不足',
      low_trx: '钱包 TRX 不足',
      orders_failing: '订单失败或无法接单',
      node_set_aside: '节点被停用',
      webhook_disabled: '客户的推送被停用',
      witness_changed: '网络的见证人或其密钥已改变',
      low_balance: '余额低于客户自设的提醒值',
      test: '测试',
    },
    kindsOf: '通知内容',
    leadsTo: (where: string) => `发往：${where}。`,
    closed: (settings: string) => `尚未设置：${settings}。`,
    save: '保存',
    saved: '选择已保存。',
    test: (channel: string) => `通过${channel}发送测试`,
    taken: '测试通知已被接收。',
    notTaken: (code: string) => `测试通知未被接收：${code}。`,
    last: '最近的通知',
    none: '尚未发送任何通知。',
    time: '时间',
    channel: '方式',
    what: '内容',
    state: '状态',
    states: { pending: '等待中', sent: '已发送', failed: '已放弃' },
    attempts: '尝试次数',
    error: '未接收原因',
  },
});
