import { isIP } from 'node:net';

/** Whether a host, as a URL or a setting names it, is this machine itself: what goes there leaves no cable. */
export function isLoopbackHost(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (isIP(name) === 4) return name.startsWith('127.');
  return isIP(name) === 6 && new URL(`http://[${name}]`).hostname === '[::1]';
}
