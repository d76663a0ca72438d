import { type INestApplication, RequestMethod, type Type } from '@nestjs/common';
import { GUARDS_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { ACCESS } from '../../src/auth/access.decorator';
import { PANEL_ACCESS } from '../../src/panel/http/password-again.decorator';
import { PanelGuard } from '../../src/panel/http/panel.guard';

/** For each route of each controller that this application has, `GET /api/chain/delegations/:id`: who it is for, as the guards read it. */
export function declaredRoutes(app: INestApplication): Record<string, string> {
  const controllers = new Set<Type>();
  for (const module of app.get(ModulesContainer).values())
    for (const { metatype } of module.controllers.values()) controllers.add(metatype as Type);
  const scanner = new MetadataScanner();
  const routes = [...controllers].flatMap((controller) => {
    const prototype = controller.prototype as Record<string, object>;
    return scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name]!;
      const paths = Reflect.getMetadata(PATH_METADATA, handler) as string | string[] | undefined;
      if (paths === undefined) return [];
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
      const prefix = Reflect.getMetadata(PATH_METADATA, controller) as string;
      return [paths]
        .flat()
        .map((path) => [`${method} ${joined(prefix, path)}`, accessOf(handler, controller)] as const);
    });
  });
  return Object.fromEntries(routes);
}

/** What the panel's decorators say counts only where the panel's guard reads it. */
function accessOf(handler: object, controller: object): string {
  const guards = (Reflect.getMetadata(GUARDS_METADATA, controller) ?? []) as unknown[];
  const key = guards.includes(PanelGuard) ? PANEL_ACCESS : ACCESS;
  const said = [handler, controller].map((one) => Reflect.getMetadata(key, one) as string | undefined);
  return said.find((access) => access !== undefined) ?? 'nobody said';
}

interface Layer {
  readonly name: string;
  readonly rawPath: string;
  readonly route?: { path: string; stack: { method?: string }[]; methods: Record<string, boolean> };
}

function layers(app: INestApplication): Layer[] {
  return (app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } }).router.stack;
}

/** The same of the router that answers, so that a route which was mounted in another way is seen too. */
export function mountedRoutes(app: INestApplication): string[] {
  return layers(app).flatMap(({ route }) => {
    if (!route) return [];
    const methods = Object.keys(route.methods);
    return (methods.length > 10 || route.methods['_all'] ? ['all'] : methods).map(
      (method) => `${method.toUpperCase()} ${joined(route.path, '')}`,
    );
  });
}

/** What else is mounted, in its order: each of them could answer. */
export function mountedMiddleware(app: INestApplication): string[] {
  return layers(app).flatMap(({ route, name, rawPath }) => (route ? [] : [`${name} ${rawPath}`]));
}

function joined(...parts: string[]): string {
  const names = parts.flatMap((part) => part.split('/')).filter((name) => name !== '');
  return `/${names.join('/')}`;
}
