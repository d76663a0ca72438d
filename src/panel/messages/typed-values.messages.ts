import { bilingual } from './bilingual';

/** Only these are ever shown again: no password, no token, nothing that a form hides. */
export const TYPED_MESSAGES = bilingual({
  en: {
    typed: 'What you had typed:',
    fields: {
      email: 'E-mail',
      name: 'Name',
      permissions: 'Permissions',
      expires: 'Expires in days',
      kind: 'Movement',
      amount: 'Amount',
      note: 'Reason',
      reference: 'Reference',
      transactions: 'Transactions',
      days: 'Days',
      unit_price: 'Unit price',
      rate_limit: 'Calls a minute',
      reason: 'Reason',
      receiver: 'Receiver address',
      url: 'URL',
      events: 'Events',
      low_balance: 'Low balance',
    },
  },
  zh: {
    typed: '您填写的内容：',
    fields: {
      email: '邮箱',
      name: '名称',
      permissions: '权限',
      expires: '有效天数',
      kind: '变动',
      amount: '数量',
      note: '原因',
      reference: '参考号',
      transactions: '笔数',
      days: '天数',
      unit_price: '单价',
      rate_limit: '每分钟调用数',
      reason: '原因',
      receiver: '接收地址',
      url: '推送地址',
      events: '事件',
      low_balance: '余额提醒值',
    },
  },
});
