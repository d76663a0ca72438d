import { nameOfSubject } from '../../../common/finding-subject';
import type { FindingMessages } from '../../finding-messages';
import { KINDS } from './kinds';
import { REASONS } from './reasons';

/** As the command line and the log have it, and the panel in English. */
export const findings: FindingMessages = {
  kind: (kind) => KINDS[kind],
  subject: nameOfSubject,
  reasons: REASONS,
  actions: {
    hold_released: () => 'repaired: the hold was released',
    hold_taken: () => 'repaired: the hold was taken',
    held_corrected: () => 'repaired: the held amount is the sum of the open holds again',
    token_used_corrected: () => 'repaired: the daily use of the token is the sum of its holds again',
    wallet_paused: (wallet) => `paused: ${wallet} takes no new orders`,
  },
};
