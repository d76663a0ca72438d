import { bilingual } from './bilingual';
import type { WalletCause } from '../wallets/wallet-causes';
import { plural } from './plural';

export const OVERVIEW_MESSAGES = bilingual({
  en: {
    title: 'Overview',
    lastHour: 'Last hour',
    perMinute: 'Orders a minute',
    perMinuteNote: (orders: number) => plural(orders, 'order in the last hour', 'orders in the last hour'),
    success: 'Answered with success',
    noOrders: 'no orders',
    successNote: (succeeded: number, failed: number) =>
      `${plural(succeeded, 'success', 'successes')}, ${plural(failed, 'failure', 'failures')}`,
    seconds: (seconds: string) => `${seconds} s`,
    inclusion: 'Time to inclusion',
    inclusionNote: (slow: string) => `95 % within ${slow} s`,
    noneSettled: 'none settled yet',
    now: 'Now',
    lent: 'Energy lent',
    lentNote: 'by orders that are in a block',
    out: 'Energy out',
    outNote: (orders: number, stake: string) => `${plural(orders, 'order', 'orders')}, ${stake} TRX of stake`,
    held: 'Held, TRX',
    heldNote: (holds: number, quota: string) =>
      `${plural(holds, 'hold', 'holds')}, and quota for ${plural(quota, 'transaction', 'transactions')}`,
    chart: (orders: number) => `Orders in each of the last 60 minutes, ${orders} in all`,
    attention: 'Needs attention',
    trouble: 'In trouble',
    nothing: 'New orders are taken, and nothing is stuck or unexplained.',
    failures: (failed: number, answered: number) =>
      `${failed} of ${plural(answered, 'order', 'orders')} in the last hour ${failed === 1 ? 'was' : 'were'} answered with a failure`,
    since: 'since',
    stolenKey: (count: number) =>
      plural(
        count,
        'finding may mean that a wallet’s key is stolen',
        'findings may mean that a wallet’s key is stolen',
      ),
    nodeBehind: (host: string, blocks: number) =>
      `The node ${host} is ${plural(blocks, 'block', 'blocks')} behind and is not used.`,
    nodeFails: (host: string) => `The node ${host} fails and is left alone for now.`,
    nodesLeft: (left: number, all: number) => `The service runs on ${left} of ${plural(all, 'node', 'nodes')}.`,
    noOtherNode: 'No other node works.',
    causes: {
      despite: (count: number) =>
        plural(
          count,
          'wallet takes orders although something about it is not explained',
          'wallets take orders although something about them is not explained',
        ),
      quarantined: (count: number) =>
        plural(
          count,
          'wallet is quarantined: something about it is not explained',
          'wallets are quarantined: something about them is not explained',
        ),
      key: (count: number) =>
        plural(
          count,
          'active wallet has a key that cannot be read or used here',
          'active wallets have keys that cannot be read or used here',
        ),
      unread: (count: number) =>
        plural(
          count,
          'active wallet could not be read from the chain lately',
          'active wallets could not be read from the chain lately',
        ),
      rests: (count: number) =>
        plural(
          count,
          'active wallet rests, for its transactions are refused',
          'active wallets rest, for their transactions are refused',
        ),
      stake: (count: number) =>
        plural(
          count,
          'active wallet has no stake left for one transaction',
          'active wallets have no stake left for one transaction',
        ),
      fees: (count: number) =>
        plural(
          count,
          'active wallet lacks bandwidth or TRX for one more order',
          'active wallets lack bandwidth or TRX for one more order',
        ),
      paused: (count: number) => plural(count, 'wallet is paused', 'wallets are paused'),
      draining: (count: number) => plural(count, 'wallet is draining', 'wallets are draining'),
    } satisfies Record<WalletCause, (count: number) => string>,
    overdue: (count: number) =>
      plural(count, 'reclaim is overdue by more than 15 minutes', 'reclaims are overdue by more than 15 minutes'),
    failing: (count: number) =>
      plural(
        count,
        'order has a reclaim that failed and is tried again',
        'orders have a reclaim that failed and is tried again',
      ),
    undecided: (count: number) =>
      plural(
        count,
        'transaction has expired and is still not settled',
        'transactions have expired and are still not settled',
      ),
    abandoned: (count: number) =>
      plural(count, 'order has been open for more than 10 minutes', 'orders have been open for more than 10 minutes'),
    findings: (count: number) => plural(count, 'finding is open', 'findings are open'),
    due: 'Energy due back',
    noDue: 'Nothing is lent, so nothing is due back.',
    hour: 'Hour',
    earlier: 'before this hour',
    later: 'more than 24 hours from now',
    orders: 'Orders',
    energy: 'Energy',
  },
  zh: {
    title: '总览',
    lastHour: '最近一小时',
    perMinute: '每分钟订单数',
    perMinuteNote: (orders: number) => `最近一小时 ${orders} 个订单`,
    success: '成功率',
    noOrders: '没有订单',
    successNote: (succeeded: number, failed: number) => `成功 ${succeeded}，失败 ${failed}`,
    seconds: (seconds: string) => `${seconds} 秒`,
    inclusion: '上链用时',
    inclusionNote: (slow: string) => `95 % 在 ${slow} 秒内`,
    noneSettled: '尚无已结算订单',
    now: '当前',
    lent: '借出能量',
    lentNote: '已上链的订单',
    out: '在外能量',
    outNote: (orders: number, stake: string) => `${orders} 个订单，质押 ${stake} TRX`,
    held: '冻结（TRX）',
    heldNote: (holds: number, quota: string) => `${holds} 笔冻结，另有 ${quota} 笔套餐额度`,
    chart: (orders: number) => `最近 60 分钟每分钟的订单数，共 ${orders} 个`,
    attention: '需要关注',
    trouble: '出现故障',
    nothing: '正在接受新订单，没有卡住或无法解释的情况。',
    failures: (failed: number, answered: number) => `最近一小时应答的 ${answered} 个订单中有 ${failed} 个失败`,
    since: '自',
    stolenKey: (count: number) => `${count} 个核对问题可能意味着钱包密钥被盗`,
    nodeBehind: (host: string, blocks: number) => `节点 ${host} 落后 ${blocks} 个区块，已停用。`,
    nodeFails: (host: string) => `节点 ${host} 出现故障，暂不使用。`,
    nodesLeft: (left: number, all: number) => `服务目前使用 ${all} 个节点中的 ${left} 个。`,
    noOtherNode: '没有其他可用节点。',
    causes: {
      despite: (count: number) => `${count} 个钱包存在未查明的问题，但仍在接单`,
      quarantined: (count: number) => `${count} 个钱包因未查明的问题被隔离`,
      key: (count: number) => `${count} 个启用的钱包的密钥在此无法读取或使用`,
      unread: (count: number) => `${count} 个启用的钱包近期无法从链上读取`,
      rests: (count: number) => `${count} 个启用的钱包因交易被拒绝而暂停接单`,
      stake: (count: number) => `${count} 个启用的钱包剩余质押不足一笔交易`,
      fees: (count: number) => `${count} 个启用的钱包缺少带宽或 TRX，无法再接一个订单`,
      paused: (count: number) => `${count} 个钱包已暂停`,
      draining: (count: number) => `${count} 个钱包正在排空`,
    },
    overdue: (count: number) => `${count} 个回收已逾期超过 15 分钟`,
    failing: (count: number) => `${count} 个订单的回收失败，正在重试`,
    undecided: (count: number) => `${count} 笔交易已过期但仍未结算`,
    abandoned: (count: number) => `${count} 个订单超过 10 分钟仍未完成`,
    findings: (count: number) => `${count} 个核对问题未解决`,
    due: '待收回能量',
    noDue: '没有借出的能量。',
    hour: '小时',
    earlier: '本小时之前',
    later: '24 小时之后',
    orders: '订单数',
    energy: '能量',
  },
});
