import { ORDER_MESSAGES } from './order.messages';

/** What the reconciler says, in Chinese. It is kept in English, as the command line and the metrics show it. */
export const KINDS: Readonly<Record<string, string>> = {
  account_held: '冻结金额不符',
  quota: '套餐额度不符',
  charge_missing: '缺少扣费',
  charge_unfounded: '无依据的扣费',
  ledger_sum: '账目合计不符',
  ledger_running_balance: '账目余额不连贯',
  ledger_sign: '账目正负号错误',
  account_missing: '缺少账户',
  account_negative: '账户为负',
  hold_state: '冻结状态不符',
  hold_amount: '冻结数额不符',
  stuck_transaction: '交易卡住',
  abandoned_order: '被遗弃的订单',
  unsigned_order: '订单未签名',
  overdue_reclaim: '回收逾期',
  shortage: '可收回质押不足',
  orphan_transaction: '交易无对应订单',
  wrong_amount: '数额错误',
  missing_delegation: '委托未上链',
  landed_although_failed: '失败订单却已上链',
  stake_not_released: '质押未释放',
  hold_stuck: '冻结卡住',
  delegation_missing: '链上缺少委托',
  undelegation_foreign: '他人收回的委托',
  delegation_double: '重复的委托',
  delegation_foreign: '他人发出的委托',
  low_stake: '质押不足',
  low_bandwidth: '带宽不足',
  low_trx: 'TRX 不足',
  free_activations: '未付费的激活过多',
  wallet_refused: '钱包交易被拒绝',
};

export const NEXT_STEPS: Readonly<Record<string, string>> = {
  'Set the held amount to the sum of the open holds, in one transaction, with the service stopped.':
    '停止服务，在一个事务中将冻结金额改为未结冻结的合计。',
  'Compare the order with the chain (delegation:show): a delegation that landed must have been charged once.':
    '将订单与链上核对（delegation:show）：已上链的委托必须恰好扣费一次。',
  'Give the money back by balance:credit with the delegation as its note.':
    '用 balance:credit 退款，并在备注中写明订单。',
  'Stop orders of this user (user:disable), compare the ledger with a backup, then correct by credit or debit.':
    '停用该用户（user:disable），将账目与备份核对，然后用入账或扣减更正。',
  'Insert the account row; until then the user can neither order nor read a balance.':
    '补上账户记录；在此之前该用户既不能下单也不能查询余额。',
  'Look at the order (delegation:show) and at the chain; the answer the user was given decides what is owed.':
    '查看订单（delegation:show）和链上数据；应付多少取决于当时给用户的应答。',
  'Check that the node answers (doctor) and that the service runs: its block follower settles what the chain has decided.':
    '检查节点有应答（doctor）且服务在运行：区块跟随会按链上结果结算。',
  'Start the service: it closes orders whose instance died before their delegation was signed.':
    '启动服务：它会关闭在签名委托之前实例已中断的订单。',
  'Look at the history (delegation:show): an order past its activation always has a signed delegation.':
    '查看历史（delegation:show）：激活之后的订单一定有已签名的委托。',
  'Read last_error in delegation:show; mend its cause (key, permission, bandwidth, node), then reclaim:run.':
    '查看 delegation:show 中的最近错误（last_error），解决原因（密钥、权限、带宽、节点），然后执行 reclaim:run。',
  'Somebody with the wallet key took stake back from this receiver. Find out who, rotate the key if need be, then acknowledge it: reconcile gives it an id, finding:list shows that, finding:acknowledge ends it.':
    '有人用钱包密钥从该接收地址收回了质押。查明是谁，必要时更换密钥，然后确认此问题：reconcile 为其编号，finding:list 显示编号，finding:acknowledge 将其结束。',
  // As versions before this one have stored it.
  'Somebody with the wallet key took stake back from this receiver. Find out who, then rotate the key if need be.':
    '有人用钱包密钥从该接收地址收回了质押。查明是谁，必要时更换密钥。',
  'The order of it is gone: restore it from a backup, or take the stake back by hand once it is solid.':
    '对应订单已不存在：从备份恢复，或在其固化后手动收回质押。',
  'Compare the order (delegation:show) with the transaction in a block explorer; the chain is right.':
    '将订单（delegation:show）与区块浏览器中的交易核对；以链上为准。',
  'Nobody was charged, and the stake is out: take it back by hand, then correct the order.':
    '未向任何人扣费，但质押已借出：请手动收回，然后更正订单。',
  'Nothing has taken it back: set the order back to reclaiming with the service stopped; the sweeper does the rest.':
    '尚未收回：停止服务，将订单改回“回收中”（reclaiming）状态，其余由回收任务完成。',
  'The order should have settled: check that the block follower keeps up (metrics) and that a node answers (doctor).':
    '该订单早应结算：检查区块跟随没有落后（见监控指标）且节点有应答（doctor）。',
  'The rows are wrong (a restored backup, a change by hand): correct them before anything is charged.':
    '数据库记录有误（恢复过备份或手动修改）：请在扣费之前更正。',
  'Stake was taken back by somebody else with the wallet key: find out who, rotate the key, then pool:resume.':
    '有人用钱包密钥收回了质押：查明是谁，更换密钥，然后执行 pool:resume。',
  'Set the order back to reclaiming with the service stopped, or take the stake back by hand.':
    '停止服务后将订单改回“回收中”（reclaiming）状态，或手动收回质押。',
  'Take the second stake back by hand once you know who signed it; the order takes back only its own.':
    '查明是谁签名后手动收回第二份质押；订单只会收回自己的那一份。',
  'Lent outside of this service: take it back by hand, or leave it and know that it is not for orders.':
    '在本服务之外借出：请手动收回，或保留并知悉其不可用于订单。',
  'This service never locks: find out who has the wallet key and rotate the key now. Nobody can take the stake back before that time.':
    '本服务从不锁定：查明谁持有钱包密钥，并立即更换密钥。在该时间之前任何人都无法收回这份质押。',
  'This service never locks: find out who has the wallet key, rotate it, take the stake back by hand, then pool:resume.':
    '本服务从不锁定：查明谁持有钱包密钥，更换密钥，手动收回质押，然后执行 pool:resume。',
  'Stake more, add a wallet, or see pool:forecast for when stake comes back.':
    '增加质押、添加钱包，或用 pool:forecast 查看质押何时收回。',
  'Stake TRX for bandwidth, or send TRX to the wallet.': '为带宽质押 TRX，或向钱包转入 TRX。',
  'Send TRX to the wallet.': '向钱包转入 TRX。',
  'See why these orders failed (delegation:list --user); until the oldest is a day old the account gets no activation.':
    '查明这些订单为何失败（delegation:list --user）；在最早一次满一天之前，该账户不再获得激活。',
  'Check its key, permission, bandwidth and TRX (doctor); pool:resume ends the rest, else it is tried again.':
    '检查其密钥、权限、带宽和 TRX（doctor）；pool:resume 可结束暂停，否则到时会自动再试。',
};

/** What stands in a reason as the rows have it. */
export const TERMS: Readonly<Record<string, string>> = {
  ...ORDER_MESSAGES.zh.states,
  none: '未应答',
  success: '成功',
  failure: '失败',
  held: '冻结中',
  taken: '已收取',
  released: '已释放',
  missing: '缺失',
  saved: '已保存',
  final: '已固化',
  dead: '已失效',
  activation: '激活',
  delegation: '委托',
  reclaim: '回收',
  subscription: '套餐',
  balance: '余额',
  credit: '入账',
  debit: '扣减',
  charge: '扣费',
};

export const SUBJECTS: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/^delegation (\S+)$/, '订单 $1'],
  [/^user (\S+)$/, '用户 $1'],
  [/^transaction (\S+)$/, '交易 $1'],
  [/^ledger entry (\S+)$/, '账目 $1'],
  [/^subscription (\S+)$/, '套餐 $1'],
  [/^(.+) to (\S{34})$/, '$1 → $2'],
  [/^pool$/, '资金池'],
];

/** With the amounts in them. */
export const REASONS: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/^(\S+) TRX are held, the open holds add up to (\S+)$/, '冻结 $1 TRX，未结冻结合计 $2'],
  [
    /^energy used (\S+) and held (\S+) of (\S+), its holds say used (\S+) and held (\S+)$/,
    '额度 $3 中已用 $1、冻结 $2；其冻结记录为已用 $4、冻结 $5',
  ],
  [/^(\S+) TRX were taken, its charge is of (\S+)$/, '已收取 $1 TRX，其扣费为 $2'],
  [/^charges (\S+) TRX for delegation (\S+), which holds nothing$/, '为订单 $2 扣费 $1 TRX，但该订单没有冻结'],
  [/^charges (\S+) TRX for delegation (\S+), which is of another user$/, '为订单 $2 扣费 $1 TRX，但该订单属于其他用户'],
  [/^charges (\S+) TRX for delegation (\S+), whose hold is (\S+)$/, '为订单 $2 扣费 $1 TRX，但其冻结状态为 $3'],
  [/^the balance is (\S+) TRX, after the last entry it was (\S+)$/, '余额为 $1 TRX，最后一条账目之后为 $2'],
  [
    /^its balance is (\S+) TRX, the one before it and its amount add up to (\S+)$/,
    '其余额为 $1 TRX，前一条余额与本条金额合计 $2',
  ],
  [/^a (\S+) of (\S+) TRX$/, '$1，金额 $2 TRX'],
  [/^no such order, hold (\S+)$/, '没有该订单，冻结状态为 $1'],
  [/^has no account$/, '没有账户'],
  [/^balance (\S+) TRX, held (\S+)$/, '余额 $1 TRX，冻结 $2'],
  [/^state (.+), answer (\S+), hold (\S+)$/, '订单状态 $1，应答 $2，冻结 $3'],
  [
    /^costs (\S+) TRX, paid by (\S+); held were (\S+) TRX and (\S+) energy of (\S+)$/,
    '费用 $1 TRX，由 $2 支付；冻结了 $3 TRX 和 $5 中的 $4 能量',
  ],
  [/^its (\S+) (\S+) is (\S+) although it expired at (.+)$/, '其 $1 交易 $2 状态为 $3，但已于 $4 过期'],
  [/^is activating since (.+)$/, '自 $1 起一直在激活'],
  [/^is (\S+) without a delegation transaction$/, '状态为 $1，但没有委托交易'],
  [/^(\S+) of (\S+) TRX were no longer there to take back$/, '$2 TRX 中有 $1 已无法收回'],
  [/^a (\S+) of (\S+) TRX without an order$/, '$1 交易，$2 TRX，没有对应订单'],
  [
    /^has a stake of (\S+) TRX; its (\S+) is of (\S+), and what was signed is of (\S+)$/,
    '质押为 $1 TRX；其 $2 交易为 $3，而签名的数额为 $4',
  ],
  [/^is (\S+), its delegation is only (\S+)$/, '状态为 $1，但其委托交易仅为 $2'],
  [/^has failed, but (\S+) is in block (\S+)$/, '已失败，但 $1 在区块 $2 中'],
  [/^is (\S+) without an undelegation in a block$/, '状态为 $1，但没有已上链的收回交易'],
  [/^holds (\S+) TRX since (.+)$/, '自 $2 起冻结 $1 TRX'],
  [/^(\S+) since ([^:]+:\d\d[^:]*:\d\d\S*): (.+)$/, '自 $2 起状态为 $1：$3'],
  [/^(\S+) since (.+)$/, '自 $2 起状态为 $1'],
  [
    /^the chain shows (\S+) TRX lent, the orders say at least (\S+); not in the block that their rows name: (.+)$/,
    '链上显示借出 $1 TRX，订单至少应为 $2；以下订单不在其记录的区块中：$3',
  ],
  [
    /^the chain shows (\S+) TRX lent, the orders say at least (\S+); every delegation of them is in its block$/,
    '链上显示借出 $1 TRX，订单至少应为 $2；所有委托都在其区块中',
  ],
  [
    /^the chain shows (\S+) TRX lent, the orders explain at most (\S+); the rest is the stake of (\S+), which counts as (\S+)$/,
    '链上显示借出 $1 TRX，订单最多解释 $2；其余正是订单 $3 的质押，而它的状态为 $4',
  ],
  [
    /^the chain shows (\S+) TRX lent, the orders explain at most (\S+); the rest is exactly the stake of (\S+) once more$/,
    '链上显示借出 $1 TRX，订单最多解释 $2；其余恰好是订单 $3 的质押再来一份',
  ],
  [
    /^the chain shows (\S+) TRX lent, the orders explain at most (\S+); (\S+) TRX more are locked until (\S+)$/,
    '链上显示借出 $1 TRX，订单最多解释 $2；另有 $3 TRX 锁定至 $4',
  ],
  [
    /^the chain shows (\S+) TRX lent, the orders explain at most (\S+); (\S+) TRX more were locked until (\S+) and can be taken back$/,
    '链上显示借出 $1 TRX，订单最多解释 $2；另有 $3 TRX 曾锁定至 $4，现在可以收回',
  ],
  [/^the chain shows (\S+) TRX lent, the orders explain at most (\S+)$/, '链上显示借出 $1 TRX，订单最多解释 $2'],
  [/^the active wallets have energy for (\S+) transactions?$/, '启用中的钱包剩余能量可供 $1 笔交易'],
  [
    /^(\S+) bytes of bandwidth and (\S+) TRX pay for (\S+) more orders? beside those under way$/,
    '$1 字节带宽和 $2 TRX 在进行中的订单之外还可支付 $3 个订单',
  ],
  [/^(\S+) TRX pay for (\S+) more activations?$/, '$1 TRX 还可支付 $2 次激活'],
  [
    /^(\S+) activations in 24 hours were free, for their orders were answered with a failure$/,
    '24 小时内有 $1 次激活未付费，因为其订单的应答为失败',
  ],
  [
    /^refusals in a row: (\S+); no new orders until (\S+); its (\S+) was refused for (.+)$/,
    '连续被拒绝次数：$1；$2 之前不接新订单；其 $3 交易被拒绝的原因：$4',
  ],
];

export const ACTIONS: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/^mended: the hold was released$/, '已修复：冻结已释放'],
  [/^mended: the hold was taken$/, '已修复：冻结已收取'],
  [/^mended: the held amount is the sum of the open holds again$/, '已修复：冻结金额已恢复为未结冻结的合计'],
  [/^paused: (.+) takes no new orders$/, '已暂停：$1 不再接新订单'],
];
