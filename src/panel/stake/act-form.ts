import { parseTrx } from '../../common/money/sun';
import {
  OPERATION_KINDS,
  type OperationKind,
  RESOURCE_NAMES,
  type ResourceName,
} from '../../stake-care/stake-operation';
import { type Form, FormError, textOf } from '../http/form';
import { existing } from '../http/panel-errors';
import type { Messages } from '../messages/catalogues';

/** How much of what, where an operator says so. */
export interface WantedAmount {
  readonly amountSun: bigint;
  readonly resource: ResourceName;
}

export function takesAmount(kind: OperationKind): kind is 'freeze' | 'unfreeze' {
  return kind === 'freeze' || kind === 'unfreeze';
}

/** The last part of the address says which act it is. @throws PanelError not-found */
export function actIn(url: string): OperationKind {
  const last = new URL(url, 'http://panel').pathname.split('/').at(-1);
  return existing(OPERATION_KINDS.find((kind) => kind === last));
}

/** @throws FormError in the reader's language */
export function readAmount(form: Form, messages: Messages['stake']): WantedAmount {
  const amountSun = parseTrx(textOf(form, 'amount'));
  if (amountSun === null || amountSun === 0n) throw new FormError(messages.badAmount, 'amount');
  const resource = RESOURCE_NAMES.find((known) => known === textOf(form, 'resource')) ?? 'energy';
  return { amountSun, resource };
}
