import { ERROR_ANSWERS } from '../../../common/errors/error-codes';
import { whyRefused } from '../why-refused';
import type { newOrders as English } from '../../en/panel/new-orders';

export const newOrders: typeof English = {
  taken: '正在接受新订单。',
  largest: (transactions) => `目前可接受的最大订单：${transactions} 笔。`,
  refused: (status, code, why) => `新订单被拒绝（${status} ${code}）：${why}`,
  why: whyRefused,
  noActivation: `需要激活的订单被拒绝（${ERROR_ANSWERS.ACTIVATION_UNAVAILABLE.status} ACTIVATION_UNAVAILABLE）：没有可用的激活钱包。激活钱包须已启用、能从链上读取且未暂停接单，密钥可用，并有足够的 TRX。`,
};
