import type { Client } from 'pg';
import type { StateChange } from '../../../local-chain/src/chain/chain.node';
import { worthlessKey } from '../../../local-chain/src/genesis.accounts';
import { addressOfKey } from '../../../local-chain/src/signing/secp256k1';
import type { Account, Permission } from '../../../local-chain/src/state/account.model';
import { keys } from '../../../local-chain/src/state/world.state';
import { toHexAddress } from '../../../src/chain/tron/addresses';
import { SUN_PER_TRX } from '../../../src/common/money/sun';
import { CARING_AND_UNFREEZING } from '../../support/restricted-key';
import type { ChainWallet, SimChain } from '../network/sim-chain';
import type { PlannedCare } from './plan';
import { addReward } from './stake-acts';

const PERMISSION = 3;

interface CaredWallet {
  readonly number: number;
  readonly wallet: ChainWallet;
  readonly care: PlannedCare;
  readonly witnesses: readonly string[];
}

/** Its care has a key of its own, which votes for two witnesses; its TRX and no stake pay for bandwidth. */
export async function setUpCare(
  database: Client,
  chain: SimChain,
  { number, wallet: { address }, care, witnesses }: CaredWallet,
): Promise<void> {
  const key = worthlessKey(`simulated care ${number}`);
  const variable = `SIMULATED_CARE_KEY_${number}`;
  process.env[variable] = key;
  const permission: Permission = {
    type: 2,
    id: PERMISSION,
    name: 'care',
    threshold: 1n,
    operations: CARING_AND_UNFREEZING,
    keys: [{ address: addressOfKey(key).toString('hex'), weight: 1n }],
  };
  const change = (before?: Account): Account => ({
    ...before!,
    balanceSun: BigInt(care.trx) * SUN_PER_TRX,
    net: { ...before!.net, frozenSun: 0n },
    actives: [...before!.actives.filter(({ id }) => id !== PERMISSION), permission],
  });
  chain.node.amend(new Map([[keys.account(toHexAddress(address)), change as StateChange]]));
  if (care.rewardTrx > 0) addReward(chain, address, care.rewardTrx);
  const votes = [
    { witness: witnesses[0], weight: 60 },
    { witness: witnesses[1], weight: 40 },
  ];
  await database.query(
    `insert into stake_care (wallet_id, key_source, permission_id, votes, claims, restakes, keep_liquid_sun)
     select id, $2, $3, $4::jsonb, true, $5, $6 from pool_wallets where address = $1 and role = 'delegate'`,
    [
      address,
      `env:${variable}`,
      PERMISSION,
      JSON.stringify(votes),
      care.restakes,
      BigInt(care.keepLiquidTrx) * SUN_PER_TRX,
    ],
  );
}
