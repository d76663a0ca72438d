import type { AnswerBound } from './answer-bounds';
import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  NINE,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  ZERO,
} from './json-bytes';

/** No field of the chain is nested deeper than a contract's parameter in a transaction in a block in a list. */
const MOST_DEPTH = 64;
/** Numbers of 64 bits have 19 digits. More digits take a time that grows with their square. */
const MOST_DIGITS = 40;
/** Shorter ones are exact as they are parsed. */
const LONG_NUMBER = 16;

/** A node's answer is more than it may be. */
export class AnswerTooLargeError extends Error {}

/**
 * Looks through JSON while it arrives, so that nothing is kept or parsed that would stop the process: an answer of some kilobytes can
 * inflate to gigabytes, or be a million empty objects, for which parsing takes seconds.
 */
export class AnswerScan {
  /** A number stands outside quotes that may be inexact when it is parsed as usual. */
  hasLongNumber = false;
  private bytes = 0;
  private parts = 0;
  private depth = 0;
  private digits = 0;
  private isText = false;
  private isEscaped = false;

  constructor(private readonly bound: AnswerBound) {}

  /** @throws AnswerTooLargeError */
  take(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > this.bound.bytes)
      throw new AnswerTooLargeError(`the answer has more than ${this.bound.bytes} bytes`);
    for (let at = 0; at < chunk.length;) at = this.isText ? this.passText(chunk, at) : this.passOthers(chunk, at);
  }

  /** Most of an answer is text, and this the fast way through it. */
  private passText(chunk: Buffer, from: number): number {
    let at = from;
    if (this.isEscaped) at++;
    this.isEscaped = false;
    while (at < chunk.length && chunk[at] !== QUOTE && chunk[at] !== BACKSLASH) at++;
    if (at < chunk.length && chunk[at] === BACKSLASH) this.isEscaped = true;
    else if (at < chunk.length) this.isText = false;
    return at + 1;
  }

  private passOthers(chunk: Buffer, from: number): number {
    let { parts, depth, digits } = this;
    let at = from;
    for (; at < chunk.length && !this.isText; at++) {
      const byte = chunk[at]!;
      if (byte >= ZERO && byte <= NINE) {
        if (++digits === LONG_NUMBER) this.hasLongNumber = true;
        else if (digits > MOST_DIGITS) throw new AnswerTooLargeError(`a number has more than ${MOST_DIGITS} digits`);
        continue;
      }
      digits = 0;
      if (byte === QUOTE) this.isText = true;
      else if (byte === COMMA || byte === COLON) parts++;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) [parts, depth] = [parts + 1, depth + 1];
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--;
      if (depth > MOST_DEPTH) throw new AnswerTooLargeError(`the answer is nested more than ${MOST_DEPTH} deep`);
    }
    [this.parts, this.depth, this.digits] = [parts, depth, digits];
    if (parts > this.bound.parts) throw new AnswerTooLargeError(`the answer has more than ${this.bound.parts} parts`);
    return at;
  }
}
