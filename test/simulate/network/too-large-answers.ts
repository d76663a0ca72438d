import { gzipSync } from 'node:zlib';
import type { NodeEndpoint } from '../../../local-chain/src/http/node.endpoint';
import type { Reply } from './http-edge';
import type { Served } from './sim-network';
import { whenInflated } from './zlib-edge';

/** As it is, or zipped to a thousandth. */
export const WAYS_TO_BE_LARGE = ['long', 'inflated'] as const;
export type WayToBeLarge = (typeof WAYS_TO_BE_LARGE)[number];

const MB = 1024 * 1024;
/** More than any answer may have (src/chain/node/answer-bounds.ts: 32 MB), by more than streams hold in store. */
const LARGE = 40 * MB;
const FILLER = Buffer.alloc(64 * 1024, 'x');

interface Largeness {
  readonly path: string;
  readonly way: WayToBeLarge;
}

/** On one route a node adds more to the true answer than the service may take: a caller that reads it to its end has no bound there. */
export class TooLargeAnswers {
  private readonly nodes = new Map<NodeEndpoint, Largeness>();
  /** By way and by route, how often. */
  readonly given = new Map<string, number>();

  constructor(private readonly violated: (what: string) => void) {}

  begin(node: NodeEndpoint, route: string, way: WayToBeLarge): void {
    this.nodes.set(node, { path: `/${route}`, way });
  }

  end(): void {
    this.nodes.clear();
  }

  /** What the caller gets of what this node has served. */
  seen(node: NodeEndpoint, path: string, served: Served): Served {
    const large = this.nodes.get(node);
    if (large?.path !== path || !served || !('body' in served) || served.status !== 200 || served.isCut) return served;
    if (!served.body.startsWith('{')) return served;
    for (const what of [large.way, path.slice(1)]) this.given.set(what, (this.given.get(what) ?? 0) + 1);
    return this.enlarged(served, large);
  }

  private enlarged(served: Reply, { path, way }: Largeness): Reply {
    const isZipped = way === 'inflated';
    const encoding = isZipped && { 'content-encoding': 'gzip' };
    return { ...served, headers: { ...served.headers, ...encoding }, chunks: this.chunks(served.body, path, isZipped) };
  }

  private *chunks(body: string, path: string, isZipped: boolean): Generator<Buffer> {
    const pack = (bytes: Buffer) => (isZipped ? gzipSync(bytes) : bytes);
    const members = body.trimEnd().slice(0, -1);
    const filler = pack(FILLER);
    yield pack(Buffer.from(`${members}${members.trim() === '{' ? '' : ','}"filler":"`));
    for (let bytes = 0; bytes < LARGE; bytes += FILLER.length) yield filler;
    const end = pack(Buffer.from('"}'));
    const readToItsEnd = () => this.violated(`an answer of ${LARGE / MB} MB was read to its end: ${path}`);
    // So much of what is zipped lies in store before anybody wants it.
    if (isZipped) whenInflated(end, readToItsEnd);
    yield end;
    if (!isZipped) readToItsEnd();
  }
}
