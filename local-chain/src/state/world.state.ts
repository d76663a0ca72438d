import { type Parameters, PARAMETERS } from '../chain/chain.parameters';
import type { Account } from './account.model';
import { isEmpty, newDelegation, type Delegation } from './delegation.model';
import { type Network, parametersOf } from './network.model';
import type { StateLayer } from './state.layer';

export const keys = {
  network: 'n',
  witnesses: 'w',
  account: (address: string) => `a${address}`,
  named: (name: string) => `m${name}`,
  delegation: (from: string, to: string, locked: boolean) => `d${locked ? 1 : 0}${from}${to}`,
  lentTo: (from: string, to = '') => `t${from}${to}`,
  lentBy: (to: string, from = '') => `f${to}${from}`,
  token: (holder = '') => `b${holder}`,
  otherToken: (holder = '') => `k${holder}`,
  allowance: (token: string, owner: string, spender: string) => `l${token}${owner}${spender}`,
  tally: (witness: string) => `y${witness}`,
  rewardPerVote: (witness: string, cycle: number) => `x${witness}${cycle}`,
  voter: (address: string) => `v${address}`,
  voteChange: (address = '') => `c${address}`,
};

export class AccountMissingError extends Error {}

/** The chain's state as contracts see it, at the time of the newest block below them. */
export class WorldState {
  readonly slot: number;
  constructor(
    readonly layer: StateLayer,
    readonly now: number,
  ) {
    this.slot = Math.floor(now / PARAMETERS.slotMs);
  }

  findAccount(address: string): Account | undefined {
    return this.layer.get(keys.account(address)) as Account | undefined;
  }
  editAccount(address: string): Account {
    const account = this.layer.edit(keys.account(address)) as Account | undefined;
    if (!account) throw new AccountMissingError(address);
    return account;
  }
  putAccount(account: Account): Account {
    this.layer.put(keys.account(account.address), account);
    return account;
  }

  findNamed(name: string): string | undefined {
    return this.layer.get(keys.named(name)) as string | undefined;
  }
  nameAccount(address: string, name: string): void {
    this.editAccount(address).name = name;
    this.layer.put(keys.named(name), address);
  }

  /** As this network has them. */
  get parameters(): Parameters {
    return parametersOf(this.network);
  }

  get network(): Network {
    return this.layer.get(keys.network) as Network;
  }
  editNetwork(): Network {
    return this.layer.edit(keys.network) as Network;
  }

  findDelegation(from: string, to: string, locked: boolean): Delegation | undefined {
    return this.layer.get(keys.delegation(from, to, locked)) as Delegation | undefined;
  }
  editDelegation(from: string, to: string, locked: boolean): Delegation {
    const found = this.layer.edit(keys.delegation(from, to, locked)) as Delegation | undefined;
    if (found) return found;
    const delegation = newDelegation(from, to);
    this.layer.put(keys.delegation(from, to, locked), delegation);
    return delegation;
  }
  /** A record that lends nothing any more is gone from the chain. */
  dropEmptyDelegation(from: string, to: string, locked: boolean): void {
    const delegation = this.findDelegation(from, to, locked);
    if (delegation && isEmpty(delegation)) this.layer.delete(keys.delegation(from, to, locked));
  }

  index(from: string, to: string): void {
    this.layer.put(keys.lentTo(from, to), this.now);
    this.layer.put(keys.lentBy(to, from), this.now);
  }
  unindex(from: string, to: string): void {
    this.layer.delete(keys.lentTo(from, to));
    this.layer.delete(keys.lentBy(to, from));
  }

  /** Whom an account lends to, or is lent by, the longest without a change first. */
  listIndex(prefix: string): string[] {
    const found = [...this.layer.entries(prefix)] as [string, number][];
    return found.sort((a, b) => a[1] - b[1]).map(([key]) => key.slice(prefix.length));
  }
}
