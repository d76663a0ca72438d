/** True in the service, false in the command line, which must not follow blocks or sweep beside it. */
export const BACKGROUND_WORK = Symbol('BACKGROUND_WORK');
