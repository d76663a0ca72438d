import type { search as English } from '../../en/panel/search';

export const search: typeof English = {
  title: '搜索',
  operatorPlaceholder: '交易哈希、地址、订单、用户……（/）',
  userPlaceholder: '交易哈希、地址、订单……（/）',
  operatorHint:
    '可输入交易哈希、地址或订单编号（完整内容、开头部分或面板中的缩写均可），也可输入区块浏览器网址、参考号、请求编号、用户邮箱、名称的一部分或钱包。',
  userHint:
    '可输入交易哈希、地址或订单编号（完整内容、开头部分或面板中的缩写均可），也可输入区块浏览器网址、幂等键、付款的参考号或请求编号。',
  elsewhere: '在区块浏览器中查看',
  movements: '使用此参考号的入账与扣减',
  booked: '入账时间',
  attempts: '被拒绝的请求',
  nothing: (text) => `没有找到“${text}”。`,
  first: (count) => `仅显示前 ${count} 条。`,
};
