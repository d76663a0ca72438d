import type { typedValues as English } from '../../en/panel/typed-values';

export const typedValues: typeof English = {
  typed: '您填写的内容：',
  fields: {
    email: '邮箱',
    name: '名称',
    permissions: '权限',
    expires: '有效天数',
    kind: '调整余额',
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
};
