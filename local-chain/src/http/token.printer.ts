import type { JsonObject } from '../protobuf/json.printer';
import { TOKEN_ABI } from '../token/token.abi';
import { CODE_HASH, TOKEN_ADDRESS, TOKEN_NAME } from '../token/token.model';
import { shownAddress } from './account.printer';
import { compact } from './compact.json';
import type { RouteRequest } from './route.model';

/** No account made it, so that its address stands for its maker's; callers pay all of their calls. */
export function printContract({ visible }: RouteRequest): JsonObject {
  const address = shownAddress(TOKEN_ADDRESS, visible);
  return {
    origin_address: address,
    contract_address: address,
    abi: { entrys: TOKEN_ABI },
    consume_user_resource_percent: 100,
    name: TOKEN_NAME,
    code_hash: CODE_HASH,
  };
}

export function printContractInfo(request: RouteRequest): JsonObject {
  const { abi: _codeAlone, ...contract } = printContract(request);
  return {
    smart_contract: contract,
    contract_state: compact({ energy_factor: request.view.world.network.tokenEnergyFactor ?? 0n }),
  };
}
