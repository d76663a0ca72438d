import type { ComponentChildren } from 'preact';
import { filled } from '../../filled';

/** The switches for all new orders and for all reclaims. */
export const switches = {
  longReason: 'A reason has at most 300 characters.',
  orders: {
    title: 'The switch for all new orders',
    on: 'On: new orders are not held up by it.',
    off: (since: ComponentChildren, reason: string | null) =>
      filled`Off: no new orders are taken, on any instance; reclaims go on. Since ${since} ${reason}`,
    pause: 'Pause all new orders',
    confirmation: 'Pause all new orders?',
    text: 'Every user is refused new orders, on every instance, until they are taken again. Reclaims go on.',
    resume: 'Take new orders again',
    switched: 'The switch was set. It takes effect with the next order.',
  },
  reclaims: {
    title: 'The switch for all reclaims',
    on: 'On: stake whose time is up is taken back.',
    off: (since: ComponentChildren, reason: string | null) =>
      filled`Off: no stake is taken back, on any instance; new orders are taken. Since ${since} ${reason}`,
    pause: 'Pause all reclaims',
    confirmation: 'Pause all reclaims?',
    text: 'No stake is taken back, on any instance, until reclaims go on. Receivers keep their energy for as long, and the stake is missing for new orders, which are still taken.',
    resume: 'Take stake back again',
    switched: 'The switch was set. It takes effect with the next reclaim.',
  },
};
