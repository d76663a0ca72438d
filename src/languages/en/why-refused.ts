import type { WhyRefused } from '../../common/why-refused';

/** What would have to change, for operators. */
export const whyRefused: Readonly<Record<WhyRefused, string>> = {
  node: 'the chain could not be read for a while',
  restored:
    'the database was restored or copied, and the service signs nothing until an operator confirms the database (restore:confirm)',
  switch: 'an operator has paused all new orders',
  noWallet: 'no wallet lends energy (add one under Wallets, or with pool:add)',
  noneActive: 'every wallet that lends is paused or draining',
  unread: 'wallets that may have the stake could not be read from the chain',
  stake: 'no active wallet has enough energy for one transaction',
  fees: 'no wallet with stake has the bandwidth or TRX for an order and its reclaim',
  key: 'the key of the wallet cannot be read here, is not its own, or may do too much (see doctor)',
  signer: 'the signer of the wallet is out of reach, or refuses to sign (see Findings)',
  rests:
    'the network refused the last transactions of every wallet with stake, so they are paused for now (see Findings)',
  other: 'no wallet can take an order at the moment (see the log)',
};
