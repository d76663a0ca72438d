import type { error as English } from '../../en/panel/error';
import { filled } from '../../filled';

export const error: typeof English = {
  'not-found': { title: '页面不存在', text: '此页面不存在，或您的账户无权查看。' },
  'signed-out': { title: '您已退出登录', text: '未执行任何操作，您的会话已结束。请登录后重新提交。' },
  'expired-form': { title: '表单已过期', text: '未执行任何操作。请返回并刷新页面后重新提交。' },
  'foreign-form': { title: '此表单来自其他网站', text: '未执行任何操作。请打开本面板，在其中重新提交。' },
  'bad-form': { title: '无法执行', text: '服务无法读取该表单。请返回并刷新页面后重新提交。' },
  throttled: { title: '尝试次数过多', text: '请等待几分钟后再试。' },
  busy: { title: '当前登录请求过多', text: '本次尝试不计入次数，请几秒后再试。' },
  exporting: { title: '一次只能下载一个文件', text: '另一个文件仍在下载，请等它完成后再试。' },
  flood: { title: '请求过多', text: '您在短时间内打开的页面过多，请等待一分钟后继续。' },
  unavailable: { title: '暂时不可用', text: '数据库没有响应，请稍后再试。' },
  internal: { title: '出现错误', text: '请重试。如果再次出现，请将以下编号告知运营人员，日志中有对应的错误。' },
  back: '回到面板首页',
  signIn: '登录',
  request: (id) => filled`请求编号 ${id}`,
  answerGone: '该表单的结果页面已过期。再次提交之前，请先确认操作是否已经执行。',
};
