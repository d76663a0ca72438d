import { printLine } from './output';

/** A security release of 2026-10-21 (HTTP agent, DNS, TLS host names), and not older than the Node that npm brings along. */
export const SAFE_NODE = '24.22.1';

export interface NodeReport {
  readonly version: string;
  /** `npm`: brought along by `npm ci`; `system`: the machine's or the image's own. */
  readonly source: 'npm' | 'system';
  readonly path: string;
  readonly warning: string | null;
}

/** The Node that runs this command; the service chooses its own in the same way (scripts/newest-node.mjs). */
export function describeNode(version = process.versions.node, path = process.execPath): NodeReport {
  const source = /[\\/]node_modules[\\/]/.test(path) ? 'npm' : 'system';
  const warning = isOlder(version, SAFE_NODE)
    ? `older than ${SAFE_NODE}, a security release: install Node ${SAFE_NODE} or newer on this machine, then start the service again`
    : null;
  return { version, source, path, warning };
}

/** Not a finding: the service works, and npm may not carry the release yet. */
export function printNode({ version, source, path, warning }: NodeReport): void {
  const origin = source === 'npm' ? 'installed by npm' : 'installed on this machine';
  printLine(`Node ${version}, ${origin} (${path})${warning ? `; warning: ${warning}` : ''}`);
}

function isOlder(version: string, other: string): boolean {
  const [parts, others] = [version, other].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const at = parts.findIndex((part, index) => part !== others[index]);
  return at >= 0 && parts[at]! < others[at]!;
}
