import type { Readable } from 'node:stream';
import { SimRequest } from './http-edge';

export const SIGNER_HOST = 'signer.example';

interface SocketOptions {
  readonly path: string;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** Its body is bytes, or none. */
class SignerRequest extends SimRequest {
  override end(body: string | Buffer = ''): void {
    super.end(String(body));
  }
}

/** As the service's client of the signer calls it: by a socket, whose only server is the signer. */
export function request({ path, headers = {} }: SocketOptions, answered: (response: Readable) => void): SimRequest {
  return new SignerRequest(new URL(path, `http://${SIGNER_HOST}`), headers, undefined, answered);
}

export { SignerAgent as Agent };

/** Connections are the network's matter here. */
class SignerAgent {
  destroy(): void {
    // None is kept.
  }
}
