import { nameOfSubject } from '../../../common/finding-subject';
import type { FindingMessages } from '../../finding-messages';
import { KINDS } from './kinds';
import { REASONS } from './reasons';

/** As the command line and the log have it, and the panel in English. */
export const findings: FindingMessages = {
  kind: (kind) => KINDS[kind],
  subject: nameOfSubject,
  reasons: REASONS,
  // `mended` is what finding:list has always called it.
  actions: {
    hold_released: () => 'mended: the hold was released',
    hold_taken: () => 'mended: the hold was taken',
    held_corrected: () => 'mended: the held amount is the sum of the open holds again',
    token_used_corrected: () => 'mended: what the token has used is the sum of its holds again',
    wallet_paused: (wallet) => `paused: ${wallet} takes no new orders`,
  },
};
