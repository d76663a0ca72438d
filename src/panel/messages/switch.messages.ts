import type { SwitchName } from '../../chain/pool/switches/switch.sql';
import { bilingual } from './bilingual';

interface OfSwitch {
  readonly title: string;
  readonly on: string;
  /** Before the time since when. */
  readonly off: string;
  readonly pause: string;
  readonly confirmation: string;
  readonly text: string;
  readonly resume: string;
  readonly switched: string;
}
type Messages = Readonly<Record<SwitchName, OfSwitch>> & { readonly reason: string; readonly longReason: string };

/** The switches for all new orders and for all reclaims. */
export const SWITCH_MESSAGES = bilingual<Messages>({
  en: {
    reason: 'Reason',
    longReason: 'A reason has at most 300 characters.',
    orders: {
      title: 'The switch for all new orders',
      on: 'On: new orders are not held up by it.',
      off: 'Off: no new orders are taken, on any instance; reclaims go on. Since',
      pause: 'Pause all new orders',
      confirmation: 'Pause all new orders?',
      text: 'Every user is refused new orders, on every instance, until they are taken again. Reclaims go on.',
      resume: 'Take new orders again',
      switched: 'The switch was set. It takes effect with the next order.',
    },
    reclaims: {
      title: 'The switch for all reclaims',
      on: 'On: stake whose time is up is taken back.',
      off: 'Off: no stake is taken back, on any instance; new orders are taken. Since',
      pause: 'Pause all reclaims',
      confirmation: 'Pause all reclaims?',
      text: 'No stake is taken back, on any instance, until reclaims go on. Receivers keep their energy for as long, and the stake is missing for new orders, which are still taken.',
      resume: 'Take stake back again',
      switched: 'The switch was set. It takes effect with the next reclaim.',
    },
  },
  zh: {
    reason: '原因',
    longReason: '原因最多 300 个字符。',
    orders: {
      title: '新订单总开关',
      on: '已开启：新订单不受其限制。',
      off: '已关闭：所有实例均不接受新订单，回收继续进行。开始于',
      pause: '暂停所有新订单',
      confirmation: '暂停所有新订单？',
      text: '恢复之前，所有实例拒绝所有用户的新订单。回收继续进行。',
      resume: '恢复接受新订单',
      switched: '开关已设置，下一个订单起生效。',
    },
    reclaims: {
      title: '回收总开关',
      on: '已开启：到期的质押会被收回。',
      off: '已关闭：所有实例均不收回质押，仍接受新订单。开始于',
      pause: '暂停所有回收',
      confirmation: '暂停所有回收？',
      text: '恢复之前，所有实例均不收回质押。接收地址会一直保留能量，新订单可用的质押随之减少，但仍接受新订单。',
      resume: '恢复收回质押',
      switched: '开关已设置，下一次回收起生效。',
    },
  },
});
