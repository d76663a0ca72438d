/** One instance of the service, as the machine sees it: what belongs to it ends with it, or waits while it is stopped. */
export class SimProcess {
  dead = false;
  /** Stopped (SIGSTOP) until then. */
  stoppedUntilMs = 0;

  constructor(
    readonly name: string,
    /** How far its own clock is off. */
    readonly clockOffMs: number,
  ) {}
}
