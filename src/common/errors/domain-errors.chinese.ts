import { formatTrx } from '../money/sun';
import type { DomainErrorTexts } from './domain-errors';

const changed = (setting: string, now: string) => `${setting}已被他人改为 ${now}：未保存`;

/** For the panel. */
export const CHINESE: DomainErrorTexts = {
  'user.not-found': ({ email }) => `没有用户 ${email}`,
  'token.not-found': ({ id }) => `没有令牌 ${id}`,
  'subscription.not-found': ({ id }) => `没有套餐 ${id}`,
  'order.not-found': ({ id }) => `没有订单 ${id}`,
  'wallet.not-found': ({ name }) => `没有名为 ${name} 的钱包`,
  'finding.not-found': ({ id }) => `没有核对结果 ${id}`,
  'webhook.not-found': ({ id }) => `没有 Webhook ${id}`,
  'delivery.not-found': ({ id }) => `没有推送记录 ${id}`,

  'user.email-invalid': ({ email }) => `${JSON.stringify(email)} 不是有效的邮箱`,
  'user.name-length': ({ longest }) => `用户姓名为 1 到 ${longest} 个字符`,
  'user.rate-limit-invalid': ({ most }) => `每分钟调用数为 1 到 ${most} 的整数`,
  'token.name-length': ({ longest }) => `令牌名称为 1 到 ${longest} 个字符`,
  'token.receiver-invalid': ({ receiver }) => `${JSON.stringify(receiver)} 不是有效的 TRON 地址`,
  'token.receivers-too-many': ({ most }) => `一个令牌最多列出 ${most} 个接收地址`,
  'token.ip-invalid': ({ ip }) =>
    `${JSON.stringify(ip)} 既不是 203.0.113.0/24、2001:db8::/32 这样的网段，也不是 IP 地址`,
  'token.ips-too-many': ({ most }) => `一个令牌最多列出 ${most} 个网段`,
  'movement.note-length': ({ longest }) => `原因最多 ${longest} 个字符`,
  'movement.reference-length': ({ longest }) => `参考号最多 ${longest} 个字符`,
  'finding.note-missing': () => '请填写说明',
  'webhook.url-invalid': () => '请填写有效的 URL，例如 https://shop.example/energy',
  'webhook.url-not-https': () => 'Webhook 的 URL 须以 https:// 开头',
  'webhook.url-credentials': () => 'Webhook 的 URL 不能包含用户名或密码',
  'webhook.url-address': () => 'Webhook 的 URL 不能指向内网、本机、链路本地或元数据地址',
  'webhook.url-length': ({ longest }) => `Webhook 的 URL 最多 ${longest} 个字符`,
  'webhook.events-invalid': ({ events }) => `事件须为以下一项或多项：${events.join('、')}`,

  'user.email-taken': () => '已有用户使用此邮箱',
  'user.unit-price-out-of-bounds': () => '单价在 2 到 2.5 之间',
  'user.rate-limit-not-positive': () => '每分钟调用数至少为 1',
  'user.is-oneself': () => '您不能停用自己或取消自己的运营角色',
  'user.disabled': ({ email }) => `${email} 已停用：请先启用该用户`,
  'user.name-changed': ({ name }) => changed('姓名', name),
  'user.operator-changed': ({ operator }) => changed('运营角色', operator ? '是' : '否'),
  'user.unit-price-changed': ({ unitPriceSun }) =>
    changed('单价', unitPriceSun === null ? '默认值' : formatTrx(unitPriceSun)),
  'user.low-balance-changed': ({ lowBalanceSun }) =>
    changed('余额提醒值', lowBalanceSun === null ? '无' : formatTrx(lowBalanceSun)),
  'user.rate-limit-changed': ({ rateLimitPerMinute }) =>
    changed('每分钟调用数', rateLimitPerMinute === null ? '默认值' : String(rateLimitPerMinute)),
  'password.length': ({ shortest, longest }) => `密码长度为 ${shortest} 到 ${longest} 个字符`,
  'invitation.not-valid': () => '此链接已失效',
  'token.created-before': () => '此令牌之前已创建，且只显示一次',
  'token.permissions-invalid': ({ permissions }) => `权限须为以下一项或多项：${permissions.join('、')}`,
  'token.days-invalid': ({ most }) => `令牌有效天数大于 0，最多 ${most} 天`,
  'movement.amount-not-positive': () => '金额必须大于 0',
  'movement.balance-insufficient': ({ amountSun }) => `扣减 ${formatTrx(amountSun)} 被拒绝：余额不足`,
  'movement.balance-too-large': ({ amountSun }) => `入账 ${formatTrx(amountSun)} 被拒绝：余额将超出上限`,
  'movement.reference-used': ({ reference, amountSun }) =>
    `参考号 ${JSON.stringify(reference)} 已用于另一笔 ${formatTrx(amountSun)} 的变动`,
  'subscription.created-before': () => '此套餐之前已添加',
  'subscription.quota-invalid': () => '额度换算为能量（每笔 65,000）后必须为整数',
  'wallet.address-invalid': ({ address }) => `${address} 不是有效的 TRON 地址`,
  'wallet.address-taken': ({ address, role }) => `${address} 已在钱包池中，角色为 ${role}`,
  'wallet.name-taken': ({ name }) => `已有名为 ${name} 的钱包`,
  'wallet.in-use': ({ name, orders, transactions }) =>
    `${name} 仍有 ${orders} 笔未结或未回收的订单和 ${transactions} 笔进行中的交易：请先排空（pool:drain），等待全部收回`,
  'webhook.created-before': () => '此 Webhook 之前已创建，其密钥只显示一次',
  'webhook.too-many': ({ most }) => `每个账户最多 ${most} 个 Webhook`,
  'webhook.test-too-often': ({ most }) => `每个 Webhook 每分钟最多测试 ${most} 次`,
  'webhook.rotated-too-often': ({ most }) => `每个 Webhook 的密钥每天最多更换 ${most} 次`,
  'webhook.disabled': () => '该 Webhook 已停用：请先启用',
  'finding.no-shortage': () => '只有“可收回质押不足”可以确认：其他问题在解决后自行消失',
  'finding.acknowledged-before': ({ id }) => `核对结果 ${id} 之前已确认`,
  'finding.resolved': ({ id }) => `核对结果 ${id} 已消失`,
  'finding.amount-unknown': ({ id }) => `核对结果 ${id} 的数额未知：请先核对`,
  'witnesses.none-offered': () => '没有待接受的见证人名单',
  'witnesses.unknown': () => '尚未读取见证人：服务启动时读取',
  'chain.no-branch-refused': () => '节点提供的最长分支没有撤销任何最终确认的区块',
  'finding.shortage-changed': ({ amountSun }) => `缺少的质押已变为 ${formatTrx(amountSun)} TRX：未确认`,
};
