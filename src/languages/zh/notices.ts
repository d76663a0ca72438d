import { ERROR_ANSWERS } from '../../common/errors/error-codes';
import { trxLiteral } from '../../common/money/sun';
import type { notices as English } from '../en/notices';
import { whyRefused } from './why-refused';

export const notices: typeof English = {
  finding: (kind, subject, reason, nextStep) => `${kind}，${subject}：${reason}。处理方法：${nextStep}`,
  quarantine: (finding) => `在查明原因之前，该钱包不接受新订单。${finding}`,
  ordersFailing: (succeeded, answered) => `订单失败：最近一小时的 ${answered} 个应答中，成功 ${succeeded} 个。`,
  ordersRefused: ({ code, why }) =>
    `目前无法接单：所有订单均被拒绝（${ERROR_ANSWERS[code].status} ${code}）：${whyRefused[why]}。`,
  nodeSetAside: (host, isLast) => `节点 ${host} 已被停用：出现故障或落后。${isLast ? '没有其他可用节点。' : ''}`,
  webhookDisabled: (host, email) => `用户 ${email} 的推送地址 ${host} 已被停用：对方拒绝接收，或连续五天没有成功。`,
  mailsLate: (count, minutes) =>
    `有 ${count} 封发给用户的邮件尚未送出，最早的已等待 ${minutes} 分钟；原因见“注册申请”页。`,
  mailsGivenUp: (count) => `有 ${count} 封发给用户的邮件重试一天后已放弃；原因见“注册申请”页。`,
  signUps: (count, newest) =>
    count === 1
      ? `${newest} 已注册，正在等待审核：请在“用户”的“注册申请”中开通或拒绝。`
      : `${count} 个注册申请正在等待审核，最新的是 ${newest}：请在“用户”的“注册申请”中开通或拒绝。`,
  depositsWait: (count) => `${count} 笔充值正在等待汇率或您的处理：原因见“充值管理”页面。`,
  lowBalance: (availableSun, thresholdSun) =>
    `可用余额为 ${trxLiteral(availableSun)} TRX，低于您设置的提醒值 ${trxLiteral(thresholdSun)} TRX。`,
  test: '这是一条测试通知，由面板发出。',
  operatorSubject: (site, count) => `${site}：${count} 条通知`,
  glanceFact: (name, value, note) => `${name}：${value}，${note}`,
  glanceCustomers: (name, listed) => `${name}：${listed.join('；')}`,
  glanceSubject: (site, verdict) => `${site}：${verdict}`,
  customerSubject: (site) => `您在 ${site} 的余额不足`,
  more: (count) => `还有 ${count} 条，请在面板中查看。`,
  panel: (url) => `面板: ${url}`,
};
