import type { NodeStandingView } from '../../chain/tron/node/configured-nodes';

/** Out of use until it has caught up, or left alone for a while because it fails. */
export interface NodeSetAside {
  readonly host: string;
  /** Null: it is not behind, but fails. */
  readonly blocks: number | null;
  readonly since: Date | null;
  /** How many nodes there are of its kind, and how many of them work; of both kinds, that with fewer left. */
  readonly all: number;
  readonly left: number;
}

/** Each host once, however many of its routes are configured. */
export function nodesSetAside(standings: readonly NodeStandingView[]): NodeSetAside[] {
  const byHost = Map.groupBy(standings, hostOf);
  return [...byHost].flatMap(([host, views]) => {
    const setAside = views.filter(isSetAside);
    const [fewest] = setAside.map(({ kind }) => countOf(standings, kind)).toSorted((a, b) => a.left - b.left);
    if (!fewest) return [];
    const blocks = setAside.flatMap(({ behindBlocks }) => (behindBlocks === null ? [] : [behindBlocks]));
    const since = setAside.flatMap(({ behindSince }) => (behindSince === null ? [] : [behindSince.getTime()]));
    return [
      {
        host,
        blocks: blocks.length === 0 ? null : Math.max(...blocks),
        since: since.length === 0 ? null : new Date(Math.min(...since)),
        ...fewest,
      },
    ];
  });
}

/** A host that works for one kind alone is none that is left for the other. */
function countOf(standings: readonly NodeStandingView[], kind: NodeStandingView['kind']) {
  const ofKind = standings.filter((view) => view.kind === kind);
  return { all: hostsIn(ofKind), left: hostsIn(ofKind.filter((view) => !isSetAside(view))) };
}

function hostsIn(standings: readonly NodeStandingView[]): number {
  return new Set(standings.map(hostOf)).size;
}

function isSetAside({ behind, failing }: NodeStandingView): boolean {
  return behind || failing;
}

function hostOf({ url }: NodeStandingView): string {
  return new URL(url).host;
}
