import { type INestApplication, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';

/** `GET /api/chain/delegations/:id`, for each route of each controller that this application has. */
export function declaredRoutes(app: INestApplication): string[] {
  const controllers = new Set<Type>();
  for (const module of app.get(ModulesContainer).values())
    for (const { metatype } of module.controllers.values()) controllers.add(metatype as Type);
  const scanner = new MetadataScanner();
  return [...controllers].flatMap((controller) => {
    const prototype = controller.prototype as Record<string, object>;
    return scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name]!;
      const path = Reflect.getMetadata(PATH_METADATA, handler) as string | undefined;
      if (path === undefined) return [];
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
      return [`${method} ${joined(Reflect.getMetadata(PATH_METADATA, controller) as string, path)}`];
    });
  });
}

/** The same of the router that answers, so that a route which was mounted in another way is seen too. */
export function mountedRoutes(app: INestApplication): string[] {
  const { router } = app.getHttpAdapter().getInstance() as {
    router: { stack: { route?: { path: string; stack: { method?: string }[]; methods: Record<string, boolean> } }[] };
  };
  return router.stack.flatMap(({ route }) => {
    if (!route) return [];
    const methods = Object.keys(route.methods);
    return (methods.length > 10 || route.methods['_all'] ? ['all'] : methods).map(
      (method) => `${method.toUpperCase()} ${joined(route.path, '')}`,
    );
  });
}

function joined(...parts: string[]): string {
  const names = parts.flatMap((part) => part.split('/')).filter((name) => name !== '');
  return `/${names.join('/')}`;
}
