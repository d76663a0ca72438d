import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeEndpoint } from '../../../local-chain/src/http/node.endpoint';
import type { Kernel } from '../kernel/kernel';
import type { Served } from './sim-network';

/** A call to one node of the chain, without HTTP in between: the node's own reading, answering and faults. */
export async function callNode(kernel: Kernel, node: NodeEndpoint, path: string, body: string): Promise<Served> {
  let served: Served = null;
  let status = 200;
  let headers: Record<string, string> = {};
  let written = '';
  const response = {
    headersSent: false,
    writeHead(code: number, given: Record<string, unknown>) {
      status = code;
      headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), String(value)]));
      this.headersSent = true;
    },
    write(part: string, done: () => void) {
      written += part;
      done();
    },
    end(text: string) {
      served = { status, headers, body: text };
    },
    /** After a part of the body. */
    destroy() {
      served = { status, headers, body: written, isCut: true };
    },
    socket: {
      resetAndDestroy() {
        served = { code: 'ECONNRESET' };
      },
    },
  };
  const request = Object.assign(once(Buffer.from(body)), {
    url: path,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  node.serve(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  await kernel.rest();
  return served;
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
