import { randomUUID } from 'node:crypto';
import { type Form, textOf } from '../http/form';
import { formKeyOf } from '../layout/form-key';

/** An order as it was typed: checked by the API alone, so that its answers can be tried too. */
export interface TrialOrder {
  readonly receiver: string;
  readonly amount: string;
  readonly time: string;
  readonly activate: boolean;
  readonly key: string;
}

export const ROUTE = '/api/chain/delegate-resource';

export function readTrialOrder(form: Form | undefined): TrialOrder {
  return {
    receiver: textOf(form, 'receiver'),
    amount: textOf(form, 'amount') || '1',
    time: textOf(form, 'time') || '10',
    activate: textOf(form, 'activate') === 'yes',
    key: formKeyOf(form) ?? randomUUID(),
  };
}

/** The JSON body, its numbers as typed. */
export function bodyOf({ receiver, amount, time, activate }: TrialOrder): string {
  const fields = [
    `"receiver_address":${JSON.stringify(receiver)}`,
    `"amount":${number(amount)}`,
    `"time":${number(time)}`,
    `"activate_address":${activate}`,
  ];
  return `{${fields.join(',')}}`;
}

export function curlOf(order: TrialOrder, baseUrl: string): string {
  return [
    `curl ${baseUrl}${ROUTE}`,
    '-H "Authorization: Bearer $TOKEN"',
    "-H 'Content-Type: application/json'",
    `-H 'Idempotency-Key: ${order.key}'`,
    `-d ${quote(bodyOf(order))}`,
  ].join(' \\\n  ');
}

function number(text: string): string {
  return /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) ? text : JSON.stringify(text);
}

/** For a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
