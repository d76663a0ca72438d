/**
 * Injection token of a boolean: true in the service, false on the command line.
 * Only where it is true do the block follower, the sweeper and other work that nobody asked for run.
 */
export const BACKGROUND_WORK = Symbol('BACKGROUND_WORK');
