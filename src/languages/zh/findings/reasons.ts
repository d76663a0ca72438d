import { changesIn, type FindingMessages, trx } from '../../finding-messages';
import { whatWasDone } from './acts';
import { MONEY_REASONS } from './money-reasons';
import { termInChinese as term } from './terms';

const COMPARE = '将订单（delegation:show）与区块浏览器中的交易核对；以链上为准。';

const atLeast = ({ lent_sun: lent, least_sun: least }: { lent_sun: string; least_sun: string }) =>
  `链上显示借出 ${trx(lent)} TRX，订单至少应为 ${trx(least)}`;
const atMost = ({ lent_sun: lent, most_sun: most }: { lent_sun: string; most_sun: string }) =>
  `链上显示借出 ${trx(lent)} TRX，订单最多解释 ${trx(most)}`;

const PLACES: Readonly<Record<string, string>> = {
  server: ' PostgreSQL 服务器',
  database: '服务器上的数据库',
  directory: '数据目录',
};

const CHANGES: Readonly<Record<string, string>> = {
  balance: '余额（TRX）',
  energy_stake: '能量质押（TRX）',
  bandwidth_stake: '带宽质押（TRX）',
  vote_stake: '投票质押（TRX）',
  lent_energy: '借出的能量质押（TRX）',
  lent_bandwidth: '借出的带宽质押（TRX）',
  permissions: '权限',
  last_operation: '最近操作',
  used_block: '非本服务的最近交易所在区块',
};

export const REASONS: FindingMessages['reasons'] = {
  ...MONEY_REASONS,
  stuck_transaction: {
    reason: ({ purpose, tx_id: txId, state, expired_at: at }) =>
      `其 ${term(purpose)} 交易 ${txId} 状态为 ${term(state)}，但已于 ${at} 过期`,
    nextStep: '检查节点有应答（doctor）且服务在运行：区块跟随会按链上结果结算。',
  },
  abandoned_order: {
    reason: ({ since }) => `自 ${since} 起一直在激活`,
    nextStep: '启动服务：它会关闭在签名委托之前实例已中断的订单。',
  },
  unsigned_order: {
    reason: ({ state }) => `状态为 ${term(state)}，但没有委托交易`,
    nextStep: '查看历史（delegation:show）：激活之后的订单一定有已签名的委托。',
  },
  overdue_reclaim: {
    reason: ({ state, since, error }) => `自 ${since} 起状态为 ${term(state)}${error === null ? '' : `：${error}`}`,
    nextStep:
      '查看 delegation:show 中的最近错误（last_error），解决原因（密钥、权限、带宽、节点），然后执行 reclaim:run。',
  },
  shortage: {
    reason: ({ shortage_sun: shortage, stake_sun: stake }) => `${trx(stake)} TRX 中有 ${trx(shortage)} 已无法收回`,
    nextStep:
      '若恢复过备份，或故障切换丢失了数据，则该质押此前已被收回；否则是有人用钱包密钥从该接收地址收回了质押：查明是谁，必要时更换密钥。然后确认此问题：reconcile 为其编号，finding:list 显示编号，finding:acknowledge 将其结束。',
  },
  orphan_transaction: {
    reason: ({ purpose, amount_sun: amount }) => `${term(purpose)} 交易，${trx(amount)} TRX，没有对应订单`,
    nextStep: '对应订单已不存在：从备份恢复，或在其固化后手动收回质押。',
  },
  wrong_amount: {
    reason: ({ stake_sun: stake, purpose, amount_sun: amount, signed_sun: signed }) =>
      `质押为 ${trx(stake)} TRX；其 ${term(purpose)} 交易为 ${trx(amount)}，而签名的数额为 ${trx(signed)}`,
    nextStep: COMPARE,
  },
  missing_delegation: {
    reason: ({ state, transaction_state: transaction }) =>
      `状态为 ${term(state)}，但其委托交易仅为 ${term(transaction)}`,
    nextStep: COMPARE,
  },
  landed_although_failed: {
    reason: ({ tx_id: txId, block }) => `已失败，但 ${txId} 在区块 ${block} 中`,
    nextStep: '未向任何人扣费，但质押已借出：请手动收回，然后更正订单。',
  },
  stake_not_released: {
    reason: ({ state }) => `状态为 ${term(state)}，但没有已上链的收回交易`,
    nextStep: '尚未收回：停止服务，将订单改回“回收中”（reclaiming）状态，其余由回收任务完成。',
  },
  hold_stuck: {
    reason: ({ held_sun: held, since }) => `自 ${since} 起冻结 ${trx(held)} TRX`,
    nextStep: '该订单早应结算：检查区块跟随没有落后（见监控指标）且节点有应答（doctor）。',
  },
  delegation_missing: {
    reason: (pair) => `${atLeast(pair)}；以下订单不在其记录的区块中：${pair.orders.join(', ')}`,
    nextStep: '数据库记录有误（恢复过备份或手动修改）：请在扣费之前更正。',
  },
  undelegation_foreign: {
    reason: (pair) => `${atLeast(pair)}；所有委托都在其区块中`,
    nextStep:
      '若恢复过备份，或故障切换丢失了数据，则是本服务此前收回的：等待回收任务将该订单按不足结束。否则是有人用钱包密钥收回了质押：查明是谁，更换密钥，然后执行 pool:resume。',
  },
  returned_stake_lent: {
    reason: (pair) => `${atMost(pair)}；其余正是订单 ${pair.order} 的质押，而它的状态为 ${term(pair.state)}`,
    nextStep: '停止服务后将订单改回“回收中”（reclaiming）状态，或手动收回质押。',
  },
  delegation_double: {
    reason: (pair) => `${atMost(pair)}；其余恰好是订单 ${pair.order} 的质押再来一份`,
    nextStep:
      '它是用此钱包的密钥签署的，而非本服务所签。若不是你们自己所为，则密钥已被盗：请立即将权限转给新密钥（pool:update）。然后手动收回第二份质押；订单只会收回自己的那一份。',
  },
  delegation_foreign: {
    reason: atMost,
    nextStep:
      '若恢复过备份，可能属于备份中没有的订单。否则它是用此钱包的密钥借出的，而非本服务所借。若不是你们自己所为，则密钥已被盗：请立即将权限转给新密钥（pool:update），再手动收回质押。若是你们自己借出的，可收回，也可保留，但不会用于订单。',
  },
  foreign_stake_locked: {
    reason: (pair) => `${atMost(pair)}；另有 ${trx(pair.locked_sun)} TRX 锁定至 ${pair.until}`,
    nextStep: '本服务从不锁定：查明谁持有钱包密钥，并立即更换密钥。在该时间之前任何人都无法收回这份质押。',
  },
  foreign_stake_past_lock: {
    reason: (pair) => `${atMost(pair)}；另有 ${trx(pair.locked_sun)} TRX 曾锁定至 ${pair.until}，现在可以收回`,
    nextStep: '本服务从不锁定：查明谁持有钱包密钥，更换密钥，手动收回质押，然后执行 pool:resume。',
  },
  low_stake: {
    reason: ({ transactions }) => `启用中的钱包剩余能量可供 ${transactions} 笔交易`,
    nextStep: '增加质押、添加钱包，或用 pool:forecast 查看质押何时收回。',
  },
  low_bandwidth: {
    reason: ({ bandwidth, balance_sun: balance, orders_paid: orders }) =>
      `${bandwidth} 字节带宽和 ${trx(balance)} TRX 在进行中的订单之外还可支付 ${orders} 个订单`,
    nextStep: '为带宽质押 TRX，或向钱包转入 TRX。',
  },
  low_trx: {
    reason: ({ balance_sun: balance, activations }) => `${trx(balance)} TRX 还可支付 ${activations} 次激活`,
    nextStep: '向钱包转入 TRX。',
  },
  bandwidth_burned: {
    reason: ({ burned_sun: burned, brought_sun: brought, percent }) =>
      `据节点所述，一周内为带宽燃烧了 ${trx(burned)} TRX，${
        percent === '' ? '订单没有收入' : `占订单收入 ${trx(brought)} TRX 的 ${percent} %`
      }`,
    nextStep: '为带宽质押 TRX：stake:plan 会说明需要多少。',
  },
  free_activations: {
    reason: ({ activations }) => `24 小时内有 ${activations} 次激活未付费，因为其订单的应答为失败`,
    nextStep: '查明这些订单为何失败（delegation:list --user）；在最早一次满一天之前，该账户不再获得激活。',
  },
  wallet_refused: {
    reason: ({ refusals, until, purpose, refused_for: reason }) =>
      `连续被拒绝次数：${refusals}；${until} 之前不接新订单；其 ${term(purpose)} 交易被拒绝的原因：${reason}`,
    nextStep: '检查其密钥、权限、带宽和 TRX（doctor）；pool:resume 可结束暂停，否则到时会自动再试。',
  },
  branch_refused: {
    reason: (of) =>
      `一条到区块 ${of.head_number}（${of.head_id}）的更长分支撤销了已最终确认的区块 ${of.final_number}（${of.final_id}）`,
    nextStep:
      '不开始也不了结任何订单。查明网络在哪条分支上，并改用该分支的节点；若是自己回退过区块的私有网络，用 chain:accept-branch 加上该分支区块的 ID 接受该分支。',
  },
  witnesses_disagree: {
    reason: ({ differing }) => `各节点对 ${differing} 个活跃见证人或其密钥说法不一`,
    nextStep:
      '继续使用已知的名单，只按区块所证明的改变；若是并非所有节点都确认过的首份名单，则不再采信任何签名，也不接受订单。与区块浏览器核对（witnesses:list），移除出错的节点；用 witnesses:accept 加上其中显示的摘要接受另一份名单。',
  },
  witnesses_changed: {
    reason: ({ changed, active }) =>
      `节点所列的见证人或密钥与已知的 ${active} 个相比有 ${changed} 个不同，超出区块所能证明的范围`,
    nextStep:
      '继续使用已知的名单，只按区块所证明的改变。与区块浏览器核对：移除出错的节点，或用 witnesses:accept 加上 witnesses:list 显示的摘要接受该名单。',
  },
  block_unreadable: {
    reason: ({ number, id }) => `各节点所示区块 ${number}（${id}）的交易与见证人签名的根不符`,
    nextStep:
      '可能在该区块中的订单将等待。该区块含有节点不显示的字段，或本版本无法编码的交易类型：请更新服务。若有两个或更多节点，一刻钟后以全部节点一致列出的内容为准，前提是链上借出的质押与之相符；否则请与区块浏览器核对，再用 chain:accept-block 加上区块高度接受节点所列的内容。',
  },
  block_accepted: {
    reason: ({ number, id, accepted_by: by, blocks }) =>
      `区块 ${number}（${id}）无法证明，已按${by === 'operator' ? '管理员接受的节点所列内容' : '全部节点一致所列内容'}了结（一周内共 ${blocks} 个此类区块）`,
    nextStep:
      '请与不属于您的节点的区块浏览器核对：其中的订单没有凭证。若网络有新的交易类型，请更新服务。最后一个此类区块过去一周后，此结果自行消失。',
  },
  wallet_unread: {
    reason: ({ unread_for: reason }) =>
      `未能读取它的全部信息（${reason}）：其他钱包均已核对，对它此前发现的问题仍然有效`,
    nextStep: '向节点查询该账户（doctor 会查）；如果只有一个节点失败，请把另一个节点放在前面。',
  },
  votes_idle: {
    reason: ({ idle_votes: idle, power, since }) =>
      `其 ${power} 票中有 ${idle} 票自 ${since} 起未投给任何见证人，没有收益`,
    nextStep:
      '有质押管理时：请查明投票为何被拒（stake:list），以及质押管理是否指定了见证人（stake:show）；stake:vote 立即投票。没有时：请开启质押管理（stake:care），或手动投票。',
  },
  reward_unclaimed: {
    reason: ({ reward_sun: reward, since }) => `自 ${since} 起有 ${trx(reward)} TRX 奖励未领取`,
    nextStep: '请领取（stake:claim，须有质押管理）；stake:care --claim on 可每天自动领取。',
  },
  unfrozen_ready: {
    reason: ({ ripe_sun: ripe, since }) => `自 ${since} 起有 ${trx(ripe)} TRX 已解除质押，可以提取`,
    nextStep:
      '请提取：已启用质押管理的钱包用 stake:withdraw，并在 stake:list 中查明为何未自动提取；未启用的用账户自己的密钥提取，或启用质押管理（stake:care），由其提取。',
  },
  deposit_unexplained: {
    reason: ({ address, unexplained_sun: sun, unexplained_usdt: usdt, since }) =>
      `充值地址 ${address} 自 ${since} 起持有 ${trx(sun)} TRX 和 ${usdt} USDT 没有对应的充值：由合约转入，或所在区块无法证明`,
    nextStep:
      '请在区块浏览器中查明付款人；确为该客户时用 deposit:credit-unexplained --address T --asset A --amount N --note T 入账。',
  },
  care_key: {
    reason: ({ fault }) => `其质押管理的密钥无法完成所需操作：${fault}`,
    nextStep: '请更正权限，或指定另一密钥（stake:care）；之后可用 doctor 检查。',
  },
  signer_unavailable: {
    reason: ({ fault }) => `签名程序不为其签名：${fault}`,
    nextStep:
      '请查明签名程序是否在运行及其日志内容；doctor 会再次询问。在此期间该钱包的订单被拒绝，已借出的能量暂缓收回。',
  },
  witness_pays_nothing: {
    reason: ({ witnesses }) => `它投票给 ${witnesses}，其投票者没有收益：不在前 127 名之内，或保留全部收益`,
    nextStep: '请投票给其他见证人（stake:care --vote，或手动投票）。',
  },
  database_restored: {
    reason: ({ differs }) =>
      `该数据库是恢复或复制而来：它所记录的${PLACES[differs] ?? differs}与当前不同；不签署任何交易`,
    nextStep:
      '若原服务仍在运行，请停止此实例：两者都会收回同一笔质押。若应由此数据库继续，请执行 restore:confirm（见 docs/operations.md）。',
  },
  terms_differ: {
    reason: ({ differing }) => `各实例按不同的设置销售：${differing}`,
    nextStep: '请为所有实例使用相同的设置，并重启设置不同的实例。订单保持其售出时的条件。',
  },
  wallet_used: {
    reason: whatWasDone,
    nextStep:
      '如果不是您本人所为，密钥已被盗：请立即把权限换到新的密钥，然后执行 pool:update。如果是您本人所为，请确认（finding:acknowledge）：因此暂停的钱包将重新接单。',
  },
  wallet_act: {
    reason: whatWasDone,
    nextStep: '如果是您本人所为，无需处理。否则密钥已被盗：请立即把权限换到新的密钥，然后执行 pool:update。',
  },
  wallet_changed: {
    reason: ({ changed, from_block: from, to_block: to, unread }) =>
      `区块 ${from} 至 ${to} 中没有交易能解释以下变化：${changesIn(changed)
        .map(({ name, before, after }) => `${CHANGES[name] ?? name}由 ${before} 变为 ${after}`)
        .join('；')}${unread === '0' ? '' : `；有 ${unread} 个区块没有节点提供`}`,
    nextStep:
      '请在区块浏览器中核对该账户。若节点有误，请更换节点；若节点无误，则缺少旧区块的节点掩盖了操作者：请视密钥为已被盗。之后请确认（finding:acknowledge）。',
  },
};
