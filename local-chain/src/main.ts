#!/usr/bin/env node
import { once } from 'node:events';
import { HELP, UsageError, parseCommandLine } from './command-line.options';
import { startLocalChain } from './local-chain';

async function main(): Promise<void> {
  const options = parseCommandLine(process.argv.slice(2));
  if (!options) {
    process.stdout.write(HELP);
    return;
  }
  // The parent that started it with a channel may be gone before it is up: a chain that no parent asks for would only hold its port and its
  // lock.
  const abandoned = process.channel ? once(process, 'disconnect') : undefined;
  const chain = await startLocalChain(options);
  const stop = (): void => void chain.close().then(() => process.exit(0));
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  void abandoned?.then(stop);
  // Last: a parent that reads this may stop the chain at once.
  process.stdout.write(`${JSON.stringify({ url: chain.url, accounts: chain.accounts })}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`local-chain: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof UsageError ? 2 : 1);
});
