export { findings } from './findings';
export { notices } from './notices';
export * as panel from './panel';
export { weaknesses } from './weaknesses';
export { witnessChange } from './witness-change';
