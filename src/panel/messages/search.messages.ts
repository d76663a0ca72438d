import { bilingual } from './bilingual';

export const SEARCH_MESSAGES = bilingual({
  en: {
    title: 'Search',
    operatorPlaceholder: 'Txid, address, order, user … ( / )',
    userPlaceholder: 'Txid, address, order … ( / )',
    operatorHint: "A txid, a receiver's address, an order's id, a user's e-mail address or part of a name, a wallet.",
    userHint: "A txid, a receiver's address, an order's id, or the key that you gave it.",
    nothing: (text: string) => `Nothing was found for “${text}”.`,
    orders: 'Orders',
    users: 'Users',
    wallets: 'Wallets',
    first: (count: number) => `The first ${count} are shown.`,
  },
  zh: {
    title: '搜索',
    operatorPlaceholder: '交易哈希、地址、订单、用户……（/）',
    userPlaceholder: '交易哈希、地址、订单……（/）',
    operatorHint: '可输入交易哈希、接收地址、订单编号、用户邮箱、名称的一部分或钱包。',
    userHint: '可输入交易哈希、接收地址、订单编号，或您为订单设定的幂等键。',
    nothing: (text: string) => `没有找到“${text}”。`,
    orders: '订单',
    users: '用户',
    wallets: '钱包',
    first: (count: number) => `仅显示前 ${count} 条。`,
  },
});
