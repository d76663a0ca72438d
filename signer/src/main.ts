#!/usr/bin/env node
import { HELP, parseCommandLine, UsageError } from './command/command-line.options';
import { start } from './command/start';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const options = parseCommandLine(process.argv.slice(2));
  if (!options) {
    process.stdout.write(HELP);
    return;
  }
  const started = await start(options, say);
  let isEnding = false;
  const stop = (): void => {
    if (isEnding) return;
    isEnding = true;
    void started.close().then(() => process.exit(0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // Said last: a supervisor that reads it may send a signal at once, and that signal must end by removing the socket.
  say(`listening on ${started.address}`);
}

main().catch((error: unknown) => {
  const lines = (error instanceof Error ? error.message : String(error)).split('\n');
  process.stderr.write(lines.map((line) => `energy-signer: ${line}\n`).join(''));
  process.exit(error instanceof UsageError ? 2 : 1);
});
