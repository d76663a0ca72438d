import type { ComponentChildren } from 'preact';
import { filled } from '../../filled';

export const error = {
  'not-found': { title: 'Not found', text: 'There is no such page, or it is not yours to see.' },
  'signed-out': {
    title: 'You are signed out',
    text: 'Nothing was done: the session had ended. Sign in, then send the form again.',
  },
  'expired-form': {
    title: 'This form has expired',
    text: 'Nothing was done. Go back, reload the page and send the form again.',
  },
  'foreign-form': {
    title: 'This form came from another site',
    text: 'Nothing was done. Open the panel itself and send the form there.',
  },
  'bad-form': { title: 'This cannot be done', text: 'The form could not be read.' },
  throttled: { title: 'Too many attempts', text: 'Wait a few minutes, then try again.' },
  busy: {
    title: 'Too many sign-ins at this moment',
    text: 'Your password was not looked at, and the attempt does not count. Try again in a few seconds.',
  },
  exporting: {
    title: 'One download at a time',
    text: 'Another file of yours is still being downloaded. Try again when it is complete.',
  },
  flood: {
    title: 'Too many requests',
    text: 'This session has asked for too many pages. Wait a minute, then go on.',
  },
  unavailable: { title: 'Just now unavailable', text: 'The database does not answer. Try again in a moment.' },
  internal: { title: 'Something went wrong', text: 'It was written to the log under the id below.' },
  back: 'To the start of the panel',
  signIn: 'Sign in',
  request: (id: ComponentChildren) => filled`Request ${id}`,
  answerGone:
    'The page that answered this form is no longer kept. Before you send the form again, check whether it was carried out.',
};
