import { changesIn, type FindingMessages, trx } from '../../finding-messages';
import { whatWasDone } from './acts';
import { MONEY_REASONS } from './money-reasons';
import { termInChinese as term } from './terms';

const COMPARE = '请将订单（delegation:show）与区块浏览器中的交易核对，以链上为准。';

const atLeast = ({ lent_sun: lent, least_sun: least }: { lent_sun: string; least_sun: string }) =>
  `链上委托了 ${trx(lent)} TRX，而订单至少委托了 ${trx(least)} TRX`;
const atMost = ({ lent_sun: lent, most_sun: most }: { lent_sun: string; most_sun: string }) =>
  `链上委托了 ${trx(lent)} TRX，其中最多 ${trx(most)} TRX 有对应订单`;

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
  lent_energy: '已委托的能量质押（TRX）',
  lent_bandwidth: '已委托的带宽质押（TRX）',
  permissions: '权限',
  last_operation: '最近操作',
  used_block: '非本服务的最近交易所在区块',
};

export const REASONS: FindingMessages['reasons'] = {
  ...MONEY_REASONS,
  stuck_transaction: {
    reason: ({ purpose, tx_id: txId, state, expired_at: at }) =>
      `其${term(purpose)}交易 ${txId} 的状态为“${term(state)}”，但已于 ${at} 过期`,
    nextStep: '请检查节点是否有响应（doctor）、服务是否在运行。服务读到区块后，会按链上结果结算。',
  },
  abandoned_order: {
    reason: ({ since }) => `自 ${since} 起一直在激活接收地址`,
    nextStep: '请启动服务。实例在签署委托之前中断的订单，服务会自行关闭。',
  },
  unsigned_order: {
    reason: ({ state }) => `状态为“${term(state)}”，但没有委托交易`,
    nextStep: '请查看历史（delegation:show）：激活之后的订单应有已签名的委托。',
  },
  overdue_reclaim: {
    reason: ({ state, since, error }) =>
      `自 ${since} 起状态一直为“${term(state)}”${error === null ? '' : `：${error}`}`,
    nextStep:
      '请查看 delegation:show 中的最近错误（last_error），解决其原因（密钥、权限、带宽、节点），然后执行 reclaim:run。',
  },
  shortage: {
    reason: ({ shortage_sun: shortage, stake_sun: stake }) => `${trx(stake)} TRX 中有 ${trx(shortage)} TRX 已无法回收`,
    nextStep:
      '如果恢复过备份，或故障切换丢失了数据，则本服务之前已回收该质押。否则，是有人用钱包密钥从该接收地址回收了质押：请查明是谁，必要时更换密钥。然后用 finding:acknowledge 标记为已处理（编号由 reconcile 生成，可用 finding:list 查看）。',
  },
  orphan_transaction: {
    reason: ({ purpose, amount_sun: amount }) => `${term(purpose)}交易（${trx(amount)} TRX）没有对应订单`,
    nextStep: '对应订单已不存在。请从备份恢复订单，或在交易最终确认后手动回收质押。',
  },
  wrong_amount: {
    reason: ({ stake_sun: stake, purpose, amount_sun: amount, signed_sun: signed }) =>
      `质押为 ${trx(stake)} TRX，其${term(purpose)}交易记录为 ${trx(amount)} TRX，而签名的数额为 ${trx(signed)} TRX`,
    nextStep: COMPARE,
  },
  missing_delegation: {
    reason: ({ state, transaction_state: transaction }) =>
      `状态为“${term(state)}”，但其委托交易的状态仅为“${term(transaction)}”`,
    nextStep: COMPARE,
  },
  landed_although_failed: {
    reason: ({ tx_id: txId, block }) => `订单已失败，但交易 ${txId} 在区块 ${block} 中`,
    nextStep: '没有向用户扣费，但质押已委托。请手动回收，然后更正订单。',
  },
  stake_not_released: {
    reason: ({ state }) => `状态为“${term(state)}”，但没有已上链的回收交易`,
    nextStep: '质押尚未回收。请停止服务，将订单改回“回收中”（reclaiming）状态，再启动服务，由回收任务完成回收。',
  },
  hold_stuck: {
    reason: ({ held_sun: held, since }) => `自 ${since} 起冻结 ${trx(held)} TRX`,
    nextStep: '该订单早应结算。请检查服务读取区块是否落后（见监控指标）、节点是否有响应（doctor）。',
  },
  delegation_missing: {
    reason: (pair) => `${atLeast(pair)}，以下订单不在其记录的区块中：${pair.orders.join('、')}`,
    nextStep: '数据库记录有误（可能恢复过备份或手动修改过）。请在扣费之前更正。',
  },
  undelegation_foreign: {
    reason: (pair) => `${atLeast(pair)}，且所有委托都在其区块中`,
    nextStep:
      '如果恢复过备份，或故障切换丢失了数据，则本服务之前已回收该质押：请等待回收任务将该订单按缺少质押结束。否则，是有人用钱包密钥回收了质押：请查明是谁，更换密钥，然后执行 pool:resume。',
  },
  returned_stake_lent: {
    reason: (pair) => `${atMost(pair)}，其余正是订单 ${pair.order} 的质押，而该订单的状态为“${term(pair.state)}”`,
    nextStep: '请停止服务，将订单改回“回收中”（reclaiming）状态，或手动回收质押。',
  },
  delegation_double: {
    reason: (pair) => `${atMost(pair)}，多出的部分恰好等于订单 ${pair.order} 的质押`,
    nextStep:
      '这笔委托由此钱包的密钥签署，但不是本服务签署的。如果不是您或同事所为，密钥已被盗：请立即把权限换到新的密钥（pool:update），然后手动回收多出的质押。订单只会回收自己的质押。',
  },
  delegation_foreign: {
    reason: atMost,
    nextStep:
      '如果恢复过备份，这笔委托可能属于备份中没有的订单。否则，它由此钱包的密钥签署，但不是本服务签署的。如果不是您或同事所为，密钥已被盗：请立即把权限换到新的密钥（pool:update），再手动回收质押。如果是您或同事所为，可以回收，也可以保留，但不会用于订单。',
  },
  foreign_stake_locked: {
    reason: (pair) => `${atMost(pair)}，另有 ${trx(pair.locked_sun)} TRX 锁定至 ${pair.until}`,
    nextStep: '本服务从不锁定质押。请查明谁持有钱包密钥，并立即更换密钥。在该时间之前，任何人都无法回收这份质押。',
  },
  foreign_stake_past_lock: {
    reason: (pair) => `${atMost(pair)}，另有 ${trx(pair.locked_sun)} TRX 曾锁定至 ${pair.until}，现在可以回收`,
    nextStep: '本服务从不锁定质押。请查明谁持有钱包密钥，更换密钥，手动回收质押，然后执行 pool:resume。',
  },
  low_stake: {
    reason: ({ transactions }) => `启用的钱包剩余能量只够 ${transactions} 笔交易`,
    nextStep: '请增加质押、添加钱包，或用 pool:forecast 查看质押何时回收。',
  },
  low_bandwidth: {
    reason: ({ bandwidth, balance_sun: balance, orders_paid: orders }) =>
      `剩余 ${bandwidth} 字节带宽和 ${trx(balance)} TRX，除进行中的订单外，还可支付 ${orders} 笔订单`,
    nextStep: '请为带宽质押 TRX，或向钱包转入 TRX。',
  },
  low_trx: {
    reason: ({ balance_sun: balance, activations }) => `剩余 ${trx(balance)} TRX，还可支付 ${activations} 次激活`,
    nextStep: '请向钱包转入 TRX。',
  },
  bandwidth_burned: {
    reason: ({ burned_sun: burned, brought_sun: brought, percent }) =>
      `据节点报告，一周内为带宽燃烧了 ${trx(burned)} TRX，${
        percent === '' ? '订单没有收入' : `占订单收入 ${trx(brought)} TRX 的 ${percent} %`
      }`,
    nextStep: '请为带宽质押 TRX。需要多少可用 stake:plan 查看。',
  },
  free_activations: {
    reason: ({ activations }) => `24 小时内有 ${activations} 次激活未收费，因为其订单失败`,
    nextStep: '请查明这些订单为何失败（delegation:list --user）。在最早一次激活满一天之前，该账户不能再激活接收地址。',
  },
  wallet_refused: {
    reason: ({ refusals, until, purpose, refused_for: reason }) =>
      `网络连续 ${refusals} 次拒绝其交易，${purpose === 'reclaim' ? '回收交易被接受' : `${until} `}之前不接新订单，${term(purpose)}交易被拒绝的原因：${reason}`,
    nextStep: '请检查其密钥、权限、带宽和 TRX（doctor）。服务会自动重试，也可用 pool:resume 立即恢复接单。',
  },
  branch_refused: {
    reason: (of) =>
      `一条到区块 ${of.head_number}（${of.head_id}）的更长分支撤销了已最终确认的区块 ${of.final_number}（${of.final_id}）`,
    nextStep:
      '服务暂不开始也不结算任何订单。请查明网络在哪条分支上，并改用该分支的节点。如果是您自己回退过区块的私有网络，请用 chain:accept-branch 加上该分支区块的 ID 接受该分支。',
  },
  witnesses_disagree: {
    reason: ({ differing }) => `各节点给出的活跃见证人或其密钥有 ${differing} 个不一致`,
    nextStep:
      '服务继续使用已知的名单，只按区块能证明的内容更新。如果已知的是首份名单，且并非所有节点都确认过它，则服务不采信任何签名，也不接受订单。请与区块浏览器核对（witnesses:list），移除出错的节点，或用 witnesses:accept 加上其中显示的摘要接受另一份名单。',
  },
  witnesses_changed: {
    reason: ({ changed, active }) =>
      `节点所列的见证人或密钥与已知的 ${active} 个相比有 ${changed} 个不同，超出区块所能证明的范围`,
    nextStep:
      '服务继续使用已知的名单，只按区块能证明的内容更新。请与区块浏览器核对：移除出错的节点，或用 witnesses:accept 加上 witnesses:list 显示的摘要接受该名单。',
  },
  block_unreadable: {
    reason: ({ number, id }) => `各节点提供的区块 ${number}（${id}）的交易，与见证人签名的默克尔根不符`,
    nextStep:
      '可能在该区块中的订单会等待。该区块含有节点不显示的字段，或本版本无法编码的交易类型：请更新服务。如果有两个以上节点，且链上委托的质押与之相符，15 分钟后以全部节点一致列出的内容为准。否则请与区块浏览器核对，再用 chain:accept-block 加上区块高度，接受节点所列的内容。',
  },
  block_accepted: {
    reason: ({ number, id, accepted_by: by, blocks }) =>
      `区块 ${number}（${id}）无法证明，已按${by === 'operator' ? '节点列出、由运营人员接受的内容' : '全部节点一致列出的内容'}结算（一周内共 ${blocks} 个此类区块）`,
    nextStep:
      '请与不使用您的节点的区块浏览器核对。该区块中的订单没有凭证。如果网络有新的交易类型，请更新服务。最后一个此类区块过去一周后，此异常自行消失。',
  },
  wallet_unread: {
    reason: ({ unread_for: reason }) => `未能读取该钱包的全部信息（${reason}），它之前的异常仍然有效，其他钱包均已核对`,
    nextStep: '请用 doctor 向节点查询该账户。如果只有一个节点失败，请把另一个节点放在前面。',
  },
  votes_idle: {
    reason: ({ idle_votes: idle, power, since }) =>
      `其 ${power} 票中有 ${idle} 票自 ${since} 起未投给任何见证人，没有收益`,
    nextStep:
      '已开启质押管理的钱包：请查明投票为何被拒绝（stake:list）、是否指定了见证人（stake:show），也可用 stake:vote 立即投票。未开启的钱包：请开启质押管理（stake:care），或手动投票。',
  },
  reward_unclaimed: {
    reason: ({ reward_sun: reward, since }) => `自 ${since} 起有 ${trx(reward)} TRX 奖励未领取`,
    nextStep: '请领取奖励（stake:claim，须开启质押管理）。用 stake:care --claim on 可每天自动领取。',
  },
  unfrozen_ready: {
    reason: ({ ripe_sun: ripe, since }) => `自 ${since} 起有 ${trx(ripe)} TRX 已解除质押，可以提取`,
    nextStep:
      '请提取这些 TRX。已开启质押管理的钱包：用 stake:withdraw 提取，并在 stake:list 中查明为何没有自动提取。未开启的钱包：用账户自己的密钥提取，或开启质押管理（stake:care），由服务提取。',
  },
  deposit_unexplained: {
    reason: ({ address, unexplained_sun: sun, unexplained_usdt: usdt, since }) =>
      `充值地址 ${address} 自 ${since} 起持有的 ${trx(sun)} TRX 和 ${usdt} USDT 没有对应的充值：付款来自合约，或所在区块无法证明`,
    nextStep:
      '请在区块浏览器中查明付款人。如果确实是该客户，请用 deposit:credit-unexplained --address T --asset A --amount N --note T 入账。',
  },
  deposit_left_out: {
    reason: ({ address, number, unexplained_sun: sun, unexplained_usdt: usdt, txids, since }) =>
      `地址 ${address}（0/${number}）自 ${since} 起收到 ${trx(sun)} TRX 和 ${usdt} USDT，尚未入账，交易为 ${txids}；数据库恢复后，无法确定该地址属于哪位客户`,
    nextStep:
      '请查明付款的客户（询问反映充值未到账的客户），然后用 deposit:credit-unexplained --address T --asset A --amount N --user E --note T 入账。',
  },
  deposits_behind: {
    reason: ({ number, blocks, since }) =>
      `充值扫描自 ${since} 起停在区块 ${number}，落后已最终确认的区块 ${blocks} 个`,
    nextStep:
      '解决之前不会有充值入账。日志中有读取失败的区块和原因。如果没有节点提供完整区块，请添加节点；如果节点所列的交易无法证明，请用 chain:accept-block 接受该区块。',
  },
  care_key: {
    reason: ({ fault }) => `其质押管理的密钥无法完成所需操作：${fault}`,
    nextStep: '请更正权限，或指定另一个密钥（stake:care），然后用 doctor 检查。',
  },
  signer_unavailable: {
    reason: ({ fault }) => `签名程序不为该钱包签名：${fault}`,
    nextStep:
      '请检查签名程序是否在运行，并查看其日志，然后用 doctor 再次检查。在此期间，该钱包的订单被拒绝，已委托的能量暂缓回收。',
  },
  witness_pays_nothing: {
    reason: ({ witnesses }) => `该钱包投票给 ${witnesses}，但没有收益：见证人不在前 127 名之内，或不向投票者分红`,
    nextStep: '请投票给其他见证人（stake:care --vote，或手动投票）。',
  },
  database_restored: {
    reason: ({ differs }) =>
      `该数据库是恢复或复制的：它记录的${PLACES[differs] ?? differs}与当前不同，因此服务不签署任何交易`,
    nextStep:
      '如果原服务仍在运行，请停止此实例，否则两者会回收同一笔质押。如果由此数据库继续，请执行 restore:confirm（见 docs/operations.md）。',
  },
  terms_differ: {
    reason: ({ differing }) => `各实例按不同的设置销售：${differing}`,
    nextStep: '请为所有实例使用相同的设置，并重启设置不同的实例。已有订单仍按下单时的条件执行。',
  },
  wallet_used: {
    reason: whatWasDone,
    nextStep:
      '如果不是您本人所为，密钥已被盗：请立即把权限换到新的密钥，然后执行 pool:update。如果是您本人所为，请标记为已处理（finding:acknowledge），因此暂停的钱包会重新接单。',
  },
  wallet_act: {
    reason: whatWasDone,
    nextStep: '如果是您本人所为，无需处理。否则密钥已被盗：请立即把权限换到新的密钥，然后执行 pool:update。',
  },
  wallet_changed: {
    reason: ({ changed, from_block: from, to_block: to, unread }) =>
      `区块 ${from} 至 ${to} 中没有交易能解释以下变化：${changesIn(changed)
        .map(({ name, before, after }) => `${CHANGES[name] ?? name}由 ${before} 变为 ${after}`)
        .join('，')}${unread === '0' ? '' : `，另有 ${unread} 个区块没有节点提供`}`,
    nextStep:
      '请在区块浏览器中核对该账户。如果节点有误，请更换节点。如果节点无误，则可能因节点缺少旧区块而查不到操作者：请按密钥被盗处理。最后标记为已处理（finding:acknowledge）。',
  },
};
