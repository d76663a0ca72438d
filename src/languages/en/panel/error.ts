import type { ComponentChildren } from 'preact';
import { filled } from '../../filled';

export const error = {
  'not-found': { title: 'Page not found', text: 'This page does not exist, or your account cannot open it.' },
  'signed-out': {
    title: 'You are signed out',
    text: 'Nothing was changed. Your session had ended: sign in, then send the form again.',
  },
  'expired-form': {
    title: 'This form has expired',
    text: 'Nothing was changed. Go back, reload the page and send the form again.',
  },
  'foreign-form': {
    title: 'This form came from another site',
    text: 'Nothing was changed. Open the panel itself and send the form there.',
  },
  'bad-form': {
    title: 'This cannot be done',
    text: 'The form could not be read. Go back, reload the page and send the form again.',
  },
  throttled: { title: 'Too many attempts', text: 'Wait a few minutes, then try again.' },
  busy: {
    title: 'Too many sign-ins at this moment',
    text: 'Your attempt does not count. Try again in a few seconds.',
  },
  exporting: {
    title: 'One download at a time',
    text: 'You are still downloading another file. Try again when it is complete.',
  },
  flood: {
    title: 'Too many requests',
    text: 'You have opened too many pages in a short time. Wait a minute, then continue.',
  },
  unavailable: { title: 'Temporarily unavailable', text: 'The database does not answer. Try again in a moment.' },
  internal: {
    title: 'Something went wrong',
    text: 'Try again. If it happens again, give the id below to an operator: the log has the error under it.',
  },
  back: 'Back to the panel',
  signIn: 'Sign in',
  request: (id: ComponentChildren) => filled`Request ${id}`,
  answerGone: 'The result of this form has expired. Check whether the change was made before you send the form again.',
};
