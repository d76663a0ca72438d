import { hash } from 'node:crypto';

export const sha256 = (bytes: Buffer): Buffer => Buffer.from(hash('sha256', bytes, 'hex'), 'hex');
