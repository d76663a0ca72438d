import type { JsonObject } from '../protobuf/json.printer';
import type { ContractProgram } from '../token/contract.program';
import { CODE_HASH } from '../token/token.model';
import { shownAddress } from './account.printer';
import { compact } from './compact.json';
import type { RouteRequest } from './route.model';

/** No account made it, so that its address stands for its maker's; callers pay all of their calls. */
export function printContract({ visible }: RouteRequest, program: ContractProgram): JsonObject {
  const address = shownAddress(program.address, visible);
  return {
    origin_address: address,
    contract_address: address,
    abi: { entrys: program.abi },
    consume_user_resource_percent: 100,
    name: program.name,
    code_hash: CODE_HASH,
  };
}

export function printContractInfo(request: RouteRequest, program: ContractProgram): JsonObject {
  const { abi: _codeAlone, ...contract } = printContract(request, program);
  return {
    smart_contract: contract,
    contract_state: compact({ energy_factor: request.view.world.network.tokenEnergyFactor ?? 0n }),
  };
}
