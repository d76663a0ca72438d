/** What pages are made of: they import it from here, in one line. */
export { GetButton, PostButton } from './buttons';
export { Confirmation, confirmationPage } from './confirmation';
export { CodeLink } from './code-link';
export { CopyButton } from './copy-button';
export { ShownAt, useVisit, useMessages, useUserVisit } from './current-visit';
export { type Column, DataTable, ListTable, type Sort } from './data-table';
export { Box, Checkbox, Choice, Choices, Field } from './fields';
export { FormKey, formKeyOf } from './form-key';
export { Clipped, FilterFold, LongText, RowMenu } from './folds';
export { type FormProblem, ProblemOfForm, ProblemSummary, useFieldState, useShown } from './form-problem';
export { LinkedText } from './linked-text';
export { Live } from './live';
export { LongId } from './long-id';
export { cutPage, fromTheFirstPage, PAGE_SIZE, type PageOf, Pager, rowPlace, wholeList } from './pager';
export { GetForm, PostForm } from './post-form';
export { QrCode } from './qr-code';
export { Secret } from './secret';
export { Badge, type Fact, Facts, groupDigits, Instant, percentOf, shortTrx, Tile, Trx } from './values';
