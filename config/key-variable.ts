/** The one place outside the configuration that reads the environment: names of key variables come from `pool:add`, not from us. */
export function readKeyVariable(name: string): string | undefined {
  return process.env[name];
}
