import type { FindingParameters } from '../../../common/finding-reasons';
import { trx } from '../../finding-messages';

/** By `act`; of another kind than a newer version knows, the last one. */
const ACTS: Readonly<Record<string, (sun: string, receiver: string) => string>> = {
  transfer: (sun, receiver) => `sent ${sun === '-' ? 'tokens' : `${trx(sun)} TRX`} to ${receiver}`,
  contract_call: (sun, receiver) =>
    `${receiver === '-' ? 'created a contract' : `called contract ${receiver}`}${sun === '-' || sun === '0' ? '' : ` with ${trx(sun)} TRX`}`,
  permission_change: () => "changed the account's permissions",
  unfreezing: (sun) => `began to unfreeze ${sun === '-' ? 'stake' : `${trx(sun)} TRX of stake`}`,
  delegation: (sun, receiver) => `delegated ${trx(sun)} TRX of stake to ${receiver}`,
  undelegation: (sun, receiver) => `took ${trx(sun)} TRX of stake back from ${receiver}`,
  vote: () => 'voted',
  claim: () => 'claimed its rewards',
  freezing: (sun) => `staked ${sun === '-' ? 'TRX that were being unfrozen' : `${trx(sun)} TRX`}`,
  withdrawal: () => 'withdrew unfrozen TRX',
  other: (sun) =>
    `made a transaction${sun === '-' ? '' : ` of ${trx(sun)} TRX`} of a kind that this version does not know`,
};

export const whatWasDone = (of: FindingParameters['wallet_used']) =>
  `the holder of the key of ${of.wallet} ${(ACTS[of.act] ?? ACTS['other']!)(of.amount_sun, of.receiver)}, not through this service (transaction ${of.tx_id} in block ${of.block}, ${of.at})`;
