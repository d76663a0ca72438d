import { readEnvironment } from './environment';

/** A variable whose name comes from `pool:add` and not from us; like every setting it may stand in `.env`. */
export function readKeyVariable(name: string): string | undefined {
  const environment = readEnvironment();
  // `constructor` is in every object, and no variable.
  return Object.hasOwn(environment, name) ? environment[name] : undefined;
}
