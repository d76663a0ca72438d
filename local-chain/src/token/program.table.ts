import type { WorldState } from '../state/world.state';
import { selectorIn } from './call.words';
import type { ContractCall, ContractProgram, Execution } from './contract.program';
import { PAYER_PROGRAM, payerState } from './payer.program';
import { FACTOR_ONE, tokenState } from './token.model';
import { TOKEN_PROGRAMS } from './token.program';

const PROGRAMS: ReadonlyMap<string, ContractProgram> = new Map(
  [...TOKEN_PROGRAMS, PAYER_PROGRAM].map((program) => [program.address, program]),
);

/** What the state has of the contracts at the beginning. */
export const contractState = (): Map<string, unknown> => new Map([...tokenState(), ...payerState()]);

/** The contract at this address, `41…` in hex. */
export const findProgram = (address: string): ContractProgram | undefined => PROGRAMS.get(address);

export const isReading = (address: string, data: Buffer): boolean =>
  findProgram(address)?.readings.has(selectorIn(data)) ?? false;

/** With the penalty of a contract that is used too much, in ten thousandths of the energy. */
export function runContract(world: WorldState, address: string, call: ContractCall): Execution {
  const outcome = findProgram(address)!.run(world, call);
  const { energy, output, logs = [], internal = [], reverted = false, apply = () => undefined } = outcome;
  const penaltyUnits = (energy * (world.network.tokenEnergyFactor ?? 0n)) / FACTOR_ONE;
  return { reverted, energyUnits: energy + penaltyUnits, penaltyUnits, output, logs, internal, apply };
}
