import type { ComponentChildren } from 'preact';
import { filled } from '../../filled';

/** The switches for all new orders and for all reclaims. */
export const switches = {
  longReason: 'A reason can have at most 300 characters.',
  publicReason: 'Everyone can read this on the status page.',
  orders: {
    title: 'Accept new orders',
    on: 'On',
    off: (since: ComponentChildren, reason: string | null) =>
      filled`Off: no instance takes new orders. Reclaims continue. Since ${since} ${reason}`,
    pause: 'Pause all new orders',
    confirmation: 'Pause all new orders?',
    text: 'Every instance refuses new orders of all users until you switch this on again. Reclaims continue.',
    resume: 'Accept new orders again',
    switched: 'The switch was set. It applies from the next order.',
  },
  reclaims: {
    title: 'Take energy back',
    on: 'On',
    off: (since: ComponentChildren, reason: string | null) =>
      filled`Off: no instance takes energy back. New orders continue. Since ${since} ${reason}`,
    pause: 'Pause all reclaims',
    confirmation: 'Pause all reclaims?',
    text: 'No instance takes energy back until you switch this on again. Receivers keep their energy. New orders continue, but without the stake that is still delegated.',
    resume: 'Take energy back again',
    switched: 'The switch was set. It applies from the next reclaim.',
  },
};
