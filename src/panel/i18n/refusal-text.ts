import type { RefusalError } from '../../common/refusal.error';
import type { Locale } from './locale';

/** The services refuse in English, for the command line too; what a form can bring about is known here in Chinese. */
const CHINESE: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/^there is already a user with this e-mail address$/, '已有用户使用此邮箱'],
  [/^(.*) is no e-mail address$/, '$1 不是有效的邮箱'],
  [/^a user needs a name of 1 to 200 characters$/, '用户姓名为 1 到 200 个字符'],
  [/^a token needs a name of 1 to 100 characters$/, '令牌名称为 1 到 100 个字符'],
  [/^debit of (\S+) refused: insufficient balance$/, '扣减 $1 被拒绝:余额不足'],
  [/^credit of (\S+) refused: the balance would be too large$/, '入账 $1 被拒绝:余额将超出上限'],
  [/^reference (.*) was used for a \w+ of (\S+)$/, '参考号 $1 已用于另一笔 $2 的变动'],
  [/^a quota is a whole number of energy units .*$/, '额度换算为能量(每笔 65,000)后必须为整数'],
  [/^you cannot disable yourself or take your own operator role away$/, '您不能停用自己或取消自己的运营角色'],
  [/^this subscription was added before$/, '此套餐之前已添加'],
  [/^this link is not valid any more$/, '此链接已失效'],
  [/^(.*) is disabled: enable the user first$/, '$1 已停用:请先启用该用户'],
];

export function refusalText({ message }: RefusalError, locale: Locale): string {
  if (locale === 'en') return sentence(message);
  const known = CHINESE.find(([pattern]) => pattern.test(message));
  return known ? message.replace(...known) : message;
}

function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
