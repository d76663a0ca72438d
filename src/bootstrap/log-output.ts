import { writeSync } from 'node:fs';

const STDOUT = 1;
/** Lines wait in memory up to here for a reader of the log who has stopped reading. */
const MOST_WAITING_BYTES = 256 * 1024;
const WARN = 40;

/**
 * Where log lines go. A reader of the log who stands still or is gone, and a disk that is full, must neither stop nor end the service: lines
 * wait up to a bound, and what comes on top is left out and counted.
 */
export class LogOutput {
  private leftOut = 0;
  private isGone = false;

  /** No error of an output ends the process from now on. */
  static outlive(): void {
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  }

  write(line: string): void {
    // The stream's first use has the system refuse what a pipe has no room for; else it would keep this process waiting.
    const { stdout } = process;
    if (this.isGone) return;
    if (stdout.writableLength > MOST_WAITING_BYTES) {
      this.leftOut += 1;
      return;
    }
    const bytes = Buffer.from(this.notice() + line);
    const rest = stdout.writableLength > 0 ? bytes : bytes.subarray(this.writeNow(bytes));
    if (rest.length === 0) return;
    this.leftOut = 0;
    stdout.write(rest);
  }

  /** How many bytes are done with. */
  private writeNow(bytes: Buffer): number {
    try {
      const count = writeSync(STDOUT, bytes);
      this.leftOut = 0;
      return count;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EAGAIN') return 0;
      this.leftOut += 1;
      this.isGone = code === 'EPIPE';
      return bytes.length;
    }
  }

  private notice(): string {
    if (this.leftOut === 0) return '';
    return `${JSON.stringify({ level: WARN, time: Date.now(), count: this.leftOut, msg: 'log lines left out' })}\n`;
  }
}
