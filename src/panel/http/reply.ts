import type { VNode } from 'preact';
import type { Notice } from './visit';

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
    readonly notice?: Notice,
  ) {}
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
export class Export extends Download {}

export type Reply = Page | ShownAnswer | SeeOther | Download;
