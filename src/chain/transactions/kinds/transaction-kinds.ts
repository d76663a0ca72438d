import { Injectable } from '@nestjs/common';
import type { KeyRole } from '../signing/wallet-role';
import type { OutcomeListener, TransactionKind } from './transaction-kind';

/** A row, or a transaction to be saved, of a kind that this process does not know: nothing is concluded about it, and it is not sent. */
export class UnknownKindError extends Error {
  constructor(name: string) {
    super(`no room of this process has registered transactions of the kind ${name}`);
    this.name = 'UnknownKindError';
  }
}

interface Registered {
  readonly kind: TransactionKind;
  readonly listener: OutcomeListener;
}

/** The kinds of transaction: rooms above this one register theirs when they are made. */
@Injectable()
export class TransactionKinds {
  private readonly kinds = new Map<string, Registered>();

  /** One listener is called with the rows of all its kinds together. */
  register(listener: OutcomeListener, ...kinds: readonly TransactionKind[]): void {
    for (const kind of kinds) {
      if (this.kinds.has(kind.name)) throw new Error(`two kinds of transaction are called ${kind.name}`);
      this.kinds.set(kind.name, { kind, listener });
    }
  }

  get all(): TransactionKind[] {
    return [...this.kinds.values()].map(({ kind }) => kind);
  }

  /** Contract types that a key of this role signs. */
  operationsOf(role: KeyRole): number[] {
    return operationsOf(this.all.filter((kind) => kind.role === role && !kind.isOptional));
  }

  /** Contract types that it may sign besides, where the wallet's owner wants that. */
  optionalOperationsOf(role: KeyRole): number[] {
    return operationsOf(this.all.filter((kind) => kind.role === role && kind.isOptional));
  }

  /** Undefined for a kind that this process does not know. */
  find(name: string): TransactionKind | undefined {
    return this.kinds.get(name)?.kind;
  }

  /** @throws UnknownKindError */
  of(name: string): TransactionKind {
    return this.registered(name).kind;
  }

  /** It is called with outcomes of this kind. @throws UnknownKindError */
  listenerOf(name: string): OutcomeListener {
    return this.registered(name).listener;
  }

  private registered(name: string): Registered {
    const registered = this.kinds.get(name);
    if (!registered) throw new UnknownKindError(name);
    return registered;
  }
}

/** Two kinds may differ in a field of one contract. */
function operationsOf(kinds: readonly TransactionKind[]): number[] {
  return [...new Set(kinds.map(({ contract }) => Number(contract.type)))];
}
