import { type ClassConstructor, plainToInstance } from 'class-transformer';

/** An instance with what its class exposes, each value converted as its decorators say; all else is left behind. */
export function convert<T>(type: ClassConstructor<T>, value: object): T {
  return plainToInstance(type, value, { excludeExtraneousValues: true });
}
