import { validate as isUuid } from 'uuid';
import type { DelegationFilter } from '../../delegation/delegation.lookup';
import { DELEGATION_STATES, type DelegationState } from '../../delegation/delegation.states';
import { STUCK_KINDS } from '../../delegation/stuck-orders';
import { type Form, textOf } from '../http/form';

/** What was asked for, as it was typed, and what of it could be understood. */
export interface OrderFilter {
  readonly typed: {
    readonly state: string;
    readonly receiver: string;
    readonly txid: string;
    readonly user: string;
    readonly stuck: string;
  };
  readonly problem: { readonly field: 'txid' | 'user'; readonly text: 'badTxid' | 'unknownUser' } | null;
  readonly active: boolean;
  readonly query: DelegationFilter;
}

/** `userId`: whose orders; undefined: everybody's. */
export function readOrderFilter(form: Form, userId: string | undefined): OrderFilter {
  const typed = {
    state: textOf(form, 'state'),
    receiver: textOf(form, 'receiver'),
    txid: textOf(form, 'txid'),
    user: textOf(form, 'user'),
    stuck: userId === undefined ? textOf(form, 'stuck') : '',
  };
  const after = textOf(form, 'after');
  const goodTxid = /^[0-9a-f]{64}$/i.test(typed.txid);
  return {
    typed,
    problem: typed.txid !== '' && !goodTxid ? { field: 'txid', text: 'badTxid' } : null,
    active: Object.values(typed).some((value) => value !== ''),
    query: {
      userId,
      state: isState(typed.state) ? typed.state : null,
      stuck: STUCK_KINDS.find((kind) => kind === typed.stuck) ?? null,
      receiver: typed.receiver || null,
      txId: goodTxid ? typed.txid.toLowerCase() : null,
      before: isUuid(after) ? after : null,
    },
  };
}

function isState(text: string): text is DelegationState {
  return (DELEGATION_STATES as readonly string[]).includes(text);
}
