/**
 * @typedef {'malformed' | 'other-witnesses' | 'no-header' | 'not-signed' | 'not-linked' | 'no-delegation' | 'not-in-block'
 *   | 'otherwise-proved' | 'too-few-witnesses'} ReceiptErrorCode
 */

/** The receipt does not prove what it states: `code` says why for programs, `subject` names the field, the block or the witness. */
export class ReceiptError extends Error {
  /** @override */
  name = 'ReceiptError';

  /** @param {ReceiptErrorCode} code @param {string} subject @param {string} message */
  constructor(code, subject, message) {
    super(message);
    /** @readonly */
    this.code = code;
    /** @readonly */
    this.subject = subject;
  }
}
