import { accountCreateContract } from './account-create.contract';
import { accountUpdateContract } from './account-update.contract';
import { cancelUnfreezeContract } from './cancel-unfreeze.contract';
import type { ContractRule } from './contract.rule';
import { delegateResourceContract } from './delegate-resource.contract';
import { freezeBalanceContract } from './freeze-balance.contract';
import { oldFreezeContract, oldUnfreezeContract } from './old-stake.contract';
import { permissionUpdateContract } from './permission-update.contract';
import { transferContract } from './transfer.contract';
import { triggerContract } from './trigger.contract';
import { undelegateResourceContract } from './undelegate-resource.contract';
import { updateBrokerageContract } from './update-brokerage.contract';
import { unfreezeBalanceContract } from './unfreeze-balance.contract';
import { voteWitnessContract } from './vote-witness.contract';
import { withdrawBalanceContract } from './withdraw-balance.contract';
import { withdrawUnfreezeContract } from './withdraw-unfreeze.contract';

const rules = [
  accountCreateContract,
  transferContract,
  voteWitnessContract,
  withdrawBalanceContract,
  updateBrokerageContract,
  accountUpdateContract,
  oldFreezeContract,
  oldUnfreezeContract,
  triggerContract,
  permissionUpdateContract,
  freezeBalanceContract,
  unfreezeBalanceContract,
  withdrawUnfreezeContract,
  delegateResourceContract,
  undelegateResourceContract,
  cancelUnfreezeContract,
] as unknown as ContractRule[];

/** What this chain can run. A transaction of any other type is treated as one of a type the node does not know. */
export const CONTRACT_RULES: ReadonlyMap<number, ContractRule> = new Map(rules.map((rule) => [rule.type, rule]));
