import type { NodeEndpoint } from '../../../src/local-chain/http/node.endpoint';
import type { Served } from './sim-network';

type Json = Record<string, unknown>;
/** What is said in the place of the true answer. */
type Lie = { readonly routes: readonly string[]; readonly tell: (answer: Json) => Json };

const ACCOUNT = ['/wallet/getaccount', '/walletsolidity/getaccount'];
const DELEGABLE = ['/walletsolidity/getcandelegatedmaxsize'];
/** Further than any block of a history may be from another one that counts. */
const BLOCKS_AHEAD = 1_000;

/** Of one node, each about one thing, for as long as a history lasts: another node says what is so. */
export const NODE_LIES = {
  'nothing is left': { routes: DELEGABLE, tell: () => ({}) },
  'a thousandfold is left': {
    routes: DELEGABLE,
    tell: (answer) => ({ ...answer, max_size: Number(answer['max_size'] ?? 0) * 1_000 }),
  },
  'no account exists': { routes: ACCOUNT, tell: () => ({}) },
  'all are contracts': { routes: ACCOUNT.slice(0, 1), tell: (answer) => ({ ...answer, type: 'Contract' }) },
  'a solid block above the head': { routes: ['/walletsolidity/getblock'], tell: aboveTheHead },
} satisfies Record<string, Lie>;
export type NodeLie = keyof typeof NODE_LIES;

export class NodeLies {
  private readonly lies = new Map<NodeEndpoint, NodeLie>();
  /** By lie, how often it was told. */
  readonly told = new Map<string, number>();

  begin(node: NodeEndpoint, lie: NodeLie): void {
    this.lies.set(node, lie);
  }

  /** What the caller gets of what this node has served. */
  seen(node: NodeEndpoint, path: string, served: Served): Served {
    const name = this.lies.get(node);
    if (!name || !served || !('body' in served) || served.status !== 200 || served.isCut) return served;
    const { routes, tell }: Lie = NODE_LIES[name];
    if (!routes.includes(path) || !served.body.startsWith('{') || served.body.includes('"Error"')) return served;
    const body = JSON.stringify(tell(JSON.parse(served.body) as Json));
    if (body === served.body) return served;
    this.told.set(name, (this.told.get(name) ?? 0) + 1);
    return { ...served, body };
  }
}

function aboveTheHead(answer: Json): Json {
  const header = answer['block_header'] as { raw_data: Json } | undefined;
  if (!header) return answer;
  const number = Number(header.raw_data['number'] ?? 0) + BLOCKS_AHEAD;
  const blockID = number.toString(16).padStart(16, '0') + String(answer['blockID']).slice(16);
  return { ...answer, blockID, block_header: { ...header, raw_data: { ...header.raw_data, number } } };
}
