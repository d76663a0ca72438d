import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, fchmodSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Configuration } from '../../config/configuration';
import {
  findEndpoint,
  isChainEnding,
  type LocalChainEndpoint,
  makeLocalChainDirectory,
  removeEndpoint,
  writeEndpoint,
} from './local-chain.endpoint';

/** A program of its own: the service knows it by its path and its HTTP API, as it knows any node. */
const PROGRAM = join(__dirname, '..', '..', 'local-chain', 'src', 'main.js');
const START_TIMEOUT_MS = 30_000;
const RESTART_AFTER_MS = 500;
const WATCH_MS = 500;

export interface LocalChain extends LocalChainEndpoint {
  stop(): Promise<void>;
}

/** The local chain under `DATA_DIR`, as a child of this process, or of another service on the same directory that runs already. */
export async function startLocalChain(configuration: Configuration): Promise<LocalChain> {
  // The image is built without it.
  if (!existsSync(PROGRAM))
    throw new Error('LOCAL_CHAIN=on: this image has no local chain. Set TRON_FULL_NODE_URLS in place of it.');
  const { dataDir } = configuration;
  while (isChainEnding(dataDir)) await sleep(20);
  const chain = new LocalChainProcess(configuration);
  const running = findEndpoint(dataDir);
  if (running) chain.standBy(running);
  const endpoint = running ?? (await chain.start(0));
  return { ...endpoint, stop: () => chain.stop() };
}

class LocalChainProcess {
  private readonly logger = new Logger('LocalChain');
  private child: ChildProcess | null = null;
  private stopping = false;

  constructor(private readonly configuration: Configuration) {}

  async start(port: number): Promise<LocalChainEndpoint> {
    const child = this.spawn(port);
    this.child = child;
    const endpoint = await this.readFirstLine(child);
    writeEndpoint(this.configuration.dataDir, endpoint, child.pid!);
    child.once('exit', () => {
      if (!this.stopping) void this.restart(Number(new URL(endpoint.url).port));
    });
    return endpoint;
  }

  /** The chain is another service's child and ends with it: then it goes on, at the same address, as ours. */
  standBy({ url }: LocalChainEndpoint): void {
    const watch = setInterval(() => {
      if (!this.stopping && findEndpoint(this.configuration.dataDir)) return;
      clearInterval(watch);
      if (!this.stopping) void this.takeOver(url);
    }, WATCH_MS).unref();
  }

  /** When several services stand by, the first has the chain's data; the others stand by again. */
  private async takeOver(url: string): Promise<void> {
    const started = await this.start(Number(new URL(url).port)).catch(() => null);
    if (started) this.logger.warn('The local chain ended with its service; it goes on with this one.');
    else if (!this.stopping) this.standBy({ url, accounts: [] });
  }

  async stop(): Promise<void> {
    this.stopping = true;
    removeEndpoint(this.configuration.dataDir);
    if (this.child === null || this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }

  /** The channel ends the chain with this process, however it ends; a group of its own keeps a Ctrl-C from it meanwhile. */
  private spawn(port: number): ChildProcess {
    const { dataDir, localChain } = this.configuration;
    const directory = makeLocalChainDirectory(dataDir);
    const log = openSync(join(dataDir, 'local-chain.log'), 'a', 0o600);
    fchmodSync(log, 0o600);
    const settings = ['--port', String(port), '--block', `${localChain.blockMs}ms`, '--data', directory];
    const child = spawn(process.execPath, [PROGRAM, ...settings], {
      detached: true,
      stdio: ['ignore', 'pipe', log, 'ipc'],
    });
    closeSync(log);
    return child;
  }

  private async readFirstLine(child: ChildProcess): Promise<LocalChainEndpoint> {
    const lines = createInterface({ input: child.stdout! });
    const signal = AbortSignal.timeout(START_TIMEOUT_MS);
    const ended = once(child, 'exit', { signal }).then(() => null);
    const line = await Promise.race([once(lines, 'line', { signal }).then(([text]) => String(text)), ended]);
    if (line !== null) return JSON.parse(line) as LocalChainEndpoint;
    throw new Error(`The local chain does not start: see ${join(this.configuration.dataDir, 'local-chain.log')}`);
  }

  /** On the same port, so that its URL stays the one that everybody has. */
  private async restart(port: number): Promise<void> {
    this.logger.warn('The local chain ended; it is started again.');
    await sleep(RESTART_AFTER_MS);
    if (this.stopping) return;
    await this.start(port).catch((error: unknown) => {
      this.logger.error(String(error));
      void this.restart(port);
    });
  }
}
