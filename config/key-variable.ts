import { readEnvironment } from './environment';

/** A variable whose name comes from `pool:add` and not from us; like every setting it may stand in `.env`. */
export function readKeyVariable(name: string): string | undefined {
  return readEnvironment()[name];
}
