import type { VNode } from 'preact';
import { DomainError, MissingError } from '../../common/errors/domain.error';
import type { Outcome, Visit } from './visit';

/** A whole page, rendered around its content. */
export class Page {
  constructor(
    readonly title: string,
    readonly content: VNode,
    readonly status = 200,
  ) {}
}

/** With a secret that is shown once. */
export class SecretPage extends Page {}

/** A page as it was rendered when it answered a form. */
export class ShownAnswer {
  constructor(
    readonly html: string,
    readonly status: number,
  ) {}
}

/** After a form was submitted: the browser asks for the next page by itself, and a reload repeats nothing. */
export class SeeOther {
  constructor(
    readonly url: string,
    /** Shown on the next page, once. */
    readonly outcome?: Outcome,
  ) {}

  /** To a page that says what was done. */
  static done(url: string, text: string): SeeOther {
    return new SeeOther(url, { kind: 'done', text });
  }

  /** To a page that says why it was not. */
  static refused(url: string, text: string): SeeOther {
    return new SeeOther(url, { kind: 'refused', text });
  }
}

/** A file to download. */
export class Download {
  constructor(
    readonly fileName: string,
    readonly type: string,
    readonly chunks: AsyncIterable<string>,
  ) {}
}

/** A file that is read from the database while it is sent, however much there is: one at a time for each user. */
export class Export extends Download {
  constructor(fileName: string, chunks: AsyncIterable<string>) {
    super(fileName, 'text/csv; charset=utf-8', chunks);
  }
}

export type Reply = Page | ShownAnswer | SeeOther | Download;

/** Does what a form asks for, then leads to `url` with the outcome, a refusal too. What is not there is an error page. */
export async function submitAndRedirect(
  { messages }: Visit,
  url: string,
  work: () => Promise<string>,
): Promise<SeeOther> {
  try {
    return SeeOther.done(url, await work());
  } catch (error) {
    if (!(error instanceof DomainError) || error instanceof MissingError) throw error;
    return SeeOther.refused(url, messages.language.refusal(error));
  }
}
