import { ERROR_ANSWERS } from '../../common/errors/error-codes';
import { trxLiteral } from '../../common/money/sun';
import type { notices as English } from '../en/notices';
import { whyRefused } from './why-refused';

export const notices: typeof English = {
  finding: (kind, subject, reason, nextStep) => `${kind}，${subject}：${reason}。处理方法：${nextStep}`,
  quarantine: (finding) => `钱包已自动暂停，异常解决之前不接新订单。${finding}`,
  ordersFailing: (succeeded, answered) => `订单失败：最近一小时应答的 ${answered} 笔订单中，成功 ${succeeded} 笔。`,
  ordersRefused: ({ code, why }) =>
    `目前无法接单：所有订单均被拒绝（${ERROR_ANSWERS[code].status} ${code}）：${whyRefused[why]}。`,
  nodeSetAside: (host, isLast) => `节点 ${host} 出现故障或落后，暂不使用。${isLast ? '没有其他可用节点。' : ''}`,
  webhookDisabled: (host, email) =>
    `用户 ${email} 的 Webhook（${host}）已停用：对方服务器拒绝接收，或连续五天没有一次成功。`,
  mailsLate: (count, minutes) =>
    `有 ${count} 封发给用户的邮件尚未发送，最早的已等待 ${minutes} 分钟。原因见“注册申请”页面。`,
  mailsRefused: (domains) =>
    `邮件服务器拒绝了 ${domains} 个域名的收件地址，此后没有接受任何邮件，可能正在拒绝所有地址。服务器的答复见“注册申请”页面。`,
  mailsGivenUp: (count) => `有 ${count} 封发给用户的邮件重试一天后已放弃发送。原因见“注册申请”页面。`,
  signUps: (count, newest) =>
    count === 1
      ? `${newest} 的注册申请正在等待审核。请在“用户”的“注册申请”中开通或拒绝。`
      : `${count} 个注册申请正在等待审核，最新的是 ${newest}。请在“用户”的“注册申请”中开通或拒绝。`,
  depositsWait: (count) => `${count} 笔充值正在等待汇率或您的处理。原因见“充值管理”页面。`,
  lowBalance: (availableSun, thresholdSun) =>
    `可用余额为 ${trxLiteral(availableSun)} TRX，低于您设置的提醒值 ${trxLiteral(thresholdSun)} TRX。`,
  test: '这是从面板发送的测试通知。',
  operatorSubject: (site, count) => `${site}：${count} 条通知`,
  glanceFact: (name, value, note) => `${name}：${value}，${note}`,
  glanceCustomers: (name, listed) => `${name}：${listed.join('；')}`,
  glanceSubject: (site, verdict) => `${site}：${verdict}`,
  customerSubject: (site) => `您在 ${site} 的余额不足`,
  more: (count) => `还有 ${count} 条，请在面板中查看。`,
  panel: (url) => `面板: ${url}`,
};
