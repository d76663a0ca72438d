import type { FindingParameters } from '../../../common/finding-reasons';
import { trx } from '../../finding-messages';

const ACTS: Readonly<Record<string, (sun: string, receiver: string) => string>> = {
  transfer: (sun, receiver) => `向 ${receiver} 转出${sun === '-' ? '代币' : ` ${trx(sun)} TRX`}`,
  contract_call: (sun, receiver) =>
    `${receiver === '-' ? '创建了合约' : `调用了合约 ${receiver}`}${sun === '-' || sun === '0' ? '' : `，附带 ${trx(sun)} TRX`}`,
  permission_change: () => '更改了账户权限',
  unfreezing: (sun) => `开始解除${sun === '-' ? '' : ` ${trx(sun)} TRX 的`}质押`,
  delegation: (sun, receiver) => `向 ${receiver} 委托 ${trx(sun)} TRX 质押`,
  undelegation: (sun, receiver) => `从 ${receiver} 回收 ${trx(sun)} TRX 质押`,
  vote: () => '进行了投票',
  claim: () => '领取了奖励',
  freezing: (sun) => (sun === '-' ? '重新质押了正在解除质押的 TRX' : `质押了 ${trx(sun)} TRX`),
  withdrawal: () => '提取了已解除质押的 TRX',
  other: (sun) => `发出了本版本不认识的交易${sun === '-' ? '' : `，金额 ${trx(sun)} TRX`}`,
};

export const whatWasDone = (of: FindingParameters['wallet_used']) =>
  `持有 ${of.wallet} 密钥的人${(ACTS[of.act] ?? ACTS['other']!)(of.amount_sun, of.receiver)}，并非通过本服务（交易 ${of.tx_id}，区块 ${of.block}，${of.at}）`;
