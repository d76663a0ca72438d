import type { NodeEndpoint } from '../../../local-chain/src/http/node.endpoint';
import type { Served } from './sim-network';

type Json = Record<string, unknown>;
/** The answer that stands in the place of the true one. */
type Lie = {
  readonly routes: readonly string[];
  /** `earlier`: what it said on this route before, the oldest first. */
  readonly tell: (answer: Json, node: NodeEndpoint, earlier: readonly Json[]) => Json;
};

const ACCOUNT = ['/wallet/getaccount', '/walletsolidity/getaccount'];
const DELEGABLE = ['/walletsolidity/getcandelegatedmaxsize'];
const LENT = ['/walletsolidity/getdelegatedresourcev2', '/walletsolidity/getdelegatedresourceaccountindexv2'];
const HEAD = ['/wallet/getblock'];
const WITNESSES = ['/wallet/listwitnesses'];
const SOLID = ['/walletsolidity/getblock'];
const SOLID_ACCOUNT = ['/walletsolidity/getaccount'];
const BROADCAST = ['/wallet/broadcasttransaction'];
const FULL = ['/wallet/getblock', '/wallet/getblockbynum', '/wallet/getblockbylimitnext'];
const INFO = ['/wallet/gettransactioninfobyid'];
/** A lie on one of these routes may be an earlier answer. */
const REMEMBERED = [...HEAD, ...SOLID, ...SOLID_ACCOUNT];
/** Further than any block of a history may be from another one that counts. */
const BLOCKS_AHEAD = 1_000;
/** Answers of one kind: more than a fork can drop. */
const MOST_REMEMBERED = 60;

/** Lies of one node, each about one thing, for as long as a history lasts: another node says what is so. */
export const NODE_LIES = {
  'nothing is left': { routes: DELEGABLE, tell: () => ({}) },
  'a thousandfold is left': {
    routes: DELEGABLE,
    tell: (answer) => ({ ...answer, max_size: Number(answer['max_size'] ?? 0) * 1_000 }),
  },
  'no account exists': { routes: ACCOUNT, tell: () => ({}) },
  'all are contracts': { routes: ACCOUNT.slice(0, 1), tell: (answer) => ({ ...answer, type: 'Contract' }) },
  'an account of long ago': { routes: SOLID_ACCOUNT, tell: (_answer, _node, [oldest]) => oldest! },
  'nothing is lent': { routes: LENT, tell: () => ({}) },
  'a solid block above the head': { routes: SOLID, tell: aboveTheHead },
  'a solid block of long ago': { routes: SOLID, tell: (_answer, _node, [oldest]) => oldest! },
  'a head with null in the place of its transactions': {
    routes: HEAD,
    tell: (answer) => ({ ...answer, transactions: [null] }),
  },
  'a head that links to nothing': { routes: HEAD, tell: unlinked },
  'the head that a fork has dropped': { routes: HEAD, tell: dropped },
  'each broadcast has a wrong signature': {
    routes: BROADCAST,
    tell: ({ txid }) => ({ code: 'SIGERROR', txid, message: '' }),
  },
  'no transaction has an info': { routes: INFO, tell: () => ({}) },
  'payments under no root': { routes: FULL, tell: morePayments },
  'no witnesses': { routes: WITNESSES, tell: () => ({}) },
  'other witnesses': { routes: WITNESSES, tell: strangers },
} satisfies Record<string, Lie>;
export type NodeLie = keyof typeof NODE_LIES;

export class NodeLies {
  private readonly lies = new Map<NodeEndpoint, NodeLie>();
  /** By node and question. */
  private readonly said = new Map<NodeEndpoint, Map<string, readonly Json[]>>();
  /** By lie, how often it was told. */
  readonly told = new Map<string, number>();

  begin(node: NodeEndpoint, lie: NodeLie): void {
    this.lies.set(node, lie);
  }

  /** A node that tells it has been set right. */
  end(lie: NodeLie): void {
    for (const [node, told] of this.lies) if (told === lie) this.lies.delete(node);
  }

  /** What the caller gets of what this node has served. */
  seen(node: NodeEndpoint, path: string, asked: string, served: Served): Served {
    if (!served || !('body' in served) || served.status !== 200 || served.isCut) return served;
    if (!served.body.startsWith('{') || served.body.includes('"Error"')) return served;
    const name = this.lies.get(node);
    const lie: Lie | undefined = name && NODE_LIES[name];
    const isToldOtherwise = lie?.routes.includes(path) ?? false;
    if (!isToldOtherwise && !REMEMBERED.includes(path)) return served;
    const answer = JSON.parse(served.body) as Json;
    const earlier = REMEMBERED.includes(path) ? this.remember(node, `${path} ${asked}`, answer) : [];
    if (!isToldOtherwise) return served;
    const { tell } = lie!;
    const body = JSON.stringify(tell(answer, node, earlier));
    if (body === served.body) return served;
    this.told.set(name!, (this.told.get(name!) ?? 0) + 1);
    return { ...served, body };
  }

  private remember(node: NodeEndpoint, question: string, answer: Json): readonly Json[] {
    const ofNode = this.said.get(node) ?? new Map<string, readonly Json[]>();
    this.said.set(node, ofNode);
    const earlier = ofNode.get(question) ?? [answer];
    ofNode.set(question, [earlier[0]!, ...earlier.slice(1).slice(-MOST_REMEMBERED), answer]);
    return earlier;
  }
}

interface SaidBlock extends Json {
  readonly blockID: string;
  readonly block_header: { readonly raw_data: Json };
}

/** Under its own id, so that nothing but its signature and that id speak against it. */
function unlinked(answer: Json): Json {
  const header = answer['block_header'] as SaidBlock['block_header'] | undefined;
  const parent = header?.raw_data['parentHash'];
  if (typeof parent !== 'string') return answer;
  const parentHash = parent.slice(0, 16) + parent.slice(16).split('').toReversed().join('');
  return { ...answer, block_header: { ...header, raw_data: { ...header!.raw_data, parentHash } } };
}

/** Signed by a witness, and of no branch that counts. */
function dropped(answer: Json, { node: { blocks } }: NodeEndpoint, earlier: readonly Json[]): Json {
  // A fault may have put an answer without a block among them.
  const isGone = ({ blockID, block_header: header }: Partial<SaidBlock>) =>
    header !== undefined && blocks.find(Number(header.raw_data['number'] ?? 0))?.id !== blockID;
  return earlier.findLast(isGone) ?? answer;
}

interface ShownTransaction extends Json {
  readonly txID: string;
  readonly raw_data: { readonly contract: readonly { readonly type: string }[] };
}

/** Each failed call as a success, and each payment a second time under another id. */
function morePayments(answer: Json): Json {
  const listed = answer['block'] as Json[] | undefined;
  if (Array.isArray(listed)) return { ...answer, block: listed.map(morePayments) };
  const transactions = answer['transactions'] as ShownTransaction[] | undefined;
  if (!Array.isArray(transactions)) return answer;
  const succeeded = transactions.map((one) => ({ ...one, ret: [{ contractRet: 'SUCCESS' }] }));
  const again = succeeded
    .filter(({ raw_data: { contract } }) => /^(TransferContract|TriggerSmartContract)$/.test(contract[0]?.type ?? ''))
    .map((one) => ({ ...one, txID: one.txID.split('').toReversed().join('') }));
  return { ...answer, transactions: [...succeeded, ...again] };
}

function strangers(answer: Json): Json {
  const witnesses = (answer['witnesses'] ?? []) as { readonly address: string }[];
  const other = (address: string) => address.slice(0, 2) + address.slice(2).split('').toReversed().join('');
  return { ...answer, witnesses: witnesses.map((one) => ({ ...one, address: other(one.address) })) };
}

function aboveTheHead(answer: Json): Json {
  const header = answer['block_header'] as { raw_data: Json } | undefined;
  if (!header) return answer;
  const number = Number(header.raw_data['number'] ?? 0) + BLOCKS_AHEAD;
  const blockID = number.toString(16).padStart(16, '0') + String(answer['blockID']).slice(16);
  return { ...answer, blockID, block_header: { ...header, raw_data: { ...header.raw_data, number } } };
}
