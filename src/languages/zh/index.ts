export { findings } from './findings';
export { mails } from './mails';
export { notices } from './notices';
export * as panel from './panel';
export { site } from './site';
export { weaknesses } from './weaknesses';
export { witnessChange } from './witness-change';
