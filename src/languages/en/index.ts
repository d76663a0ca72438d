/** All that people read, a file or a folder for each of its rooms. Other languages have the same names. */
export { findings } from './findings';
export { mails } from './mails';
export { notices } from './notices';
export * as panel from './panel';
export { site } from './site';
export { weaknesses } from './weaknesses';
export { witnessChange } from './witness-change';
