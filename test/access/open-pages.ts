import type { ClassifiedRoute } from './route-classes';
import type { RouteWorld } from './route-world';

const AT_ONCE = 8;

export interface Opened {
  readonly name: string;
  readonly status: number;
  readonly text: string;
}

/** Opens each, some between two readings of all tables; returns what was answered, and what was not the same afterwards. */
export async function openAll(
  routes: RouteWorld,
  all: readonly ClassifiedRoute[],
  open: (route: ClassifiedRoute) => Promise<readonly { readonly status: number; readonly text: string }[]>,
) {
  const opened: Opened[] = [];
  const changed: { readonly tables: string[]; readonly byOneOf: string[] }[] = [];
  let before = await routes.allButVisits();
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const some = all.slice(at, at + AT_ONCE);
    for (const route of some)
      for (const { status, text } of await open(route)) opened.push({ name: route.name, status, text });
    const after = await routes.allButVisits();
    const tables = Object.keys(after).filter((table) => JSON.stringify(after[table]) !== JSON.stringify(before[table]));
    if (tables.length > 0) changed.push({ tables, byOneOf: some.map(({ name }) => name) });
    before = after;
  }
  return { opened, changed };
}
