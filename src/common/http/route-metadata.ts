import { Reflector } from '@nestjs/core';

type Targets = Parameters<Reflector['getAllAndOverride']>[1];
type Target = Targets[number];

/** What decorators say of a route never changes, and to look it up costs more than the checks that ask: once for each route. */
export class RouteMetadata extends Reflector {
  /** By handler and controller, for a handler may be inherited. */
  private readonly known = new WeakMap<Target, WeakMap<Target, Map<unknown, unknown>>>();

  // The library's signature.
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  override getAllAndOverride<Result>(key: unknown, targets: Targets): Result {
    const known = this.knownOf(targets[0]!, targets[1]!);
    if (!known.has(key)) known.set(key, super.getAllAndOverride(key, targets));
    return known.get(key) as Result;
  }

  private knownOf(handler: Target, controller: Target): Map<unknown, unknown> {
    const controllers = this.known.get(handler) ?? new WeakMap<Target, Map<unknown, unknown>>();
    const known = controllers.get(controller) ?? new Map<unknown, unknown>();
    this.known.set(handler, controllers.set(controller, known));
    return known;
  }
}
