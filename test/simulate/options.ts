import { parseArgs } from 'node:util';
import { BUGS } from './planted/bugs';

export const USAGE = `npm run simulate -- [options]
  --seeds N     so many histories (100), [--seed S] from this seed on, [--minutes M] of which none is begun later
  --seed S      this one, twice: its log has to be the same; [--bug NAME] as that bug makes it, [--log] prints it
  --plan FILE   a history that was printed as JSON, in the same way; [--bug NAME] [--log]
  --planted     each planted bug until it is caught; [--bug NAME] that one alone
  --places      whether each bug can still be planted; runs none
  --workers N   processes (2)`;

/** What was asked for; each with what goes with it and nothing else. */
export type Wanted =
  | { readonly mode: 'help' }
  | { readonly mode: 'places' }
  | { readonly mode: 'seeds'; readonly first: number; readonly count: number; readonly minutes: number }
  | { readonly mode: 'replay'; readonly seed: number; readonly showLog: boolean; readonly bug?: string }
  | { readonly mode: 'plan'; readonly file: string; readonly showLog: boolean; readonly bug?: string }
  | { readonly mode: 'planted'; readonly bug?: string };

export class UsageError extends Error {}

const TEXTS = ['seeds', 'seed', 'plan', 'bug', 'minutes', 'workers'] as const;
const FLAGS = ['planted', 'places', 'log', 'help'] as const;
type Values = Partial<Record<(typeof TEXTS)[number], string> & Record<(typeof FLAGS)[number], boolean>>;

/** @throws UsageError */
export function readOptions(args: readonly string[]): { readonly wanted: Wanted; readonly workers: number } {
  const values = parse(args);
  const workers = whole(values, 'workers', 1) ?? 2;
  return { wanted: wantedBy(values), workers };
}

function wantedBy(values: Values): Wanted {
  if (values.help) return { mode: 'help' };
  const bug = values.bug;
  if (bug !== undefined && !BUGS.some(({ name }) => name === bug)) throw new UsageError(`there is no bug ${bug}`);
  if (values.places) return only(values, { mode: 'places' }, 'places', 'planted');
  if (values.planted) return only(values, { mode: 'planted', bug }, 'planted', 'bug');
  const showLog = values.log ?? false;
  if (values.plan !== undefined)
    return only(values, { mode: 'plan', file: values.plan, showLog, bug }, 'plan', 'log', 'bug');
  const seed = whole(values, 'seed', 0);
  if (seed !== undefined && values.seeds === undefined)
    return only(values, { mode: 'replay', seed, showLog, bug }, 'seed', 'log', 'bug');
  const minutes = values.minutes === undefined ? Infinity : Number(values.minutes);
  if (!(minutes > 0)) throw new UsageError(`--minutes is a number above 0, not ${values.minutes}`);
  const wanted = { mode: 'seeds', first: seed ?? 1, count: whole(values, 'seeds', 1) ?? 100, minutes } as const;
  return only(values, wanted, 'seeds', 'seed', 'minutes');
}

function parse(args: readonly string[]): Values {
  const options = {
    ...Object.fromEntries(TEXTS.map((name) => [name, { type: 'string' as const }])),
    ...Object.fromEntries(FLAGS.map((name) => [name, { type: 'boolean' as const }])),
  };
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message.split('\n')[0]!.split('. ')[0]);
  }
}

function whole(values: Values, name: 'seeds' | 'seed' | 'workers', least: number): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text) || Number(text) < least)
    throw new UsageError(`--${name} is a whole number from ${least} on, not ${text}`);
  return Number(text);
}

function only(values: Values, wanted: Wanted, ...names: (keyof Values)[]): Wanted {
  const strange = (Object.keys(values) as (keyof Values)[]).find((name) => name !== 'workers' && !names.includes(name));
  if (strange !== undefined) throw new UsageError(`--${strange} says nothing beside --${names[0]}`);
  return wanted;
}
