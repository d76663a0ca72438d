import { hash } from 'node:crypto';

export const sha256 = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer');
