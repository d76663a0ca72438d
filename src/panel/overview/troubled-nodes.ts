import type { NodeStandingView } from '../../chain/node/configured-nodes';

export interface TroubledNode {
  readonly host: string;
  /** Null: it is not behind, but fails. */
  readonly blocks: number | null;
  readonly since: Date | null;
}

export interface NodesView {
  readonly all: number;
  /** Out of use until they have caught up, or left alone for a while because they failed. */
  readonly troubled: readonly TroubledNode[];
}

/** Each host once, however many of its routes are configured. */
export function troubledNodesOf(standings: readonly NodeStandingView[]): NodesView {
  const byHost = Map.groupBy(standings, ({ url }) => new URL(url).host);
  const troubled = [...byHost].flatMap(([host, views]) => {
    const behind = views.filter((view) => view.behind);
    if (behind.length === 0 && !views.some(({ resting }) => resting)) return [];
    const blocks = behind.flatMap((view) => (view.behindBlocks === null ? [] : [view.behindBlocks]));
    const since = behind.flatMap((view) => (view.behindSince === null ? [] : [view.behindSince.getTime()]));
    return [
      {
        host,
        blocks: blocks.length === 0 ? null : Math.max(...blocks),
        since: since.length === 0 ? null : new Date(Math.min(...since)),
      },
    ];
  });
  return { all: byHost.size, troubled };
}
