import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LocalChainAccount {
  readonly role: 'pool' | 'activate' | 'rich';
  readonly address: string;
  readonly private_key: string;
}

/** The first line that the local chain prints. */
export interface LocalChainEndpoint {
  readonly url: string;
  readonly accounts: readonly LocalChainAccount[];
}

interface EndpointFile extends LocalChainEndpoint {
  readonly chainPid: number;
  /** The service whose child the chain is: without it the chain is about to end. */
  readonly servicePid: number;
}

export function localChainDirectory(dataDir: string): string {
  return join(dataDir, 'local-chain');
}

/** Has the keys of the chain's accounts in it, so no other user may read it, also where an older service has made it. */
export function makeLocalChainDirectory(dataDir: string): string {
  const directory = localChainDirectory(dataDir);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  return directory;
}

/** How the command line and further instances find the chain. */
export function writeEndpoint(dataDir: string, endpoint: LocalChainEndpoint, chainPid: number): void {
  const file: EndpointFile = { ...endpoint, chainPid, servicePid: process.pid };
  const path = pathOf(dataDir);
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(file), { mode: 0o600 });
  renameSync(`${path}.${process.pid}`, path);
}

export function removeEndpoint(dataDir: string): void {
  if (readEndpoint(dataDir)?.servicePid === process.pid) rmSync(pathOf(dataDir), { force: true });
}

/** The local chain that runs beside a service on this data directory. */
export function findEndpoint(dataDir: string): LocalChainEndpoint | null {
  const file = readEndpoint(dataDir);
  return file && isAlive(file.servicePid) && isAlive(file.chainPid) ? file : null;
}

/** Whether a chain of a service that was killed still holds its files: it ends by itself within a moment. */
export function isChainEnding(dataDir: string): boolean {
  const file = readEndpoint(dataDir);
  return file !== null && !isAlive(file.servicePid) && isAlive(file.chainPid);
}

function readEndpoint(dataDir: string): EndpointFile | null {
  try {
    return JSON.parse(readFileSync(pathOf(dataDir), 'utf8')) as EndpointFile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function pathOf(dataDir: string): string {
  return join(localChainDirectory(dataDir), 'endpoint.json');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
