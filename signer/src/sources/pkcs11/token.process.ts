import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { BACKEND_MS, noAnswerWithin } from '../ends.within';
import type { FromToken, TokenRequest, TokenSettings, ToToken } from './messages';

const PROGRAM = join(__dirname, 'token.main.js');

/** Asks the process of a token. One that gives no answer is ended, because a call that hangs cannot be; the next request starts another. */
export class TokenProcess {
  private child: ChildProcess | null = null;
  private readonly waiting = new Map<number, PromiseWithResolvers<Buffer>>();
  private timer: NodeJS.Timeout | undefined;
  private lastId = 0;
  private refusesPin = false;

  constructor(
    private readonly settings: TokenSettings,
    private readonly pinName: string,
  ) {}

  /** @throws Error */
  ask(request: TokenRequest): Promise<Buffer> {
    // A process that is started again would try the PIN once more.
    if (this.refusesPin) return Promise.reject(this.pinIsRefused());
    const child = (this.child ??= this.start());
    const id = (this.lastId += 1);
    const waiting = Promise.withResolvers<Buffer>();
    this.waiting.set(id, waiting);
    this.send(child, { id, request });
    if (this.waiting.size === 1) this.watch(child);
    return waiting.promise;
  }

  private start(): ChildProcess {
    const child = fork(PROGRAM, { serialization: 'advanced' });
    child.on('message', (answer: FromToken) => this.settle(child, answer));
    child.on('error', (error) => this.end(child, error));
    child.on('exit', (code, signal) =>
      this.end(child, new Error(`the process of its token has ended (${signal ?? code})`)),
    );
    this.send(child, { settings: this.settings });
    return child;
  }

  private send(child: ChildProcess, message: ToToken): void {
    child.send(message, (error) => error && this.end(child, error));
  }

  private settle(child: ChildProcess, answer: FromToken): void {
    const waiting = this.waiting.get(answer.id);
    if (!waiting) return;
    this.waiting.delete(answer.id);
    this.watch(child);
    if ('bytes' in answer) return waiting.resolve(Buffer.from(answer.bytes));
    waiting.reject(this.refusesPin ? this.pinIsRefused() : new Error(answer.error));
    this.refusesPin ||= answer.refusesPin;
  }

  private pinIsRefused(): Error {
    return new Error(`source.pkcs11.pin_env ${this.pinName}: the token refuses it`);
  }

  /** From answer to answer: many requests may take longer than one. */
  private watch(child: ChildProcess): void {
    clearTimeout(this.timer);
    if (this.waiting.size > 0) this.timer = setTimeout(() => this.end(child, noAnswerWithin()), BACKEND_MS);
  }

  private end(child: ChildProcess, error: Error): void {
    if (this.child !== child) return;
    this.child = null;
    clearTimeout(this.timer);
    child.kill('SIGKILL');
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}
