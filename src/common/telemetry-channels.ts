import { channel, tracingChannel } from 'node:diagnostics_channel';

/*
 * What the service publishes about itself while it works. Only src/telemetry listens, when metrics or traces are configured; without
 * a listener publishing costs nothing, and no publisher knows its listeners.
 */

export interface NodeCall {
  readonly kind: string;
  /** Host and port of the node. */
  readonly node: string;
  readonly route: string;
}
export const nodeCalls = tracingChannel<string, NodeCall>('energy-delegation:node-call');

export type NodeFault = Pick<NodeCall, 'kind' | 'node'>;
export const nodeFaults = channel('energy-delegation:node-fault');

/** A node refused a call for the number of calls. */
export type NodeRefusal = Pick<NodeCall, 'node'>;
export const nodeRefusals = channel('energy-delegation:node-refusal');

/** An order's transaction was found in a final block. */
export interface FinalOrder {
  readonly delegationId: string;
  readonly txId: string;
  readonly state: string;
}
export const finalOrders = channel('energy-delegation:order-final');

/** An attempt to deliver a webhook has ended, and that was written down. */
export interface WebhookAttempt {
  /** `refused`: answered with another status than a success. */
  readonly result: 'delivered' | 'refused' | 'timeout' | 'unreachable' | 'not_allowed';
}
export const webhookAttempts = channel('energy-delegation:webhook-attempt');

/** A mail was not written. */
export interface DroppedMail {
  /** Which limit of the hour was reached; `busy`: too many forms wait; `changes`: the user had so many mails on changes of this kind. */
  readonly reason: 'network' | 'mailbox' | 'total' | 'busy' | 'changes';
}
export const droppedMails = channel('energy-delegation:mail-dropped');

let readTrace: () => { traceparent?: string } = () => ({});

/** The request's trace as kept on its order, so that whichever process sees the block can continue it. */
export function currentTrace(): { traceparent?: string } {
  return readTrace();
}

export function provideTrace(read: typeof readTrace): void {
  readTrace = read;
}
