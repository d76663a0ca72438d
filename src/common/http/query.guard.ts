import { parse } from 'node:querystring';
import { type CanActivate, type ExecutionContext, Injectable, SetMetadata, type Type } from '@nestjs/common';
import type { Request } from 'express';
import { ServiceError } from '../errors/service.error';
import { fieldsOf, formProblem } from '../validation/query-fields';
import { contractRouteOf } from './contract-route';
import { RouteMetadata } from './route-metadata';

const QUERY = 'query-of-route';
/** More of them tell a caller nothing more, and an answer stays short. */
const MOST_NAMED = 20;

interface RouteQuery {
  /** Those that the validation looks at, empty or not. */
  readonly fields: readonly string[];
  readonly refusesOthers: boolean;
}
const NO_FIELDS: RouteQuery = { fields: [], refusesOthers: false };

/** The query of this route has the fields of the class, or none, and no others. */
export const OnlyQueryFields = (dto?: Type) =>
  SetMetadata(QUERY, { fields: dto ? fieldsOf(dto) : [], refusesOthers: true } satisfies RouteQuery);

/** By itself the parser drops every field after the thousandth. */
export const parseQuery = (text: string) => parse(text, '&', '=', { maxKeys: 0 });

/**
 * Last of the guards. A filter that is empty, an array or misspelt would filter nothing, and its caller would take the newest order for
 * the one that was asked for. The contract's own routes go on ignoring whatever stands in their query.
 */
@Injectable()
export class QueryGuard implements CanActivate {
  private readonly reflector = new RouteMetadata();

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request & { user?: unknown }>();
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    // Pages and probes have no token and rules of their own.
    if (!isRead || request.user === undefined || contractRouteOf(request.url) !== 'other') return true;
    const route = [context.getHandler(), context.getClass()];
    const known = this.reflector.getAllAndOverride<RouteQuery | undefined>(QUERY, route) ?? NO_FIELDS;
    const problems = Object.entries(request.query).flatMap(([name, value]) => {
      const problem = known.fields.includes(name) ? null : problemOf(name, value, known);
      return problem === null ? [] : [[fieldIn(name), [problem]] as [string, string[]]];
    });
    if (problems.length === 0) return true;
    const details = Object.fromEntries(problems.slice(0, MOST_NAMED));
    throw new ServiceError('VALIDATION_FAILED', 'Invalid query', { details });
  }
}

/** `txid[]` and `txid[0]` are ways to write the field `txid` more than once. */
function fieldIn(name: string): string {
  return name.replace(/\[.*$/s, '') || name;
}

function problemOf(name: string, value: unknown, { fields, refusesOthers }: RouteQuery): string | null {
  const field = fieldIn(name);
  const isArray = Array.isArray(value) || field !== name;
  if (refusesOthers && !fields.includes(field))
    return `The field ${field} is unknown${fields.length > 0 ? `: there are ${fields.join(', ')}` : ''}.`;
  return formProblem(field, isArray ? [] : value);
}
