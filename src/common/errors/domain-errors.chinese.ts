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
  'user.name-unseen': () => '用户姓名不能包含控制字符或格式字符',
  'token.name-unseen': () => '令牌名称不能包含控制字符或格式字符',
  'token.name-length': ({ longest }) => `令牌名称为 1 到 ${longest} 个字符`,
  'token.receiver-invalid': ({ receiver }) => `${JSON.stringify(receiver)} 不是有效的 TRON 地址`,
  'token.receivers-too-many': ({ most }) => `一个令牌最多列出 ${most} 个接收地址`,
  'token.ip-invalid': ({ ip }) =>
    `${JSON.stringify(ip)} 既不是 203.0.113.0/24、2001:db8::/32 这样的网段，也不是 IP 地址`,
  'token.ips-too-many': ({ most }) => `一个令牌最多列出 ${most} 个网段`,
  'movement.note-length': ({ longest }) => `原因最多 ${longest} 个字符`,
  'movement.reference-empty': () => '参考号不能为空；不需要参考号时请不要填写该选项',
  'movement.reference-length': ({ longest }) => `参考号最多 ${longest} 个字符`,
  'finding.note-missing': () => '请填写说明',
  'wallet.name-unseen': () => '钱包名称不能包含控制字符或格式字符',
  'wallet.key-variable-invalid': () => '这不是环境变量名（字母、数字和 _）：请填写变量名，切勿填写私钥本身',
  'wallet.key-file-invalid': () =>
    '密钥文件名不得包含 64 位十六进制数字，因为私钥正是如此：请填写路径，切勿填写私钥本身',
  'wallet.key-file-not-absolute': () => '密钥文件的路径须以 / 开头',
  'webhook.url-invalid': () => '请填写有效的 URL，例如 https://shop.example/energy',
  'webhook.url-credentials': () => 'Webhook 的 URL 不能包含用户名或密码',
  'webhook.url-address': () => 'Webhook 的 URL 不能指向内网、本机、链路本地或元数据地址',
  'webhook.url-length': ({ longest }) => `Webhook 的 URL 最多 ${longest} 个字符`,
  'webhook.events-invalid': ({ events }) => `事件须为以下一项或多项：${events.join('、')}`,

  'user.email-taken': () => '已有用户使用此邮箱',
  'user.unit-price-out-of-bounds': () => '单价在 2 到 2.5 之间',
  'user.rate-limit-not-positive': () => '每分钟调用数至少为 1',
  'user.last-operator': () => '这是最后一位运营者：请先任命另一位，或在命令行中使用 --force',
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
  'password.common': () => '此密码极易被猜中，或由您自己的姓名或邮箱构成：请使用几个互不相关的词语',
  'second-factor.code-wrong': () => '验证码错误，或已被使用过',
  'second-factor.none': ({ email }) => `${email} 未启用两步验证`,
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
  'subscription.reference-used': ({ reference }) => `参考号 ${JSON.stringify(reference)} 已用于另一个套餐`,
  'commit.not-done': ({ reference }) =>
    `与数据库的连接中断；已查证：操作未执行，参考号 ${JSON.stringify(reference)} 仍可使用`,
  'commit.unknown': ({ reference }) =>
    `与数据库的连接中断，无法得知操作是否已执行：使用参考号 ${JSON.stringify(reference)} 重试，无论几次只会执行一次`,
  'subscription.quota-invalid': () => '额度换算为能量（每笔 65,000）后必须为整数',
  'subscription.time-unknown': () => '没有节点给出链上时间，而套餐的开始和结束以链上时间为准：请一分钟后重试',
  'wallet.address-invalid': ({ address }) => `${address} 不是有效的 TRON 地址`,
  'wallet.address-taken': ({ address, role }) => `${address} 已在钱包池中，角色为 ${role}`,
  'wallet.name-taken': ({ name }) => `已有名为 ${name} 的钱包`,
  'wallet.reason-needed': ({ name }) => `${name} 未恢复：请说明为何在问题尚未查明时仍可接单`,
  'wallet.finding-unread': ({ name, kinds }) => `${name} 未恢复：其间又发现了新的问题（${kinds.join('、')}）`,
  'wallet.in-use': ({ name, orders, transactions }) =>
    `${name} 仍有 ${orders} 笔未结或未回收的订单和 ${transactions} 笔进行中的交易：请先排空（pool:drain），等待全部收回`,
  'wallet.has-findings': ({ name, findings }) =>
    `有 ${findings} 个关于 ${name} 的核对结果未解决：请先解决或确认（finding:list）`,
  'wallet.lent-on-chain': ({ name, lentSun }) =>
    `链上显示 ${name} 仍借出 ${formatTrx(lentSun)} TRX：请先收回；若刚刚回收，请一分钟后再试`,
  'wallet.loans-unknown': ({ name }) => `没有节点说明 ${name} 借出了什么：请先使节点可用（doctor），然后再试`,
  'webhook.url-not-https': () => 'Webhook 的 URL 须以 https:// 开头',
  'webhook.url-private': () => 'Webhook 的 URL 不能指向内网或本机地址，也不能使用仅本地网络可解析的名称',
  'webhook.created-before': () => '此 Webhook 之前已创建，其密钥只显示一次',
  'webhook.too-many': ({ most }) => `每个账户最多 ${most} 个 Webhook`,
  'webhook.test-too-often': ({ most }) => `每个 Webhook 每分钟最多测试 ${most} 次`,
  'webhook.attempts-used-up': ({ most }) =>
    `每个账户的测试、重发和 balance.low 每分钟合计最多发送 ${most} 次，请一分钟后再试`,
  'webhook.rotated-too-often': ({ most }) => `每个 Webhook 的密钥每天最多更换 ${most} 次`,
  'webhook.disabled': () => '该 Webhook 已停用：请先启用',
  'notice.channel-closed': () => '此通知方式尚未设置',
  'finding.no-shortage': () =>
    '只有“可收回质押不足”、“钱包被他人使用”以及已移除钱包的遗留问题可以确认：其他问题在解决后自行消失',
  'finding.acknowledged-before': ({ id }) => `核对结果 ${id} 之前已确认`,
  'finding.resolved': ({ id }) => `核对结果 ${id} 已消失`,
  'finding.amount-unknown': ({ id }) => `核对结果 ${id} 的数额未知：请先核对`,
  'witnesses.none-offered': () => '没有待接受的见证人名单',
  'witnesses.other-offered': ({ digest }) => `当前待接受的名单的摘要是 ${digest}：接受之前请先核对（witnesses:list）`,
  'witnesses.unknown': () => '尚未读取见证人：服务启动时读取',
  'restore.nothing-to-confirm': () => '这正是服务一直使用的数据库，没有需要确认的恢复',
  'chain.no-branch-refused': () => '节点提供的最长分支没有撤销任何最终确认的区块',
  'chain.other-branch': ({ id }) =>
    `节点当前提供的分支没有该区块，或最终确认的区块已经改变：其最新的最终确认区块是 ${id}`,
  'chain.block-provable': ({ number }) => `区块 ${number} 的交易可以证明：没有需要接受的内容`,
  'chain.block-not-final': ({ number }) => `节点所示的区块 ${number} 没有活跃见证人的签名，或在其上出块的见证人太少`,
  'chain.block-differing': ({ number }) => `各节点为区块 ${number} 列出的交易不同：请查明哪个节点有误`,
  'finding.shortage-changed': ({ amountSun }) => `缺少的质押已变为 ${formatTrx(amountSun)} TRX：未确认`,
  'receipt.file-unreadable': ({ file }) => `无法读取 ${file}`,
  'receipt.malformed': ({ field }) => `缺少 ${field}，或其内容不符合此类文件`,
  'receipt.field-unknown': ({ field }) => `凭证含有无法证明的字段：${field}`,
  'receipt.no-delegation': () => '该交易不是成功的能量委托',
  'receipt.otherwise-proved': ({ field, stated, proved }) => `凭证中 ${field} 写为 ${stated}，而证明的是 ${proved}`,
  'receipt.not-in-block': () => '交易与其分支不能得出区块头中的根',
  'receipt.no-header': () => '区块头的字节无效',
  'receipt.not-signed': ({ block }) => `区块 ${block} 没有所给文件中活跃见证人的签名。若见证人已变更，需要当时的文件`,
  'receipt.not-linked': ({ block }) => `作为区块 ${block} 的区块头没有接在前一个之后`,
  'receipt.too-few-witnesses': ({ signed, needed }) => `所给见证人中有 ${signed} 个在该区块之上出块：需要 ${needed} 个`,
  'receipt.other-witnesses': ({ address }) =>
    `凭证把 ${address} 列为活跃见证人，而所给文件中没有它的这个密钥：需要当时的文件`,
};
