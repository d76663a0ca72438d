import { ERROR_ANSWERS } from '../../common/errors/error-codes';
import { trxLiteral } from '../../common/money/sun';
import { plural } from '../../common/plural';
import type { OrderOutlookView } from '../../reporting/outlooks/order-outlook';
import { WHY_REFUSED } from '../../reporting/outlooks/why-refused';
import type { NoticeText } from '../notice-kinds';

/** What notices say, in both languages. */
export const NOTICE_TEXTS = {
  finding: (kind: NoticeText, subject: NoticeText, reason: NoticeText, nextStep: NoticeText): NoticeText => ({
    en: `${kind.en}, ${subject.en}: ${reason.en}. What to do: ${nextStep.en}`,
    zh: `${kind.zh}，${subject.zh}：${reason.zh}。处理方法：${nextStep.zh}`,
  }),
  quarantine: (text: NoticeText): NoticeText => ({
    en: `A wallet takes no new orders until this is explained. ${text.en}`,
    zh: `在查明原因之前，该钱包不接受新订单。${text.zh}`,
  }),
  ordersFailing: (succeeded: number, answered: number): NoticeText => ({
    en: `Orders fail: of ${plural(answered, 'answer', 'answers')} in the last hour ${succeeded} were successes.`,
    zh: `订单失败：最近一小时的 ${answered} 个应答中，成功 ${succeeded} 个。`,
  }),
  ordersRefused: ({ code, why }: NonNullable<OrderOutlookView['refusal']>): NoticeText => ({
    en: `No order can be taken now: each is refused with ${ERROR_ANSWERS[code].status} ${code}: ${WHY_REFUSED.en[why]}.`,
    zh: `目前无法接单：所有订单均被拒绝（${ERROR_ANSWERS[code].status} ${code}）：${WHY_REFUSED.zh[why]}。`,
  }),
  nodeSetAside: (host: string, isLast: boolean): NoticeText => ({
    en: `The node ${host} is set aside: it fails or is behind.${isLast ? ' No other node works.' : ''}`,
    zh: `节点 ${host} 已被停用：出现故障或落后。${isLast ? '没有其他可用节点。' : ''}`,
  }),
  webhookDisabled: (host: string, email: string): NoticeText => ({
    en: `The webhook at ${host} of ${email} was disabled: it wanted no more, or had no success for five days.`,
    zh: `用户 ${email} 的推送地址 ${host} 已被停用：对方拒绝接收，或连续五天没有成功。`,
  }),
  lowBalance: (availableSun: bigint, thresholdSun: bigint): NoticeText => ({
    en: `${trxLiteral(availableSun)} TRX can be spent, less than the ${trxLiteral(thresholdSun)} TRX below which you want to be told.`,
    zh: `可用余额为 ${trxLiteral(availableSun)} TRX，低于您设置的提醒值 ${trxLiteral(thresholdSun)} TRX。`,
  }),
  test: {
    en: 'This is a test of the notices. It was asked for in the panel.',
    zh: '这是一条测试通知，由面板发出。',
  },
  operatorSubject: (count: number): NoticeText => ({
    en: `Energy service: ${plural(count, 'notice', 'notices')}`,
    zh: `能量服务：${count} 条通知`,
  }),
  customerSubject: { en: 'Your balance is low', zh: '您的余额不足' },
  more: (count: number): NoticeText => ({
    en: `And ${count} more: see the findings in the panel.`,
    zh: `还有 ${count} 条，请在面板中查看。`,
  }),
  panel: { en: 'Panel', zh: '面板' },
} as const;
