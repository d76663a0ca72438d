import type { CallReceipt } from '../chain/transaction.receipt';
import { TRIGGER_CONTRACT, type TriggerMessage } from '../protobuf/contract.schema';
import { spendEnergy, stakedEnergyLeft } from '../resources/energy.use';
import type { WorldState } from '../state/world.state';
import type { Execution } from '../token/contract.program';
import { findProgram, runContract } from '../token/program.table';
import { hexOf, refuse, type ContractOutcome, type ContractRule } from './contract.rule';

const MIN_TOKEN_ID = 1_000_000n;

export const isContract = (address: Buffer): boolean => findProgram(hexOf(address)) !== undefined;

function validate(world: WorldState, message: TriggerMessage, _building: boolean, feeLimitSun: bigint): void {
  if (!isContract(message.contract_address)) refuse('No contract or not a smart contract');
  if (message.call_value < 0n) refuse('callValue must be >= 0');
  if (message.call_token_value < 0n) refuse('tokenValue must be >= 0');
  if (message.token_id <= MIN_TOKEN_ID && message.token_id !== 0n) refuse(`tokenId must be > ${MIN_TOKEN_ID}`);
  if (message.call_token_value > 0n && message.token_id === 0n)
    refuse(`invalid arguments with tokenValue = ${message.call_token_value}, tokenId = ${message.token_id}`);
  if (feeLimitSun < 0n || feeLimitSun > world.parameters.maxFeeLimitSun)
    refuse(`feeLimit must be >= 0 and <= ${world.parameters.maxFeeLimitSun}`);
  if (world.findAccount(hexOf(message.owner_address))!.balanceSun < message.call_value)
    refuse('Validate InternalTransfer error, balance is not sufficient.');
  if (message.call_token_value > 0n) refuse('No asset !');
}

/** All energy that a call may use: what the caller's stake and TRX give, and no more than the fee limit, stake included. */
function energyLimit(world: WorldState, message: TriggerMessage, feeLimitSun: bigint): bigint {
  const caller = world.findAccount(hexOf(message.owner_address))!;
  const available =
    stakedEnergyLeft(world, caller) + (caller.balanceSun - message.call_value) / world.parameters.energyFeeSun;
  const allowed = feeLimitSun / world.parameters.energyFeeSun;
  return available < allowed ? available : allowed;
}

type Ending = Pick<CallReceipt, 'result' | 'failure' | 'output' | 'energyUnits' | 'penaltyUnits' | 'logs' | 'internal'>;

/** Without the energy for it a call uses all there is, and changes nothing. */
function endingOf(run: Execution, limit: bigint): Ending {
  const { energyUnits, penaltyUnits, logs } = run;
  const rejected = run.internal.map((call) => ({ ...call, rejected: true }));
  if (energyUnits > limit) {
    const failure = `Not enough energy for 'SSTORE' operation executing: curInvokeEnergyLimit[${limit}], curOpEnergy[${energyUnits}], usedEnergy[0]`;
    return {
      result: 'OUT_OF_ENERGY',
      failure,
      output: '',
      energyUnits: limit,
      penaltyUnits: 0n,
      logs: [],
      internal: rejected,
    };
  }
  const ending = { output: hexOf(run.output), energyUnits, penaltyUnits };
  return run.reverted
    ? { ...ending, result: 'REVERT', failure: 'REVERT opcode executed', logs: [], internal: rejected }
    : { ...ending, result: 'SUCCESS', logs, internal: run.internal };
}

/** The caller pays for all of it: lent energy and its own first, and TRX are burned for the rest. */
function execute(world: WorldState, message: TriggerMessage, feeLimitSun: bigint): ContractOutcome {
  const caller = hexOf(message.owner_address);
  const contract = hexOf(message.contract_address);
  const run = runContract(world, contract, { caller, data: message.data, callValueSun: message.call_value });
  const ending = endingOf(run, energyLimit(world, message, feeLimitSun));
  if (ending.result === 'SUCCESS') run.apply(world);
  const bill =
    ending.energyUnits > 0n ? spendEnergy(world, caller, ending.energyUnits) : { energyUsed: 0n, burnedSun: 0n };
  const call = {
    contract,
    ...ending,
    stakedUnits: bill.energyUsed,
    energyFeeSun: bill.burnedSun,
  };
  return { feeSun: bill.burnedSun, call };
}

export const triggerContract: ContractRule<TriggerMessage> = {
  type: 31,
  schema: TRIGGER_CONTRACT,
  validate,
  execute,
};
