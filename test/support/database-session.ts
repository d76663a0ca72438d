/** One thing that was asked of the database, for which it says once that it is ready for the next. */
export interface Request {
  /** Name of a prepared statement; that of the protocol's own words (`commit`) is their text. */
  readonly name: string;
  readonly writes: boolean;
  /** The writing statements that it commits, if none of them fails: those of its transaction, or itself. */
  readonly commits: readonly string[] | null;
}

/** A message of the database. */
interface Answered {
  readonly message: Buffer;
  /** That it answers. */
  readonly request: Request | undefined;
  /** With the last one of an answer: the writing statements that touched rows and are committed by now, and were not before. */
  readonly committed?: readonly string[];
}

/** A lock (`for update`) writes nothing. */
const LOCKS = /\bfor (?:no key )?update\b/gi;
const WRITES = /\b(?:insert into|update|delete from)\b/i;

const writes = (text: string): boolean => WRITES.test(text.replace(LOCKS, ''));
const texts = (message: Buffer) => message.subarray(5).toString('latin1').split('\0');

/** Cuts a stream of PostgreSQL's protocol into its messages. */
class Messages {
  private rest = Buffer.alloc(0);

  /** False: the very first one has no type, as a client's. */
  constructor(private isTyped: boolean) {}

  *read(data: Buffer): Generator<{ readonly type: string; readonly message: Buffer }> {
    this.rest = Buffer.concat([this.rest, data]);
    for (;;) {
      const start = this.isTyped ? 1 : 0;
      if (this.rest.length < start + 4) return;
      const end = start + this.rest.readInt32BE(start);
      if (this.rest.length < end) return;
      const message = this.rest.subarray(0, end);
      this.rest = this.rest.subarray(end);
      const type = this.isTyped ? String.fromCharCode(message[0]!) : '';
      this.isTyped = true;
      yield { type, message };
    }
  }
}

/** One connection's messages to the database: which of them ask something, and what of that commits. */
export class Frontend {
  private readonly messages = new Messages(false);
  /** The writing statements of an open transaction. */
  private transaction: string[] | null = null;
  private bound: string | null = null;
  private readonly writing = new Map<string, boolean>();

  *read(data: Buffer): Generator<{ readonly message: Buffer; readonly request: Request | null }> {
    for (const { type, message } of this.messages.read(data)) yield { message, request: this.requestOf(type, message) };
  }

  private requestOf(type: string, message: Buffer): Request | null {
    switch (type) {
      // The database is ready once the connection is let in.
      case '':
        return { name: 'start', writes: false, commits: null };
      case 'Q':
        return this.simple(texts(message)[0]!.toLowerCase());
      case 'P': {
        const [name, text] = texts(message);
        this.writing.set(name!, writes(text!));
        return null;
      }
      case 'B':
        this.bound = texts(message)[1]!;
        return null;
      case 'S':
        return this.statement(this.bound ?? '');
      default:
        return null;
    }
  }

  private simple(name: string): Request {
    const before = this.transaction;
    if (name === 'begin') this.transaction = [];
    if (name === 'commit' || name === 'rollback') this.transaction = null;
    return { name, writes: writes(name), commits: name === 'commit' ? before : null };
  }

  private statement(name: string): Request {
    this.bound = null;
    const isWriting = this.writing.get(name) === true;
    if (isWriting) this.transaction?.push(name);
    return { name, writes: isWriting, commits: isWriting && !this.transaction ? [name] : null };
  }
}

/** What the database answers, request by request, in the order in which they were asked. */
export class Backend {
  private readonly messages = new Messages(true);
  private readonly asked: Request[] = [];
  /** In the open transaction: statements that touched rows. */
  private written: string[] = [];
  private tag = '';

  ask(request: Request): void {
    this.asked.push(request);
  }

  *read(data: Buffer): Generator<Answered> {
    for (const { type, message } of this.messages.read(data)) {
      const request = this.asked[0];
      if (type === 'C') this.tag = texts(message)[0]!;
      if (type === 'Z') yield { message, request, committed: this.ready(String.fromCharCode(message[5]!)) };
      else yield { message, request };
    }
  }

  /** By the status that the database gives itself: `I` is outside of any transaction. */
  private ready(status: string): readonly string[] {
    const request = this.asked.shift();
    const tag = this.tag;
    this.tag = '';
    if (request?.writes && / [1-9]\d*$/.test(tag)) this.written.push(request.name);
    if (status !== 'I') return [];
    const { written } = this;
    this.written = [];
    // Without a tag it has failed.
    return tag === '' || tag === 'ROLLBACK' ? [] : written;
  }
}
