import * as swagger from '@nestjs/swagger';

const waiting: (() => void)[] = [];

/**
 * The same decorator, which does nothing before `describeAll`: only the making of `openapi.json` reads what they say, and loading
 * `@nestjs/swagger` is a tenth of what a start of the service costs.
 */
function later<Decorator extends (given: never) => unknown>(decorator: () => Decorator): Decorator {
  const placed =
    (given: never) =>
    (...place: unknown[]): void => {
      waiting.push(() => (decorator()(given) as (...place: unknown[]) => void)(...place));
    };
  return placed as unknown as Decorator;
}

export const ApiProperty = later(() => swagger.ApiProperty);
export const ApiPropertyOptional = later(() => swagger.ApiPropertyOptional);
export const ApiSchema = later(() => swagger.ApiSchema);
export const ApiParam = later(() => swagger.ApiParam);
export const ApiOkResponse = later(() => swagger.ApiOkResponse);
export const ApiServiceUnavailableResponse = later(() => swagger.ApiServiceUnavailableResponse);

/** What the loaded classes and routes say of themselves, in the order in which they say it. */
export function describeAll(): void {
  for (const describe of waiting.splice(0)) describe();
}
