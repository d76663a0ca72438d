import type { WhyRefused } from '../../common/why-refused';

/** What would have to change, for operators. */
export const whyRefused: Readonly<Record<WhyRefused, string>> = {
  node: 'the chain could not be read for a while',
  restored: 'the database was restored or copied, so the service signs nothing until an operator runs restore:confirm',
  switch: 'an operator has paused all new orders',
  noWallet: 'the pool has no wallet that delegates (add one under Wallets, or with pool:add)',
  noneActive: 'every wallet that delegates is paused or draining',
  unread: 'wallets that may have enough stake cannot be read from the chain',
  stake: 'no active wallet has enough energy for one transaction',
  fees: 'no wallet with stake has enough bandwidth or TRX for an order and its reclaim',
  key: 'the key of the wallet cannot be read here, does not belong to it, or may do too much (run doctor)',
  signer: 'the signer of the wallet cannot be reached, or refuses to sign (see Findings)',
  rests:
    'the network refused the last transactions of every wallet with stake, so these wallets pause for now (see Findings)',
  other: 'no wallet can take an order at the moment (see the log)',
};
