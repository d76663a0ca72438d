import { seededUuid } from './virtual-world';

// In the place of the package: its version 7 counts on from the last id of the process, whichever history that was of.
export { validate } from 'uuid';
export const v4 = (): string => seededUuid();
export const v7 = (): string => seededUuid(Date.now());
