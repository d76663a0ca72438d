import { Socket } from 'node:net';

/** Hands the kernel one write for all that a turn of the event loop sends: a call to it costs more than most statements. */
export class CorkedSocket extends Socket {
  private collecting = false;

  override write(...args: unknown[]): boolean {
    if (!this.collecting) {
      this.collecting = true;
      this.cork();
      setImmediate(() => {
        this.collecting = false;
        this.uncork();
      });
    }
    return super.write(...(args as Parameters<Socket['write']>));
  }
}
