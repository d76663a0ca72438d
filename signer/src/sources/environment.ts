/** Takes a variable out of this process's environment, so that no child and no report has it. The only reader of the environment. */
export function takeVariable(name: string): string | undefined {
  const value = process.env[name];
  delete process.env[name];
  return value;
}
