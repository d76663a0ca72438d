import type { DomainError } from '../../common/errors/domain.error';
import { fillIn } from './fill-in';
import type { Locale } from './locale';

/** The services refuse in English, for the command line too; what a form can bring about is known here in Chinese, and which field did. */
const KNOWN: readonly (readonly [pattern: RegExp, chinese: string, field?: string])[] = [
  [/^there is already a user with this e-mail address$/, '已有用户使用此邮箱', 'email'],
  [/^(.*) is no e-mail address$/, '$1 不是有效的邮箱', 'email'],
  [/^a user needs a name of 1 to 200 characters$/, '用户姓名为 1 到 200 个字符', 'name'],
  [/^a token needs a name of 1 to 100 characters$/, '令牌名称为 1 到 100 个字符', 'name'],
  [/^a note has at most 500 characters$/, '原因最多 500 个字符', 'note'],
  [/^a reference has at most 200 characters$/, '参考号最多 200 个字符', 'reference'],
  [/^debit of (\S+) refused: insufficient balance$/, '扣减 $1 被拒绝：余额不足', 'amount'],
  [/^credit of (\S+) refused: the balance would be too large$/, '入账 $1 被拒绝：余额将超出上限', 'amount'],
  [/^reference (.*) was used for a \w+ of (\S+)$/, '参考号 $1 已用于另一笔 $2 的变动', 'reference'],
  [/^a quota is a whole number of energy units .*$/, '额度换算为能量（每笔 65,000）后必须为整数', 'transactions'],
  [
    /^you cannot disable yourself or take your own operator role away$/,
    '您不能停用自己或取消自己的运营角色',
    'operator',
  ],
  [/^the name was changed meanwhile, to (.*): nothing was saved$/, '姓名已被他人改为 $1：未保存', 'name'],
  [/^the unit price was changed meanwhile, to (.*): nothing was saved$/, '单价已被他人改为 $1：未保存', 'unit_price'],
  [
    /^the rate limit was changed meanwhile, to (.*): nothing was saved$/,
    '每分钟调用数已被他人改为 $1：未保存',
    'rate_limit',
  ],
  [
    /^the operator role was changed meanwhile, to (.*): nothing was saved$/,
    '运营角色已被他人改为 $1：未保存',
    'operator',
  ],
  [/^this subscription was added before$/, '此套餐之前已添加'],
  [/^the shortage has changed meanwhile, to (\S+) TRX: nothing was acknowledged$/, '缺少的质押已变为 $1 TRX：未确认'],
  [/^finding (\S+) was acknowledged before$/, '核对结果 $1 之前已确认'],
  [/^finding (\S+) is gone$/, '核对结果 $1 已消失'],
  [/^only a shortage can be acknowledged: .*$/, '只有“可收回质押不足”可以确认：其他问题在解决后自行消失'],
  [/^the amount of finding (\S+) is not known: reconcile first$/, '核对结果 $1 的数额未知：请先核对'],
  [/^this link is not valid any more$/, '此链接已失效'],
  [/^(.*) is disabled: enable the user first$/, '$1 已停用：请先启用该用户'],
];

/** As settings are named in a refusal. */
const VALUES = { 'the default': '默认值', yes: '是', no: '否' };

export function refusalText({ message }: DomainError, locale: Locale): string {
  if (locale === 'en') return sentence(message);
  const known = find(message);
  return (known && fillIn(message, known, VALUES)) ?? message;
}

export function refusedField({ message }: DomainError): string | undefined {
  return find(message)?.[2];
}

function find(message: string) {
  return KNOWN.find(([pattern]) => pattern.test(message));
}

function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
