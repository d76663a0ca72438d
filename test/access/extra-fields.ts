import type { MikroORM } from '@mikro-orm/postgresql';
import type { Ids } from './route-world';
import { SESSIONS } from './victim-marks';

export type Fields = Record<string, string>;
/** A form has at most so many fields, and the service refuses one that has more. */
const MOST_FIELDS = 50;

/** What a form or a query might be understood to say, with the victim's ids in every field that could take one. */
export function fieldsByHand(theirs: Ids, email: string): Fields {
  const of = (names: string[], value: string) => Object.fromEntries(names.map((name) => [name, value]));
  return {
    ...of(['user_id', 'userId', 'user', 'owner', 'owner_id', 'account_id', 'account', 'customer'], theirs.user!),
    ...of(['token_id', 'tokenId', 'token'], theirs.token!),
    ...of(['id', 'delegation_id', 'delegationId', 'order', 'order_id', 'before', 'holds'], theirs.order!),
    ...of(['webhook_id', 'webhook'], theirs.webhook!),
    ...of(['subscription_id', 'subscription', 'after', 'subscriptions'], theirs.subscription!),
    ...of(['delivery'], theirs.delivery!),
    ...of(['session', 'session_id', 'key'], SESSIONS.asked),
    ...of(['ledger'], '999999999'),
    ...of(['cost', 'cost_sun', 'price', 'unit_price', 'unitPriceSun', 'fee', 'stake_sun'], '0'),
    ...of(['operator', 'is_operator', 'isOperator', 'admin'], 'yes'),
    ...of(['balance', 'balance_sun', 'balanceSun', 'rate_limit', 'rateLimit'], '1000000'),
    ...of(['state', 'answer'], 'success'),
    ...of(['paid_by', 'wallet_id', 'email', 'role'], email),
    ...of(['__proto__', 'constructor', 'prototype', 'toString'], 'x'),
  };
}

/** Names of all columns of the entities, in the ways of the database and of the code; `ofUsers`: of what belongs to a user. */
export function fieldsOfColumns(orm: MikroORM, theirs: Ids, ofUsers = false): Fields {
  const entities = [...orm.getMetadata().getAll().values()].map((entity) => Object.values(entity.properties));
  const names = entities
    .filter((properties) => !ofUsers || properties.some(({ name }) => name === 'user' || name === 'passwordHash'))
    .flatMap((properties) => properties.flatMap(({ name, fieldNames }) => [name, ...(fieldNames ?? [])]));
  return Object.fromEntries([...new Set(names)].toSorted().map((name) => [name, valueOf(name, theirs)]));
}

function valueOf(name: string, theirs: Ids): string {
  if (/_id$|Id$/.test(name)) return theirs.user!;
  if (/_at$|At$|until$|Until$|^day$|since$|Since$/.test(name)) return '2099-01-01';
  return '2000000';
}

/** The pages' own forms and links: which fields a form has, by where it is sent to, and all names that any has or asks for. */
export class FieldsOfPages {
  private readonly byAction = new Map<string, Set<string>>();
  readonly names = new Set<string>();

  read(page: string): void {
    for (const [, name] of page.matchAll(/<(?:input|select|textarea|button)\b[^>]* name="([^"]+)"/g))
      this.names.add(name!);
    for (const [, name] of page.matchAll(/href="[^"]*[?;](\w+)=/g)) this.names.add(name!);
    for (const [form, action] of page.matchAll(/<form method="post"[^>]* action="([^"?]+).*?<\/form>/gs)) {
      const fields = this.byAction.get(action!) ?? new Set<string>();
      for (const [, name] of form.matchAll(/ name="([^"]+)"/g)) fields.add(name!);
      this.byAction.set(action!, fields);
    }
  }

  /** Whether a form that is sent there has such a field: then it is none too many. */
  isOf(path: string, field: string): boolean {
    return this.byAction.get(path)?.has(field) ?? false;
  }

  /** What of a form that says something to each route this one asks for; all of it where no page shows the form. */
  own(path: string, filled: Fields): Fields {
    const fields = this.byAction.get(path);
    return fields ? Object.fromEntries(Object.entries(filled).filter(([name]) => fields.has(name))) : filled;
  }
}

/** In parts that a form with these fields of its own has room for. */
export function inParts(extra: Fields, own: Fields): Fields[] {
  const left = Object.entries(extra).filter(([name]) => !Object.hasOwn(own, name));
  const room = MOST_FIELDS - Object.keys(own).length;
  const parts = Math.ceil(left.length / room);
  return Array.from({ length: parts }, (_, at) => Object.fromEntries(left.slice(at * room, (at + 1) * room)));
}
